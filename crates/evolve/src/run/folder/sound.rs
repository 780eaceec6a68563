//! What there is in the tables of a run folder, and what of it is as it was written.

use std::fmt;
use std::ops::Range;
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

/// What resuming has done about a changed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Damage {
    /// A single bit had changed, and was turned back.
    Mended(ChangedLine),
    /// It and what follows is left out.
    LeftOut(ChangedLine),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Mended(line) => write!(f, "{line}: a single bit, which is turned back"),
            Damage::LeftOut(line) => {
                write!(
                    f,
                    "{line}; from there on it is measured again as far as champions are known"
                )
            }
        }
    }
}

/// What there is of a table, single changed bits turned back.
pub struct OnDisk {
    /// All of it that is text.
    pub(super) text: String,
    mended: Vec<ChangedLine>,
    /// Where it stops being what was written.
    pub changed: Option<ChangedLine>,
}

impl OnDisk {
    /// Reads a table; there is nothing of one that is missing. A header can be written anew, so it does
    /// not count.
    pub fn read(folder: &Path, name: &str) -> Result<OnDisk, FileError> {
        let path = folder.join(name);
        let mut bytes = store::read_if_there(&path)?.unwrap_or_default();
        let known = Checksums::of(folder)?;
        let (mut mended, mut changed) = (Vec::new(), None);
        while let Some(line) = known.changed_line(name, FIRST_ROW, &bytes) {
            let found = ChangedLine { path: path.clone(), line };
            let place = place_of(line, &bytes);
            let Some(good) = known.mended(name, line, &bytes[place.clone()]) else {
                changed = Some(found);
                break;
            };
            bytes.splice(place, good);
            mended.push(found);
        }
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let good = error.utf8_error().valid_up_to();
            String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned()
        });
        Ok(OnDisk { text, mended, changed })
    }

    /// The text, if that is how the file has it.
    pub(super) fn as_it_is(&self) -> Option<&str> {
        self.mended.is_empty().then_some(&self.text)
    }

    /// What resuming does about its changed lines.
    pub fn damages(&self) -> impl Iterator<Item = Damage> {
        let left_out = self.changed.iter().cloned().map(Damage::LeftOut);
        self.mended.iter().cloned().map(Damage::Mended).chain(left_out)
    }

    /// The lines before the first that has changed.
    pub fn sound(&self) -> &str {
        let Some(ChangedLine { line, .. }) = &self.changed else { return &self.text };
        let lines = self.text.split_inclusive('\n').take(*line as usize - 1);
        &self.text[..lines.map(str::len).sum()]
    }
}

/// Where a line of a text lies, with its end.
fn place_of(line: u64, bytes: &[u8]) -> Range<usize> {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let begin = lines.by_ref().take(line as usize - 1).map(<[u8]>::len).sum();
    begin..begin + lines.next().map_or(0, <[u8]>::len)
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
