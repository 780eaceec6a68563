//! Crash-safe files with checksums. Nothing in this module is specific to the games.

// No other module may open files: see `disallowed-methods` in clippy.toml.
#![allow(clippy::disallowed_methods)]

mod atomic;
mod change;
mod checksums;
mod folder;
mod frame;
mod lock;
mod open;
mod temporary;

pub use atomic::{
    append_at, create_empty, replace, replace_parts, replace_unflushed, write_output,
};
pub use checksums::{CHECKSUMS, Checksums, Verdict};
pub use folder::{create_folder, create_folder_of, remove, rename};
pub use frame::{Frame, FrameError};
pub use lock::{Lock, Log};
pub use open::{
    open, open_to_append, read, read_document, read_optional, read_standard_input, read_text,
};
pub use temporary::{remove_leftovers, replaced_by};

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::text::Message;

/// Returns the hex-encoded SHA-256 hash of `bytes`.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hexadecimal(Sha256::digest(bytes))
}

pub(crate) fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An error from a file operation, along with the path of the file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// The action that failed, e.g. "read" or "write".
    pub action: &'static str,
    pub path: PathBuf,
    pub source: io::Error,
}

impl FileError {
    /// Returns a closure for `map_err` that adds the action and path to an I/O error.
    pub fn of<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| FileError { action, path: path.to_owned(), source }
    }
}

impl From<FileError> for Message {
    fn from(error: FileError) -> Message {
        Message::of(error)
    }
}
