//! Text files that only one process at a time appends to.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::FileError;
use super::atomic::write_or_undo;
use super::change::change;
use super::folder::sync_folder_of;
use super::lock::{is_locked, open_locked};
use super::open::{Links, read_whole_text};

/// An open text file that records are appended to. It is locked until dropped.
///
/// A crash can leave an incomplete record at the end, which the reader has to detect and [cut](Log::cut) off. An error
/// leaves nothing behind, because a partial write is undone.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// The length of all complete records in bytes.
    length: u64,
}

impl Log {
    /// Opens or creates the regular file. Returns `None` if another process has it open.
    pub fn open(path: &Path) -> Result<Option<Log>, FileError> {
        let is_new = !path.exists();
        // Follow an existing link, because the user named it, but do not create a file through a dangling one.
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
        // A program that another test is just starting may hold a copy of the lock for a moment.
        let closes = |_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            !Log::is_open(&path)
        };
        assert!((0..100).any(closes));
        assert_eq!(Log::open(&path).unwrap().unwrap().text().unwrap(), "one!");
    }
}
