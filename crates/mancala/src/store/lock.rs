//! Locks on folders and text files, which ensure that only one process at a time writes to them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::FileError;
use super::atomic::write_or_undo;
use super::change::change;
use super::folder::sync_folder_of;
use super::open::{Links, open, open_with, read_whole_text};
use super::temporary::remove_leftovers;

/// A lock on a folder, held until this value is dropped. If the process is killed, the operating system releases it.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

const ATTEMPTS: u32 = 20;
pub(super) const PAUSE: Duration = Duration::from_millis(5);
/// The maximum number of bytes to read from a lock file. No process ID has that many digits.
const MAX_PROCESS_NUMBER: u64 = 16;

impl Lock {
    /// The name of the lock file in a folder.
    pub const NAME: &'static str = "lock";

    /// Acquires the lock on `folder`, or returns `None` if another process holds it.
    pub fn take(folder: &Path) -> Result<Option<Lock>, FileError> {
        let path = folder.join(Lock::NAME);
        let Some(file) = open_locked(&path, Links::Refused, "open")? else { return Ok(None) };
        let mut lock = Lock { path, file };
        lock.write_holder();
        Ok(Some(lock))
    }

    /// Writes our process ID, so that other processes can name this one in error messages. Failures are ignored. If the
    /// file has any other content, it might be a hard link to some other file, so we leave it alone.
    fn write_holder(&mut self) {
        let file = &mut self.file;
        if file.metadata().is_ok_and(|it| it.len() == 0) || process_number(file).is_some() {
            let number = format!("{}\n", std::process::id());
            let cleared = file.set_len(0).and_then(|()| file.rewind());
            let _ = cleared.and_then(|()| file.write_all(number.as_bytes()));
        }
    }

    /// Returns the ID of the process that holds or last held the lock on `folder`, if the lock file contains an ID.
    pub fn holder(folder: &Path) -> Option<u32> {
        process_number(&mut open(&folder.join(Lock::NAME)).ok()?)
    }

    /// Removes temporary files left by killed processes. This is safe, as only the lock's holder writes to the folder.
    pub fn sweep(&self) {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        remove_leftovers(folder, Duration::ZERO, |_| true);
    }

    /// Checks that our lock file is still in place. If someone has removed it, another process could lock a new one.
    pub fn check(&self) -> Result<(), FileError> {
        let same = self.is_in_place().map_err(FileError::of("find", &self.path))?;
        if same {
            return Ok(());
        }
        let reason = "it was removed or replaced while locked by this process";
        Err(FileError::of("keep", &self.path)(io::Error::new(ErrorKind::NotFound, reason)))
    }

    #[cfg(unix)]
    fn is_in_place(&self) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        match std::fs::symlink_metadata(&self.path) {
            Ok(metadata) => Ok(identity(metadata) == identity(self.file.metadata()?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// On other systems, nobody can replace a file while it's open.
    #[cfg(not(unix))]
    fn is_in_place(&self) -> io::Result<bool> {
        self.file.metadata()?;
        self.path.try_exists()
    }

    /// Returns whether a process currently holds the lock on `folder`. Never creates a file.
    pub fn is_held(folder: &Path) -> bool {
        is_locked(&folder.join(Lock::NAME))
    }
}

/// Opens or creates a file and locks it. Returns `None` if another process has locked it. We retry a few times, because
/// [`is_locked`] acquires the lock for a moment when another process calls it.
pub(super) fn open_locked(
    path: &Path,
    links: Links,
    action: &'static str,
) -> Result<Option<File>, FileError> {
    let mut options = OpenOptions::new();
    let options = options.create(true).truncate(false).read(true).write(true);
    let file = change().and_then(|()| open_with(options, path, links));
    let file = file.map_err(FileError::of(action, path))?;
    for _ in 0..ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Err(TryLockError::Error(source)) => return Err(FileError::of("lock", path)(source)),
        }
    }
    Ok(None)
}

pub(super) fn is_locked(path: &Path) -> bool {
    open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn process_number(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(MAX_PROCESS_NUMBER).read_to_string(&mut text).ok()?;
    text.trim_end().parse().ok()
}

/// An open, locked text file to which we append records. If a write fails, we undo it. After a crash, however, the file
/// may end with an incomplete record, which the reader must [cut](Log::cut) off.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// The total length of all complete records in bytes.
    length: u64,
}

impl Log {
    /// Opens or creates a regular file and locks it. Returns `None` if another process has it open.
    pub fn open(path: &Path) -> Result<Option<Log>, FileError> {
        let is_new = !path.exists();
        // Follow an existing link, because the user named it. But don't create a file through a dangling link.
        let links = if is_new { Links::Refused } else { Links::Followed };
        let Some(file) = open_locked(path, links, "write")? else { return Ok(None) };
        let length = file.metadata().map_err(FileError::of("read", path))?.len();
        if is_new {
            sync_folder_of(path)?;
        }
        Ok(Some(Log { path: path.into(), file, length }))
    }

    /// Returns whether a process currently has the file open. Never creates a file.
    pub fn is_open(path: &Path) -> bool {
        is_locked(path)
    }

    pub fn text(&mut self) -> Result<String, FileError> {
        let read = self.file.rewind().and_then(|()| read_whole_text(&self.file));
        read.map_err(FileError::of("read", &self.path))
    }

    pub fn cut(&mut self, length: u64) -> Result<(), FileError> {
        let cut = change().and_then(|()| self.file.set_len(length));
        cut.map_err(FileError::of("write", &self.path))?;
        self.length = length;
        Ok(())
    }

    /// Appends a record and flushes it to disk.
    pub fn append(&mut self, record: &str) -> Result<(), FileError> {
        let start = self.file.seek(SeekFrom::Start(self.length));
        start
            .and_then(|start| write_or_undo(&mut self.file, start, record.as_bytes()))
            .map_err(FileError::of("write", &self.path))?;
        self.length += record.len() as u64;
        Ok(())
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
        assert_eq!(Lock::holder(folder.path()), Some(std::process::id()));
        drop(first);
        assert!(!Lock::is_held(folder.path()));
        assert!(Lock::take(folder.path()).unwrap().is_some());
    }

    #[test]
    fn a_query_is_not_taken_for_a_holder() {
        let folder = tempfile::tempdir().unwrap();
        drop(Lock::take(folder.path()).unwrap());
        let query = File::open(folder.path().join("lock")).unwrap();
        query.try_lock_shared().unwrap();
        let taken = thread::scope(|scope| {
            let taker = scope.spawn(|| Lock::take(folder.path()).unwrap().is_some());
            thread::sleep(PAUSE);
            drop(query);
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

    #[test]
    fn one_process_at_a_time_appends_and_cuts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        assert!(!Log::is_open(&path) && !path.exists());
        let mut log = Log::open(&path).unwrap().unwrap();
        assert!(Log::is_open(&path) && Log::open(&path).unwrap().is_none());
        log.append("one ").unwrap();
        log.append("two").unwrap();
        assert_eq!(log.text().unwrap(), "one two");
        log.cut(3).unwrap();
        log.append("!").unwrap();
        drop(log);
        // If another test is starting a program at this moment, the new process briefly holds a copy of the lock.
        let closes = |_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            !Log::is_open(&path)
        };
        assert!((0..100).any(closes));
        assert_eq!(Log::open(&path).unwrap().unwrap().text().unwrap(), "one!");
    }
}
