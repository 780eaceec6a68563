//! A text file that one process at a time adds to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;

use super::FileError;
use super::change::change;
use super::folder::sync_folder_of;
use super::lock::{ATTEMPTS, PAUSE};
use super::open::{Links, open, open_with, read_whole_text};

/// An open text file to which whole pieces are added; locked until dropped.
///
/// A crash can leave part of a piece at the end, for the reader to recognise and
/// [`cut`](Log::cut). An error never does: what was written of the piece is taken back.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// Bytes of whole pieces.
    length: u64,
}

impl Log {
    /// Opens or creates the file; `None` if another process adds to it.
    ///
    /// # Errors
    /// The operating system's, or if it is no regular file.
    pub fn open(path: &Path) -> Result<Option<Log>, FileError> {
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        // A link to a file is followed, since the user named it; a file is never created through one.
        let links = if is_new { Links::Refused } else { Links::Followed };
        let file = change().and_then(|()| open_with(options, path, links));
        let file = file.map_err(FileError::of("write", path))?;
        if !locked(&file).map_err(FileError::of("lock", path))? {
            return Ok(None);
        }
        let length = file.metadata().map_err(FileError::of("read", path))?.len();
        if is_new {
            sync_folder_of(path)?;
        }
        Ok(Some(Log { path: path.into(), file, length }))
    }

    /// Whether some process adds to the file at this moment. Creates no file.
    pub fn is_open(path: &Path) -> bool {
        open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// All that is in the file.
    pub fn text(&mut self) -> Result<String, FileError> {
        let read = self.file.rewind().and_then(|()| read_whole_text(&self.file));
        read.map_err(FileError::of("read", &self.path))
    }

    /// Leaves the first `length` bytes.
    pub fn cut(&mut self, length: u64) -> Result<(), FileError> {
        let cut = change().and_then(|()| self.file.set_len(length));
        cut.map_err(FileError::of("write", &self.path))?;
        self.length = length;
        Ok(())
    }

    /// Adds a piece and flushes it to disk.
    pub fn append(&mut self, piece: &str) -> Result<(), FileError> {
        let added = self.write(piece.as_bytes());
        if added.is_err() {
            // If even this fails, the reader cuts what is left of the piece.
            let _ = self.file.set_len(self.length);
        }
        added.map_err(FileError::of("write", &self.path))?;
        self.length += piece.len() as u64;
        Ok(())
    }

    fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        change()?;
        self.file.write_all(piece)?;
        change()?;
        self.file.sync_data()
    }
}

/// Takes the lock of a file, unless another process keeps it. [`Log::is_open`] has it for an instant.
fn locked(file: &File) -> io::Result<bool> {
    for _ in 0..ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Err(TryLockError::Error(source)) => return Err(source),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_added_and_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = Log::open(&path).unwrap().unwrap();
        log.append("one ").unwrap();
        log.append("two").unwrap();
        assert_eq!(log.text().unwrap(), "one two");
        log.cut(3).unwrap();
        log.append("!").unwrap();
        drop(log);
        assert_eq!(Log::open(&path).unwrap().unwrap().text().unwrap(), "one!");
    }

    #[test]
    fn one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        assert!(!Log::is_open(&path) && !path.exists());
        let first = Log::open(&path).unwrap();
        assert!(first.is_some());
        assert!(Log::open(&path).unwrap().is_none());
        assert!(Log::is_open(&path));
        drop(first);
        assert!(!Log::is_open(&path));
        assert!(Log::open(&path).unwrap().is_some());
    }

    #[test]
    fn whoever_asks_adds_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        drop(Log::open(&path).unwrap());
        let asking = File::open(&path).unwrap();
        asking.try_lock_shared().unwrap();
        let opened = thread::scope(|scope| {
            let opener = scope.spawn(|| Log::open(&path).unwrap().is_some());
            thread::sleep(PAUSE);
            drop(asking);
            opener.join().unwrap()
        });
        assert!(opened);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = Log::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
    }
}
