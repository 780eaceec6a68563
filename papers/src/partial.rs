//! Partial results of a study, which we save in files so that no work is repeated after an interruption.

use std::fs;
use std::path::{Path, PathBuf};

use mancala::endgame::TablesError;
use mancala::store::{self, FileError};
use mancala::text::Message;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::pairing::PairingError;

/// Errors from running a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A match failed.
    #[error(transparent)]
    Pairing(#[from] PairingError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Endgame tables could not be built or read.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// A player's accuracy could not be measured.
    #[error(transparent)]
    Accuracy(#[from] Message),
    /// A saved part is corrupted.
    #[error("{}: not a part of this study; remove the file, and the part is computed again", .0.display())]
    Part(PathBuf),
}

/// The folder with the partial results of a study.
#[derive(Debug, Clone)]
pub struct PartialResults {
    folder: PathBuf,
}

/// The contents of the file in which a part is saved.
#[derive(Serialize, Deserialize)]
struct Part<T> {
    /// A text that identifies everything that the part depends on.
    of: String,
    found: T,
}

impl PartialResults {
    /// Returns the folder `STUDY-unfinished` in the results folder. It is only created by `create` or by saving a part.
    pub fn below(folder: &Path, study: &str) -> PartialResults {
        PartialResults { folder: folder.join(format!("{study}-unfinished")) }
    }

    /// Creates the folder and returns its path.
    pub fn create(&self) -> Result<&Path, FileError> {
        store::create_folder(&self.folder)?;
        Ok(&self.folder)
    }

    /// Returns the folder if it contains any parts, so that the study can resume.
    pub fn existing(&self) -> Option<&Path> {
        let mut files = fs::read_dir(&self.folder).ok()?;
        files.next().map(|_| self.folder.as_path())
    }

    /// Returns a part if it has been saved. Otherwise, computes and saves it. `of` must identify everything that the
    /// part depends on. Returns `None` if interrupted.
    pub fn part<T: Serialize + DeserializeOwned>(
        &self,
        of: &str,
        work: impl FnOnce() -> Option<T>,
    ) -> Result<Option<T>, StudyError> {
        let path = self.folder.join(format!("{:08x}.json", crc32fast::hash(of.as_bytes())));
        if path.exists() {
            let saved = serde_json::from_str(&store::read_text(&path)?).ok();
            let saved = saved.filter(|it: &Part<T>| it.of == of);
            return saved.map(|it| Some(it.found)).ok_or(StudyError::Part(path));
        }
        let Some(found) = work() else { return Ok(None) };
        let part = Part { of: of.to_owned(), found };
        let text = serde_json::to_string(&part).expect("numbers and strings") + "\n";
        store::create_folder(&self.folder)?;
        store::replace(&path, text.as_bytes())?;
        Ok(Some(part.found))
    }

    /// Removes the folder and all parts in it.
    pub fn remove(&self) -> Result<(), FileError> {
        if !self.folder.exists() {
            return Ok(());
        }
        fs::remove_dir_all(&self.folder).map_err(FileError::of("remove", &self.folder))
    }
}

/// A progress that stops the work after the given number of steps.
#[cfg(test)]
pub struct StopAfter(std::sync::atomic::AtomicU64);

#[cfg(test)]
impl StopAfter {
    pub fn new(pieces: usize) -> StopAfter {
        StopAfter((pieces as u64).into())
    }

    /// Returns the number of steps left.
    pub fn left(&self) -> u64 {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
}

#[cfg(test)]
impl mancala::progress::Progress for StopAfter {
    fn advance(&self, _done: u64, _of: u64) {
        use std::sync::atomic::Ordering::Relaxed;
        let _ = self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
    }

    fn should_stop(&self) -> bool {
        self.left() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_computed_once() {
        let temporary = tempfile::tempdir().unwrap();
        let partial = PartialResults::below(temporary.path(), "study");
        let part = |of: &str, work: Option<u64>| partial.part(of, || work);
        assert_eq!(part("a", None).unwrap(), None);
        assert_eq!(partial.existing(), None);
        assert_eq!(part("a", Some(7)).unwrap(), Some(7));
        assert_eq!(part("a", None).unwrap(), Some(7));
        assert_eq!(part("b", Some(8)).unwrap(), Some(8));
        let folder = partial.existing().unwrap().to_owned();
        for file in fs::read_dir(&folder).unwrap() {
            fs::write(file.unwrap().path(), "{").unwrap();
        }
        let error = part("a", Some(7)).unwrap_err().to_string();
        assert!(error.contains("study-unfinished") && error.contains(".json"), "{error}");
        partial.remove().unwrap();
        assert!(!folder.exists());
        partial.remove().unwrap();
    }
}
