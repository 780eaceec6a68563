//! Reads and verifies the tables of a run folder.

use std::fmt;
use std::path::{Path, PathBuf};

use mancala::store::{self, CHECKSUMS, Checksums, FileError, Verdict};

/// A line of a table that has changed since it was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}, line {line} has changed since it was written", path.display())]
pub struct ChangedLine {
    /// The table.
    pub path: PathBuf,
    /// The number of the line, from 1.
    pub line: u64,
}

/// A changed line of the strength table. A resumed run drops it and the lines after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage(pub ChangedLine);

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage(line) = self;
        write!(f, "{line}; from there on it is measured again as far as champions are known")
    }
}

/// A table as it is on disk.
pub struct OnDisk {
    /// The table up to the first byte that is not UTF-8.
    pub(super) text: String,
    /// The first row that has changed since it was written.
    pub changed: Option<ChangedLine>,
}

impl OnDisk {
    /// Reads a table. A missing table is read as an empty one. A changed header does not count, since it can be
    /// written again.
    pub fn read(folder: &Path, name: &str) -> Result<OnDisk, FileError> {
        let path = folder.join(name);
        let bytes = store::read_if_there(&path)?.unwrap_or_default();
        let line = Checksums::of(folder)?.changed_line(name, FIRST_ROW, &bytes);
        let changed = line.map(|line| ChangedLine { path, line });
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let good = error.utf8_error().valid_up_to();
            String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned()
        });
        Ok(OnDisk { text, changed })
    }

    /// The lines before the first that has changed.
    pub fn sound(&self) -> &str {
        let Some(ChangedLine { line, .. }) = &self.changed else { return &self.text };
        let lines = self.text.split_inclusive('\n').take(*line as usize - 1);
        &self.text[..lines.map(str::len).sum()]
    }
}

/// The header is the first line.
const FIRST_ROW: u64 = 2;

/// Checks the tables of a run folder, headers included.
///
/// # Errors
/// The first line of one that has changed since it was written.
pub fn changed_lines(folder: &Path) -> Result<Vec<ChangedLine>, FileError> {
    let known = Checksums::of(folder)?;
    let changed = |name: &&str| {
        let path = folder.join(name);
        let line = known.changed_line(name, 1, &store::read(&path).unwrap_or_default())?;
        Some(ChangedLine { path, line })
    };
    Ok([HISTORY, STRENGTH].iter().filter_map(changed).collect())
}

/// Whether a person has changed the champion since it was written.
pub fn champion_is_edited(folder: &Path) -> bool {
    let champion = store::read(&folder.join(CHAMPION)).unwrap_or_default();
    let known = Checksums::of(folder).unwrap_or_default();
    !champion.is_empty() && known.verdict(CHAMPION, &champion) == Verdict::Changed
}

pub const HISTORY: &str = "history.csv";
pub const STRENGTH: &str = "strength.csv";
pub const COST: &str = "cost.csv";
/// What features were learned from in each epoch of a run that learns some.
pub const EPOCHS: &str = "epochs.csv";
pub const CHAMPION: &str = "champion.json";
pub const CONFIGURATION: &str = "run.toml";

/// Replaces the checksums of a folder by those of its tables as they are and the last ones of its other files. A file
/// without any counts as it is.
pub(super) fn renew_checksums(folder: &Path, tables: &[(&str, &str)]) -> Result<(), FileError> {
    let known = Checksums::of(folder)?;
    let mut rows = Checksums::HEADER.to_owned();
    for name in [CHAMPION, CONFIGURATION] {
        let lately = known.rows_lately(name);
        rows += &match store::read(&folder.join(name)) {
            Ok(content) if lately.is_empty() => Checksums::row_of_file(name, &content),
            _ => lately,
        };
    }
    for (name, text) in tables {
        rows += &Checksums::rows_of_lines(name, 1, text);
    }
    store::replace(&folder.join(CHECKSUMS), rows.as_bytes())
}
