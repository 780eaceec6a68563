//! Reading the rows that another process adds to a table.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use mancala::store;

use crate::os::identity;

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Maximum number of bytes that are read at once.
const MAX_CHANGE: u64 = 4 << 20;

/// Returns the complete lines of a table with their ends.
pub fn whole_lines(table: File) -> impl Iterator<Item = String> {
    let mut table = BufReader::new(table);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        table.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
        line.ends_with(b"\n").then(|| String::from_utf8_lossy(&line).into_owned())
    })
}

/// A reader of a growing table.
#[derive(Debug)]
pub struct FileFollower {
    path: PathBuf,
    /// Identity of the file, once there is one.
    file: Option<u64>,
    offset: u64,
}

impl FileFollower {
    /// Follows a table from its beginning.
    pub fn of(path: &Path) -> FileFollower {
        FileFollower { path: path.into(), file: None, offset: 0 }
    }

    /// Reads the complete lines that were added since the last call. `None` if the table is another file, is shorter, or
    /// is much longer: then the follower is back at its beginning.
    ///
    /// # Errors
    /// If the table cannot be read. A missing table is empty.
    pub fn changes(&mut self) -> io::Result<Option<String>> {
        let Some(mut file) = opened(&self.path)? else {
            self.offset = 0;
            return Ok(self.file.take().is_none().then(String::new));
        };
        let data = file.metadata()?;
        let is_another = self.file.is_some_and(|known| known != identity(&data));
        self.file = Some(identity(&data));
        let added = data.len().checked_sub(self.offset);
        if is_another || added.is_none_or(|added| added > MAX_CHANGE) {
            self.offset = 0;
            return Ok(None);
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut added = Vec::new();
        file.take(data.len() - self.offset).read_to_end(&mut added)?;
        let whole = added.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.offset += whole as u64;
        Ok(Some(String::from_utf8_lossy(&added[..whole]).into_owned()))
    }

    /// Skips to approximately the last `bytes` of the table after its first line, and returns that line. `None` if there
    /// is no first line yet.
    pub fn skip(&mut self, bytes: u64) -> io::Result<Option<String>> {
        let Some(file) = opened(&self.path)? else { return Ok(None) };
        let data = file.metadata()?;
        let mut lines = BufReader::new(file);
        let mut header = String::new();
        lines.by_ref().take(MAX_LINE).read_line(&mut header)?;
        if !header.ends_with('\n') {
            return Ok(None);
        }
        let mut offset = header.len() as u64;
        if data.len() > offset + bytes {
            offset = data.len() - bytes;
            lines.seek(SeekFrom::Start(offset))?;
            offset += lines.take(MAX_LINE).read_until(b'\n', &mut Vec::new())? as u64;
        }
        (self.file, self.offset) = (Some(identity(&data)), offset);
        Ok(Some(header))
    }
}

/// Opens a table if it exists.
fn opened(path: &Path) -> io::Result<Option<File>> {
    match store::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.source),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn complete_lines_are_read_once_and_another_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.csv");
        let mut follower = FileFollower::of(&path);
        let lines = |text: &str| Some(text.to_owned());
        assert_eq!(follower.changes().unwrap(), lines(""));
        fs::write(&path, "a\nb\nc").unwrap();
        assert_eq!(follower.changes().unwrap(), lines("a\nb\n"));
        assert_eq!(follower.changes().unwrap(), lines(""));
        let add = |text: &str| {
            let file = fs::OpenOptions::new().append(true).open(&path);
            file.unwrap().write_all(text.as_bytes()).unwrap();
        };
        add("c\n\n");
        assert_eq!(follower.changes().unwrap(), lines("cc\n\n"));
        // Resuming cuts the history back by replacing the file.
        let other = folder.path().join("other");
        fs::write(&other, "a\nb\nand much more than there was before\n").unwrap();
        fs::rename(&other, &path).unwrap();
        assert_eq!(follower.changes().unwrap(), None);
        assert_eq!(
            follower.changes().unwrap(),
            lines("a\nb\nand much more than there was before\n")
        );
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(2).unwrap();
        assert_eq!(follower.changes().unwrap(), None);
        assert_eq!(follower.changes().unwrap(), lines("a\n"));
        fs::write(&path, "head\none\ntwo\nthree\n").unwrap();
        let mut late = FileFollower::of(&path);
        assert_eq!(late.skip(7).unwrap().as_deref(), Some("head\n"));
        assert_eq!(late.changes().unwrap(), lines("three\n"));
        assert_eq!(FileFollower::of(&path).skip(100).unwrap().as_deref(), Some("head\n"));
        fs::write(&path, "hea").unwrap();
        assert_eq!(FileFollower::of(&path).skip(100).unwrap(), None);
        follower = FileFollower::of(&path);
        assert_eq!(follower.changes().unwrap(), lines(""));
        fs::remove_file(&path).unwrap();
        assert_eq!(follower.changes().unwrap(), None);
        assert_eq!(follower.changes().unwrap(), lines(""));
    }
}
