//! Checksums of the files in a folder, stored in the folder's `checksums.csv`.
//!
//! | column | content |
//! |---|---|
//! | `file` | name of the file |
//! | `line` | number of a line, from 1; 0 stands for the whole file |
//! | `crc32` | CRC-32 of the line with its line break, or of the file |
//! | `check` | CRC-32 of the preceding columns of this row |
//!
//! We write each row before the line or file that it describes, so that everything has a checksum even after a crash.
//! This means that a file that is replaced as a whole may have several rows, e.g. for its old and its new content.

use std::collections::BTreeMap;
use std::path::Path;

use super::{FileError, read_optional};

pub const CHECKSUMS: &str = "checksums.csv";

/// The checksums of the files in a folder. Files that were written by older versions of this program may have none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checksums {
    lines: BTreeMap<String, BTreeMap<u64, u32>>,
    files: BTreeMap<String, Vec<u32>>,
}

/// The result of verifying a file against its checksums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The file has no checksum.
    Unknown,
    /// The file has not changed since it was written.
    Intact,
    /// A single bit differs, in the byte at this index. This indicates damage rather than a manual edit.
    Flipped(usize),
    /// The file differs in some other way.
    Changed,
}

impl Checksums {
    pub const HEADER: &str = "file,line,crc32,check\n";

    /// Reads a folder's checksums, ignoring damaged rows. Fails if the checksum file exists but cannot be read.
    pub fn of(folder: &Path) -> Result<Checksums, FileError> {
        let bytes = read_optional(&folder.join(CHECKSUMS))?.unwrap_or_default();
        Ok(Checksums::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// Returns the line numbers of damaged rows in a folder's checksum file. An unterminated last line doesn't count.
    pub fn damaged_lines(folder: &Path) -> Result<Vec<u64>, FileError> {
        let Some(bytes) = read_optional(&folder.join(CHECKSUMS))? else { return Ok(Vec::new()) };
        let text = String::from_utf8_lossy(&bytes);
        // We write the header together with the first rows, so if it's incomplete, then the file is damaged.
        let Some(rows) = text.strip_prefix(Checksums::HEADER) else { return Ok(vec![1]) };
        let lines = (2..).zip(rows.split_inclusive('\n'));
        let is_bad = |line: &str| line.strip_suffix('\n').is_some_and(|it| read_row(it).is_none());
        Ok(lines.filter(|(_, line)| is_bad(line)).map(|(number, _)| number).collect())
    }

    fn parse(text: &str) -> Checksums {
        let mut checksums = Checksums::default();
        for (file, line, sum) in text.lines().filter_map(read_row) {
            match line {
                0 => checksums.files.entry(file.into()).or_default().push(sum),
                _ => _ = checksums.lines.entry(file.into()).or_default().insert(line, sum),
            }
        }
        checksums
    }

    /// Returns a row for each complete line of `text`, which starts at line `first` of the file.
    pub fn rows_of_lines(file: &str, first: u64, text: &str) -> String {
        let lines = (first..).zip(text.split_inclusive('\n').filter(|it| it.ends_with('\n')));
        lines.map(|(number, line)| row(file, number, crc32fast::hash(line.as_bytes()))).collect()
    }

    pub fn row_of_file(file: &str, content: &[u8]) -> String {
        row(file, 0, crc32fast::hash(content))
    }

    /// Returns the rows for the latest two checksums of a file that is replaced as a whole.
    pub fn newest_rows(&self, file: &str) -> String {
        let sums = self.files.get(file).map_or(&[][..], |sums| newest(sums));
        sums.iter().map(|&sum| row(file, 0, sum)).collect()
    }

    /// Returns the first line at or after `from` that doesn't match its checksum. Ignores an unterminated last line.
    pub fn changed_line(&self, file: &str, from: u64, content: &[u8]) -> Option<u64> {
        let sums = self.lines.get(file)?;
        let lines = (1..).zip(content.split_inclusive(|&byte| byte == b'\n'));
        let mut complete = lines.filter(|(number, line)| *number >= from && line.ends_with(b"\n"));
        let changed = complete.find(|(number, line)| {
            sums.get(number).is_some_and(|&sum| sum != crc32fast::hash(line))
        });
        changed.map(|(number, _)| number)
    }

    /// Returns the number of a table's last line with a checksum, or 0 if no line has one.
    pub fn last_line(&self, file: &str) -> u64 {
        let last = self.lines.get(file).and_then(BTreeMap::last_key_value);
        last.map_or(0, |(line, _)| *line)
    }

    /// Returns the number of a table's first line without a checksum.
    pub fn first_unknown_line(&self, file: &str) -> u64 {
        let lines = self.lines.get(file);
        (1..).find(|line| !lines.is_some_and(|it| it.contains_key(line))).unwrap_or(u64::MAX)
    }

    /// Returns true if a file that is replaced as a whole has checksums, but none of them match its content.
    pub fn is_changed(&self, file: &str, content: &[u8]) -> bool {
        self.files.get(file).is_some_and(|sums| !sums.contains(&crc32fast::hash(content)))
    }

    /// Verifies a whole file against its checksums.
    pub fn verdict(&self, file: &str, content: &[u8]) -> Verdict {
        let Some(sums) = self.files.get(file) else { return Verdict::Unknown };
        if !self.is_changed(file, content) {
            return Verdict::Intact;
        }
        flipped_byte(content, newest(sums)).map_or(Verdict::Changed, Verdict::Flipped)
    }
}

/// Returns the two newest checksums. After a crash, the newest one may describe content that was never written.
fn newest(sums: &[u32]) -> &[u32] {
    &sums[sums.len().saturating_sub(2)..]
}

/// The maximum size, in bytes, of files that we search for a flipped bit. The search takes quadratic time.
const MAX_SEARCHED: usize = 1 << 14;

/// Finds the byte in which flipping a single bit makes the content match one of the checksums.
fn flipped_byte(content: &[u8], sums: &[u32]) -> Option<usize> {
    if content.len() > MAX_SEARCHED {
        return None;
    }
    let mut content = content.to_vec();
    (0..8 * content.len()).map(|bit| (bit / 8, 1 << (bit % 8))).find_map(|(byte, mask)| {
        content[byte] ^= mask;
        let matches = sums.contains(&crc32fast::hash(&content));
        content[byte] ^= mask;
        matches.then_some(byte)
    })
}

fn row(file: &str, line: u64, sum: u32) -> String {
    let fields = format!("{file},{line},{sum:08x}");
    let check = crc32fast::hash(fields.as_bytes());
    format!("{fields},{check:08x}\n")
}

fn read_row(text: &str) -> Option<(&str, u64, u32)> {
    let (checked, check) = text.rsplit_once(',')?;
    let number = |text| u32::from_str_radix(text, 16).ok();
    let mut fields = checked.split(',');
    let (file, line, sum) = (fields.next()?, fields.next()?.parse().ok()?, number(fields.next()?)?);
    (number(check)? == crc32fast::hash(checked.as_bytes())).then_some((file, line, sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::flips;

    const TABLE: &str = "a,b\n1,2\n2,3\n";

    #[test]
    fn every_flipped_bit_of_a_table_is_found_in_its_line() {
        let checksums = Checksums::parse(&Checksums::rows_of_lines("t.csv", 1, TABLE));
        assert_eq!(checksums.changed_line("t.csv", 1, TABLE.as_bytes()), None);
        for (bit, damaged) in flips(TABLE.as_bytes(), 1) {
            let line = 1 + TABLE.as_bytes()[..bit / 8].iter().filter(|&&b| b == b'\n').count();
            // If the last line break is damaged, then the last line looks as if it were still being written.
            let is_last_end = bit / 8 == TABLE.len() - 1;
            let expected = (!is_last_end).then_some(line as u64);
            assert_eq!(checksums.changed_line("t.csv", 1, &damaged), expected, "bit {bit}");
        }
        assert_eq!(checksums.changed_line("t.csv", 2, b"x,b\n1,2\n"), None);
        assert_eq!(checksums.changed_line("other.csv", 1, b"x\n"), None);
        assert_eq!((checksums.last_line("t.csv"), checksums.first_unknown_line("t.csv")), (3, 4));
    }

    #[test]
    fn a_damaged_checksum_is_ignored() {
        for (bit, damaged) in flips(Checksums::rows_of_lines("t.csv", 1, TABLE).as_bytes(), 1) {
            let checksums = Checksums::parse(&String::from_utf8_lossy(&damaged));
            assert_eq!(checksums.changed_line("t.csv", 1, TABLE.as_bytes()), None, "bit {bit}");
        }
    }

    #[test]
    fn a_flipped_bit_is_told_from_an_edit() {
        let (old, new) = (&b"{\"weight\": 7}"[..], &b"{\"weight\": 9}"[..]);
        let rows = [old, new].map(|content| Checksums::row_of_file("c.json", content)).concat();
        let checksums = Checksums::parse(&rows);
        assert_eq!(checksums.verdict("c.json", old), Verdict::Intact);
        assert_eq!(checksums.verdict("c.json", new), Verdict::Intact);
        for (bit, damaged) in flips(new, 1) {
            assert_eq!(checksums.verdict("c.json", &damaged), Verdict::Flipped(bit / 8));
        }
        assert_eq!(checksums.verdict("c.json", b"{\"weight\": 12}"), Verdict::Changed);
        assert_eq!(checksums.verdict("d.json", b""), Verdict::Unknown);
        assert_eq!(Checksums::parse(&checksums.newest_rows("c.json")), checksums);
    }
}
