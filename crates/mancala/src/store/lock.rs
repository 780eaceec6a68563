//! A folder that one process at a time may write.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::FileError;
use super::change::change;
use super::open::{Links, open, open_with};
use super::temporary::remove_all_left_overs;

/// Holds the lock file of a folder until dropped. It is the operating system's lock, not the file's
/// existence, so a killed process leaves nothing to clean up.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

/// [`Lock::is_held`] takes the lock for an instant, and that must not look like a holder.
pub(super) const ATTEMPTS: u32 = 20;
pub(super) const PAUSE: Duration = Duration::from_millis(5);
/// More bytes than any process number has.
const LONGEST_NOTE: u64 = 16;

impl Lock {
    /// Takes the lock of `folder`; `None` if another process holds it.
    pub fn take(folder: &Path) -> Result<Option<Lock>, FileError> {
        let path = folder.join("lock");
        let mut options = OpenOptions::new();
        let options = options.create(true).truncate(false).read(true).write(true);
        let file = change().and_then(|()| open_with(options, &path, Links::Refused));
        let file = file.map_err(FileError::of("open", &path))?;
        for _ in 0..ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Lock::held(path, file))),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(source)) => {
                    return Err(FileError::of("lock", &path)(source));
                }
            }
        }
        Ok(None)
    }

    /// Writes the holder's process number to the file. If that fails, only error messages say less. A file with any
    /// other content, perhaps a link to something else, stays as it is.
    fn held(path: PathBuf, mut file: File) -> Lock {
        if file.metadata().is_ok_and(|found| found.len() == 0) || noted(&mut file).is_some() {
            let note = format!("{}\n", std::process::id());
            let cleared = file.set_len(0).and_then(|()| file.rewind());
            let _ = cleared.and_then(|()| file.write_all(note.as_bytes()));
        }
        Lock { path, file }
    }

    /// The process that holds the lock of `folder`, or has held it last, as far as the file says.
    pub fn holder(folder: &Path) -> Option<u32> {
        noted(&mut open(&folder.join("lock")).ok()?)
    }

    /// Removes what killed processes have left of replacements in the folder. Only the holder of the lock
    /// writes there, so none of it is in use.
    pub fn sweep(&self) {
        remove_all_left_overs(self.path.parent().unwrap_or(Path::new(".")));
    }

    /// Checks that the lock file in the folder is still the one that is held. Once it or the whole folder
    /// has been removed, another process can hold the lock of a new one.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&self) -> Result<(), FileError> {
        let same = self.is_in_place().map_err(FileError::of("find", &self.path))?;
        if same {
            return Ok(());
        }
        let reason = "it was removed or replaced while this process held it";
        Err(FileError::of("keep", &self.path)(io::Error::new(ErrorKind::NotFound, reason)))
    }

    #[cfg(unix)]
    fn is_in_place(&self) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
        match std::fs::symlink_metadata(&self.path) {
            Ok(found) => Ok(identity(found) == identity(self.file.metadata()?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Elsewhere a file that is held cannot be replaced by another one of its name.
    #[cfg(not(unix))]
    fn is_in_place(&self) -> io::Result<bool> {
        self.file.metadata()?;
        self.path.try_exists()
    }

    /// Whether some process holds the lock of `folder` at this moment. Creates no file.
    pub fn is_held(folder: &Path) -> bool {
        open(&folder.join("lock"))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// The process number in a lock file.
fn noted(file: &mut File) -> Option<u32> {
    let mut note = String::new();
    file.take(LONGEST_NOTE).read_to_string(&mut note).ok()?;
    note.trim_end().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!Lock::is_held(folder.path()));
        let first = Lock::take(folder.path()).unwrap();
        assert!(first.is_some());
        assert!(Lock::take(folder.path()).unwrap().is_none());
        assert!(Lock::is_held(folder.path()));
        assert_eq!(Lock::holder(folder.path()), Some(std::process::id()));
        drop(first);
        assert!(!Lock::is_held(folder.path()));
        assert!(Lock::take(folder.path()).unwrap().is_some());
    }

    #[test]
    fn whoever_asks_is_no_holder() {
        let folder = tempfile::tempdir().unwrap();
        drop(Lock::take(folder.path()).unwrap());
        let asking = File::open(folder.path().join("lock")).unwrap();
        asking.try_lock_shared().unwrap();
        let taken = thread::scope(|scope| {
            let taker = scope.spawn(|| Lock::take(folder.path()).unwrap().is_some());
            thread::sleep(PAUSE);
            drop(asking);
            taker.join().unwrap()
        });
        assert!(taken);
    }

    #[cfg(unix)]
    #[test]
    fn a_holder_notices_that_its_lock_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::take(folder.path()).unwrap().unwrap();
        first.check().unwrap();
        std::fs::remove_file(folder.path().join("lock")).unwrap();
        assert!(first.check().is_err());
        let second = Lock::take(folder.path()).unwrap().unwrap();
        let error = first.check().unwrap_err().to_string();
        assert!(error.contains("removed or replaced"), "{error}");
        second.check().unwrap();
    }
}
