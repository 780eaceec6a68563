//! Temporary files that nobody writes any more.

use crate::results::ExaminedFile;
use mancala::store::replaced_by;

/// What a killed process has left of a file that it was replacing.
pub(super) fn left_over(file: &str) -> Option<ExaminedFile> {
    replaced_by(file.as_ref())?;
    let holds = "left over by a process that was killed; the next one that writes here removes it";
    Some(ExaminedFile::sound(file, holds))
}
