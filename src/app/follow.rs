//! Following a table that another process adds rows to.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::os::identity;
use mancala::store;

/// In bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A place in a table, up to which it has been read.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    /// Which file it was. None before there is one.
    file: Option<u64>,
    offset: u64,
}

/// What has become of a table since it was last looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grown {
    /// Nothing.
    Same,
    /// These whole lines were added.
    Lines(String),
    /// It is another file, or shorter: what was read of it does not count any more. It is followed from its
    /// beginning from now on.
    Anew,
}

impl Tail {
    /// A table of which nothing has been read.
    pub fn of(path: &Path) -> Tail {
        Tail { path: path.into(), file: None, offset: 0 }
    }

    /// Reads what has come since.
    ///
    /// # Errors
    /// If the table cannot be read. One that is not there yet is empty.
    pub fn grown(&mut self) -> io::Result<Grown> {
        let Some(mut file) = opened(&self.path)? else { return Ok(self.gone()) };
        let data = file.metadata()?;
        let is_another = self.file.is_some_and(|known| known != identity(&data));
        self.file = Some(identity(&data));
        if is_another || data.len() < self.offset {
            self.offset = 0;
            return Ok(Grown::Anew);
        }
        if data.len() == self.offset {
            return Ok(Grown::Same);
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut added = Vec::new();
        file.take(data.len() - self.offset).read_to_end(&mut added)?;
        let whole = added.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.offset += whole as u64;
        let lines = String::from_utf8_lossy(&added[..whole]).into_owned();
        Ok(if lines.is_empty() { Grown::Same } else { Grown::Lines(lines) })
    }

    /// Goes to where about the last `bytes` of the table begin, past its first line, and returns that line. `None` if
    /// it has none yet.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn skip(&mut self, bytes: u64) -> io::Result<Option<String>> {
        let Some(file) = opened(&self.path)? else { return Ok(None) };
        let data = file.metadata()?;
        let mut lines = BufReader::new(file);
        let mut header = String::new();
        lines.by_ref().take(LONGEST_LINE).read_line(&mut header)?;
        if !header.ends_with('\n') {
            return Ok(None);
        }
        let mut offset = header.len() as u64;
        if data.len() > offset + bytes {
            offset = data.len() - bytes;
            lines.seek(SeekFrom::Start(offset))?;
            offset += lines.take(LONGEST_LINE).read_until(b'\n', &mut Vec::new())? as u64;
        }
        (self.file, self.offset) = (Some(identity(&data)), offset);
        Ok(Some(header))
    }

    fn gone(&mut self) -> Grown {
        let was_there = self.file.take().is_some();
        self.offset = 0;
        if was_there { Grown::Anew } else { Grown::Same }
    }
}

/// A table, if it exists.
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
    fn whole_lines_come_once_and_another_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.csv");
        let mut tail = Tail::of(&path);
        let lines = |text: &str| Grown::Lines(text.into());
        assert_eq!(tail.grown().unwrap(), Grown::Same);
        fs::write(&path, "a\nb\nc").unwrap();
        assert_eq!(tail.grown().unwrap(), lines("a\nb\n"));
        assert_eq!(tail.grown().unwrap(), Grown::Same);
        let add = |text: &str| {
            let file = fs::OpenOptions::new().append(true).open(&path);
            file.unwrap().write_all(text.as_bytes()).unwrap();
        };
        add("c\n\n");
        assert_eq!(tail.grown().unwrap(), lines("cc\n\n"));
        // A resume cuts history back by putting another file in its place.
        let other = folder.path().join("other");
        fs::write(&other, "a\nb\nand much more than there was before\n").unwrap();
        fs::rename(&other, &path).unwrap();
        assert_eq!(tail.grown().unwrap(), Grown::Anew);
        assert_eq!(tail.grown().unwrap(), lines("a\nb\nand much more than there was before\n"));
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(2).unwrap();
        assert_eq!(tail.grown().unwrap(), Grown::Anew);
        assert_eq!(tail.grown().unwrap(), lines("a\n"));
        fs::write(&path, "head\none\ntwo\nthree\n").unwrap();
        let mut late = Tail::of(&path);
        assert_eq!(late.skip(7).unwrap().as_deref(), Some("head\n"));
        assert_eq!(late.grown().unwrap(), lines("three\n"));
        assert_eq!(Tail::of(&path).skip(100).unwrap().as_deref(), Some("head\n"));
        fs::write(&path, "hea").unwrap();
        assert_eq!(Tail::of(&path).skip(100).unwrap(), None);
        tail = Tail::of(&path);
        assert_eq!(tail.grown().unwrap(), Grown::Same);
        fs::remove_file(&path).unwrap();
        assert_eq!(tail.grown().unwrap(), Grown::Anew);
        assert_eq!(tail.grown().unwrap(), Grown::Same);
    }
}
