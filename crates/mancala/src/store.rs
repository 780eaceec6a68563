//! Files that survive crashes and betray damage. Knows no game.

mod atomic;
mod frame;
mod lock;
mod log;

pub use atomic::{append, read, read_text, replace, replace_by_pieces, write_output};
pub use frame::{Frame, FrameError};
pub use lock::Lock;
pub use log::Log;

use std::io;
use std::path::{Path, PathBuf};

/// A file operation that failed, with the file it failed on.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// What was tried: "read", "write", …
    pub action: &'static str,
    /// The file or folder it was tried on.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err`: wraps what the operating system said.
    pub fn of<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| FileError { action, path: path.to_owned(), source }
    }
}
