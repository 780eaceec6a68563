//! A folder that one process at a time may write.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::FileError;

/// Holds the lock file of a folder until dropped. It is the operating system's lock, not the file's
/// existence, so a killed process leaves nothing to clean up.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// [`Lock::is_held`] takes the lock for an instant, and that must not look like a holder.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(5);

impl Lock {
    /// Takes the lock of `folder`; `None` if another process holds it.
    pub fn take(folder: &Path) -> Result<Option<Lock>, FileError> {
        let path = folder.join("lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(FileError::of("open", &path))?;
        for _ in 0..ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Lock { _file: file })),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(source)) => {
                    return Err(FileError::of("lock", &path)(source));
                }
            }
        }
        Ok(None)
    }

    /// Whether some process holds the lock of `folder` at this moment. Creates no file.
    pub fn is_held(folder: &Path) -> bool {
        File::open(folder.join("lock"))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
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
}
