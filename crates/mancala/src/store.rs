//! Files that survive crashes and reveal damage. This module knows no game.

// Files are opened only in here, where clippy.toml does not look.
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
    append_at, create_empty, replace, replace_by_pieces, replace_unflushed, write_output,
};
pub use checksums::{CHECKSUMS, Checksums, Verdict};
pub use folder::{create_folder, create_folder_of, is_below_here, remove, rename};
pub use frame::{Frame, FrameError};
pub use lock::Lock;
pub use log::Log;
pub use open::{open, read, read_document, read_if_there, read_standard_input, read_text};
pub use temporary::replaced_by;

use std::io;
use std::path::{Path, PathBuf};

/// A file operation that failed, with the file it failed on.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// The operation: "read", "write", …
    pub action: &'static str,
    /// The file or folder it was tried on.
    pub path: PathBuf,
    /// The reason that the operating system gave.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err`: wraps the operating system's error.
    pub fn of<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| FileError { action, path: path.to_owned(), source }
    }
}
