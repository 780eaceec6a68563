//! Tables in a run folder, with a checksum for each line.

use std::fs;
use std::io::ErrorKind;
use std::mem;
use std::path::{Path, PathBuf};

use mancala::store::{self, CHECKSUMS, Checksums, FileError, Lock, Verdict};

use super::checkpoints;
use crate::run::history::{good_rows, known_rows};

pub const HISTORY: &str = "history.csv";
pub const STRENGTH: &str = "strength.csv";
pub const COST: &str = "cost.csv";
/// The table with a row for each fit, in a run that learns its features.
pub const ITERATIONS: &str = "iterations.csv";
pub const CHAMPION: &str = "champion.json";
pub const CONFIGURATION: &str = "run.toml";
/// The output of detached processes.
pub const LOG: &str = "run.log";

/// The line number of the first row, which follows the header.
const FIRST_ROW: u64 = 2;

/// A table on disk, along with its pending rows.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    name: &'static str,
    /// The number of bytes on disk, unless another program has changed the file.
    length: u64,
    lines: u64,
    waiting: String,
}

impl Table {
    pub(super) fn new(folder: &Path, name: &'static str) -> Table {
        Table { path: folder.join(name), name, length: 0, lines: 0, waiting: String::new() }
    }

    /// Replaces the content of the file, unless it already has this content. A missing file counts as empty.
    pub(super) fn replace(&mut self, new: &str) -> Result<(), FileError> {
        if store::read_optional(&self.path)?.unwrap_or_default() != new.as_bytes() {
            store::replace(&self.path, new.as_bytes())?;
        }
        (self.length, self.lines) = (new.len() as u64, new.lines().count() as u64);
        Ok(())
    }

    /// Truncates the table to its header and the verified rows up to a generation, and returns the text.
    pub(super) fn cut_back(&mut self, header: &str, generation: u32) -> Result<String, FileError> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let recorded = RecordedTable::read(folder, self.name)?;
        let text =
            header.to_owned() + &known_rows(recorded.verified(), header, generation).concat();
        self.replace(&text)?;
        Ok(text)
    }

    pub(super) fn add(&mut self, rows: &str) {
        self.waiting += rows;
    }

    pub(super) fn checksums(&self) -> String {
        Checksums::rows_of_lines(self.name, self.lines + 1, &self.waiting)
    }

    /// Writes the pending rows of a table. Fails if another program has changed or removed the file.
    pub(super) fn flush(&mut self) -> Result<(), FileError> {
        if self.length == 0 && self.waiting.is_empty() {
            return Ok(());
        }
        self.length = store::append_at(&self.path, self.length, self.waiting.as_bytes())?;
        self.lines += self.waiting.lines().count() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Inserts a header before the pending rows if the file does not exist.
    pub(super) fn begin(&mut self, header: &str) {
        if !self.path.exists() && !self.waiting.starts_with(header) {
            self.waiting.insert_str(0, header);
            self.lines = 0;
        }
    }

    /// Like `flush`, but works even if another program has changed or removed the file, which no run depends on.
    pub(super) fn flush_any(&mut self) -> Result<(), FileError> {
        match fs::metadata(&self.path) {
            Ok(metadata) => {
                self.length = metadata.len();
                self.flush()
            }
            Err(error) if error.kind() == ErrorKind::NotFound && self.waiting.is_empty() => Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let rows = mem::take(&mut self.waiting);
                self.replace(&rows)
            }
            Err(error) => Err(FileError::of("write", &self.path)(error)),
        }
    }
}

const CHANGED: &str = "has changed since it was written";
const FOREIGN: &str = "was not written by the run";
const MISSING: &str = "is missing or invalid";

/// A damaged line of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}, line {line} {damage}", path.display())]
pub struct DamagedLine {
    pub path: PathBuf,
    pub line: u64,
    /// The damage, phrased as the end of a sentence.
    pub damage: &'static str,
}

pub struct RecordedTable {
    /// The text, up to the first byte that is not valid UTF-8.
    pub(super) text: String,
    /// The first row that has changed since it was written, or that the run did not write.
    pub changed: Option<DamagedLine>,
}

impl RecordedTable {
    /// Reads a table. A missing table counts as empty, and changes to the header are ignored.
    pub fn read(folder: &Path, name: &str) -> Result<RecordedTable, FileError> {
        let (path, newest) = (folder.join(name), newest_generation(folder)?);
        let bytes = store::read_optional(&path)?.unwrap_or_default();
        let changed = changed_line(folder, name, FIRST_ROW, &bytes, newest)?;
        let changed = changed.map(|(line, damage)| DamagedLine { path, line, damage });
        let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid()).to_owned();
        Ok(RecordedTable { text, changed })
    }

    /// Returns the lines before the first changed line.
    pub fn verified(&self) -> &str {
        let Some(DamagedLine { line, .. }) = &self.changed else { return &self.text };
        let lines = self.text.split_inclusive('\n').take(*line as usize - 1);
        &self.text[..lines.map(str::len).sum()]
    }
}

/// Returns the first damaged line of the history and that of the strength table, which may be headers. If the newest
/// checkpoint is from a later generation than the last row of the history, then the row after that counts as missing.
pub fn damaged_lines(folder: &Path) -> Result<Vec<DamagedLine>, FileError> {
    // Look for checkpoints before reading the history, because a training process writes the history first.
    let newest = newest_generation(folder)?;
    let damaged = |name: &&str| {
        let path = folder.join(name);
        let bytes = store::read(&path).unwrap_or_default();
        let missing = || {
            let text = String::from_utf8_lossy(&bytes);
            let rows = good_rows(&text, text.lines().next().unwrap_or_default()).len() as u64;
            (*name == HISTORY && rows < newest.into()).then_some((rows + FIRST_ROW, MISSING))
        };
        let damage = changed_line(folder, name, 1, &bytes, newest).map(|it| it.or_else(missing));
        let located = |(line, damage)| DamagedLine { path, line, damage };
        damage.map(|damage| damage.map(located)).transpose()
    };
    [HISTORY, STRENGTH].iter().filter_map(damaged).collect()
}

fn newest_generation(folder: &Path) -> Result<u32, FileError> {
    Ok(checkpoints(folder)?.last().map_or(0, |(generation, _)| *generation))
}

/// Returns the first line, starting with line `from`, that was changed or that the run did not write. The caller must
/// get the generation of the `newest` checkpoint before it reads the table. We read the checksums after the table,
/// since a run writes checksums before rows.
fn changed_line(
    folder: &Path,
    name: &str,
    from: u64,
    table: &[u8],
    newest: u32,
) -> Result<Option<(u64, &'static str)>, FileError> {
    let known = Checksums::of(folder)?;
    if let Some(line) = known.changed_line(name, from, table) {
        return Ok(Some((line, CHANGED)));
    }
    let (last, lines) = (known.last_line(name), table.iter().filter(|&&it| it == b'\n').count());
    // Resuming drops rows before checksums, so if the checksums end before a checkpoint, then they are incomplete.
    let are_complete = last > 0 && known.last_line(HISTORY) > newest.into();
    let is_foreign = are_complete && lines as u64 > last && !Lock::is_held(folder);
    Ok(is_foreign.then_some((last + 1, FOREIGN)))
}

/// Returns whether the champion file has been edited since it was written.
pub fn champion_is_edited(folder: &Path) -> bool {
    let champion = store::read(&folder.join(CHAMPION)).unwrap_or_default();
    let known = Checksums::of(folder).unwrap_or_default();
    !champion.is_empty() && known.verdict(CHAMPION, &champion) == Verdict::Changed
}

/// Rewrites the checksum file, unless it has exactly the checksums of `tables` and the newest ones of other files.
pub(super) fn renew_checksums(folder: &Path, tables: &[(&str, &str)]) -> Result<(), FileError> {
    let known = Checksums::of(folder)?;
    let mut rows = Checksums::HEADER.to_owned();
    for name in [CHAMPION, CONFIGURATION] {
        let last = known.newest_rows(name);
        rows += &match store::read(&folder.join(name)) {
            Ok(content) if last.is_empty() => Checksums::row_of_file(name, &content),
            _ => last,
        };
    }
    for (name, text) in tables {
        rows += &Checksums::rows_of_lines(name, 1, text);
    }
    Table::new(folder, CHECKSUMS).replace(&rows)
}
