//! Crash-safe files with corruption detection. Nothing in this module depends on a game.

// Only this module may open files: see clippy.toml.
#![allow(clippy::disallowed_methods)]

mod atomic;
mod change;
mod checksums;
mod folder;
mod frame;
mod lock;
mod log;
mod open;
mod temporary;

pub use atomic::{
    append_at, create_empty, replace, replace_parts, replace_unflushed, write_output,
};
pub use checksums::{CHECKSUMS, Checksums, Verdict};
pub use folder::{create_folder, create_folder_of, is_below_current_folder, remove, rename};
pub use frame::{Frame, FrameError};
pub use lock::Lock;
pub use log::Log;
pub use open::{open, read, read_document, read_optional, read_standard_input, read_text};
pub use temporary::replaced_by;

use std::io;
use std::path::{Path, PathBuf};

/// An error from a file operation.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// The operation that failed: "read", "write", …
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    pub source: io::Error,
}

impl FileError {
    /// Returns a closure for `map_err` that wraps an I/O error.
    pub fn of<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| FileError { action, path: path.to_owned(), source }
    }
}
