//! A table of a run folder that this process alone adds rows to.

use std::fs;
use std::io::ErrorKind;
use std::mem;
use std::path::{Path, PathBuf};

use mancala::store::{self, Checksums, FileError};

/// A table as it is on disk, and rows that are not there yet.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    name: &'static str,
    /// Bytes on disk, as far as this process knows.
    length: u64,
    /// Lines on disk.
    lines: u64,
    waiting: String,
}

impl Table {
    pub(super) fn new(folder: &Path, name: &'static str) -> Table {
        Table { path: folder.join(name), name, length: 0, lines: 0, waiting: String::new() }
    }

    /// Replaces the whole table, if it is not the same already. `old` is what it holds.
    pub(super) fn replace(&mut self, old: Option<&str>, new: &str) -> Result<(), FileError> {
        if old != Some(new) {
            store::replace(&self.path, new.as_bytes())?;
        }
        (self.length, self.lines) = (new.len() as u64, new.lines().count() as u64);
        Ok(())
    }

    pub(super) fn add(&mut self, rows: &str) {
        self.waiting += rows;
    }

    /// The checksums of the rows that wait.
    pub(super) fn checksums(&self) -> String {
        Checksums::rows_of_lines(self.name, self.lines + 1, &self.waiting)
    }

    /// Writes the rows that wait.
    ///
    /// # Errors
    /// If they cannot be written, or another program has changed or removed the file, even if no row waits. A table
    /// that was never written has no file to look at.
    pub(super) fn flush(&mut self) -> Result<(), FileError> {
        if self.length == 0 && self.waiting.is_empty() {
            return Ok(());
        }
        self.length = store::append_at(&self.path, self.length, self.waiting.as_bytes())?;
        self.lines += self.waiting.lines().count() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Lets a table that does not exist begin with its header.
    pub(super) fn begin(&mut self, header: &str) {
        if !self.path.exists() && !self.waiting.starts_with(header) {
            self.waiting.insert_str(0, header);
            self.lines = 0;
        }
    }

    /// Writes the rows that wait into a table that no run depends on. If another program has changed it, they are
    /// added to what it holds.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn flush_any(&mut self) -> Result<(), FileError> {
        match fs::metadata(&self.path) {
            Ok(found) => {
                self.length = found.len();
                self.flush()
            }
            Err(error) if error.kind() == ErrorKind::NotFound && self.waiting.is_empty() => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let rows = mem::take(&mut self.waiting);
                self.replace(None, &rows)
            }
            Err(error) => Err(FileError::of("write", &self.path)(error)),
        }
    }
}
