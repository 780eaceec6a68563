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

/// An open text file to which records are appended; locked until dropped.
///
/// A crash can leave part of a record at the end. The reader has to recognise it and [cut](Log::cut) it off. An error
/// leaves nothing: a partial write is undone.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// Bytes of complete records.
    length: u64,
}

impl Log {
    /// Opens or creates the file; `None` if another process has it open.
    ///
    /// # Errors
    /// Those of the operating system, or if it is not a regular file.
    pub fn open(path: &Path) -> Result<Option<Log>, FileError> {
        let is_new = !path.exists();
        // A link to a file is followed, since the user named it. No file is created through a link.
        let links = if is_new { Links::Refused } else { Links::Followed };
        let Some(file) = open_locked(path, links, "write")? else { return Ok(None) };
        let length = file.metadata().map_err(FileError::of("read", path))?.len();
        if is_new {
            sync_folder_of(path)?;
        }
        Ok(Some(Log { path: path.into(), file, length }))
    }

    /// Whether a process has the file open at the moment. Creates no file.
    pub fn is_open(path: &Path) -> bool {
        is_locked(path)
    }

    /// Returns the content of the file.
    pub fn text(&mut self) -> Result<String, FileError> {
        let read = self.file.rewind().and_then(|()| read_whole_text(&self.file));
        read.map_err(FileError::of("read", &self.path))
    }

    /// Truncates the file to `length` bytes.
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
        assert!(!Log::is_open(&path));
        assert_eq!(Log::open(&path).unwrap().unwrap().text().unwrap(), "one!");
    }
}
