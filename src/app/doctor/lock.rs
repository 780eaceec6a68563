//! The file that a process holds while it writes in a folder.

use crate::results::ExaminedFile;

pub(super) const LOCK: &str = "lock";

/// A lock is the operating system's: what the file holds says nothing.
pub(super) fn lock(is_held: bool) -> ExaminedFile {
    let holds = if is_held { "held by a process that writes here" } else { "not held" };
    ExaminedFile::sound(LOCK, holds)
}
