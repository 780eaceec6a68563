//! The file that asks a process to stop: one which trains, in the run folder, or one which plays a match, beside its
//! file of games.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mancala::store::{self, FileError};

/// Asks the process that holds a lock to stop, by being there. Whoever takes the lock removes one that was left, and
/// whoever holds it removes it before letting go.
#[derive(Debug, Clone)]
pub struct StopFile(PathBuf);

impl StopFile {
    /// Its name.
    pub const NAME: &'static str = "stop";

    /// That of a run folder.
    pub fn of(folder: &Path) -> StopFile {
        StopFile(folder.join(StopFile::NAME))
    }

    /// That of a file of games: its name with ".stop" at the end.
    pub fn beside(games: &Path) -> StopFile {
        let mut name = games.as_os_str().to_owned();
        name.push(".");
        name.push(StopFile::NAME);
        StopFile(name.into())
    }

    /// Whether it is there. A folder of that name asks for nothing, since it could not be removed.
    pub fn exists(&self) -> bool {
        fs::symlink_metadata(&self.0).is_ok_and(|found| !found.is_dir())
    }

    /// Asks to stop. There may be a file already.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(&self) -> Result<(), FileError> {
        store::create_empty(&self.0)
    }

    /// Takes the request back, if there is one.
    ///
    /// # Errors
    /// If the file cannot be removed.
    pub fn remove(&self) -> Result<(), FileError> {
        if !self.exists() {
            return Ok(());
        }
        match store::remove(&self.0) {
            // Whoever asked has taken it back.
            Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}
