//! The parts of a study that is not whole yet, each kept in a file, so that none is worked out twice.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::StudyError;
#[cfg(test)]
use mancala::progress::Progress;
use mancala::store::{self, FileError};

/// Where a study keeps its parts until it is whole.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// Nothing is kept without one.
    folder: Option<PathBuf>,
}

/// A part as its file has it.
#[derive(Serialize, Deserialize)]
struct Part<T> {
    /// All that it depends on.
    of: String,
    found: T,
}

impl Unfinished {
    /// A study that keeps nothing.
    pub fn nowhere() -> Unfinished {
        Unfinished { folder: None }
    }

    /// A study of this name whose results go to a folder: its parts are in a folder of their own below that,
    /// which is made with the first of them.
    pub fn below(folder: &Path, study: &str) -> Unfinished {
        Unfinished { folder: Some(folder.join(format!("{study}-unfinished"))) }
    }

    /// Where the parts are.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The same for games, whose files do not make it.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn made(&self) -> Result<Option<&Path>, FileError> {
        self.folder().map_or(Ok(()), store::create_folder)?;
        Ok(self.folder())
    }

    /// The folder, if it has anything from before.
    pub fn begun(&self) -> Option<&Path> {
        self.folder().filter(|it| fs::read_dir(it).is_ok_and(|mut found| found.next().is_some()))
    }

    /// What a part comes to, which is worked out unless it was before. `of` says all that it depends on. `None`
    /// if `work` has come to no end.
    ///
    /// # Errors
    /// If the part cannot be kept, or its file is not as it was left.
    pub fn part<T: Serialize + DeserializeOwned>(
        &self,
        of: &str,
        work: impl FnOnce() -> Option<T>,
    ) -> Result<Option<T>, StudyError> {
        let Some(folder) = &self.folder else { return Ok(work()) };
        let path = folder.join(format!("{:08x}.json", crc32fast::hash(of.as_bytes())));
        if path.exists() {
            let kept = serde_json::from_str(&store::read_text(&path)?).ok();
            let kept = kept.filter(|it: &Part<T>| it.of == of);
            return kept.map(|it| Some(it.found)).ok_or(StudyError::Part(path));
        }
        let Some(found) = work() else { return Ok(None) };
        let part = Part { of: of.to_owned(), found };
        let text = serde_json::to_string(&part).expect("figures and words") + "\n";
        store::create_folder(folder)?;
        store::replace(&path, text.as_bytes())?;
        Ok(Some(part.found))
    }

    /// Removes the parts of a study that is whole, or that is to begin anew.
    ///
    /// # Errors
    /// Whatever the file system says.
    pub fn remove(&self) -> Result<(), FileError> {
        match &self.folder {
            Some(folder) if folder.exists() => {
                fs::remove_dir_all(folder).map_err(FileError::of("remove", folder))
            }
            _ => Ok(()),
        }
    }
}

/// Stops work after so many pieces.
#[cfg(test)]
pub(super) struct StopAfter(AtomicU64);

#[cfg(test)]
impl StopAfter {
    pub(super) fn new(pieces: usize) -> StopAfter {
        StopAfter(AtomicU64::new(pieces as u64))
    }

    /// Pieces that it would have let through.
    pub(super) fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
impl Progress for StopAfter {
    fn advance(&self, _done: u64, _of: u64) {
        let fewer = |left: u64| left.checked_sub(1);
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }

    fn should_stop(&self) -> bool {
        self.left() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_worked_out_once() {
        let temporary = tempfile::tempdir().unwrap();
        let kept = Unfinished::below(temporary.path(), "study");
        let part = |of: &str, work: Option<u64>| kept.part(of, || work);
        assert_eq!(part("a", None).unwrap(), None);
        assert_eq!(kept.begun(), None);
        assert_eq!(part("a", Some(7)).unwrap(), Some(7));
        assert_eq!(part("a", None).unwrap(), Some(7));
        assert_eq!(part("b", Some(8)).unwrap(), Some(8));
        let folder = kept.begun().unwrap().to_owned();
        for file in fs::read_dir(&folder).unwrap() {
            fs::write(file.unwrap().path(), "{").unwrap();
        }
        let said = part("a", Some(7)).unwrap_err().to_string();
        assert!(said.contains("study-unfinished") && said.contains(".json"), "{said}");
        kept.remove().unwrap();
        assert!(!folder.exists());
        kept.remove().unwrap();
    }
}
