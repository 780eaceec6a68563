//! What the files of a folder held when they were written: `checksums.csv` beside them.
//!
//! | column | content |
//! |---|---|
//! | `file` | name of the file |
//! | `line` | number of a line, from 1; 0 stands for the whole file |
//! | `crc32` | CRC-32 of the line with its end, or of the file |
//! | `check` | CRC-32 of this row up to here |
//!
//! A row is written before what it stands for, so that a crash leaves no line without one. Several rows
//! may stand for a file that is replaced as a whole: what it was, and what it was about to become.

use std::collections::BTreeMap;
use std::path::Path;

use super::{FileError, read_if_there};

/// The name of the file.
pub const CHECKSUMS: &str = "checksums.csv";

/// What is known of the files of a folder. Of files that older versions wrote nothing is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checksums {
    lines: BTreeMap<String, BTreeMap<u64, u32>>,
    files: BTreeMap<String, Vec<u32>>,
}

/// What has become of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is known of it.
    Unknown,
    /// It is as it was written.
    Intact,
    /// A single bit of this byte, counted from 0, is not as it was written: no person does that.
    Flipped(usize),
    /// It holds something else.
    Changed,
}

impl Checksums {
    /// The first line of the file.
    pub const HEADER: &str = "file,line,crc32,check\n";

    /// Reads those of a folder. What is damaged in them says nothing.
    ///
    /// # Errors
    /// If there are some that cannot be read.
    pub fn of(folder: &Path) -> Result<Checksums, FileError> {
        let bytes = read_if_there(&folder.join(CHECKSUMS))?.unwrap_or_default();
        Ok(Checksums::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// The numbers of the lines of their file that are damaged. A last line without its end is one that is
    /// being written.
    ///
    /// # Errors
    /// If there is a file that cannot be read.
    pub fn damaged_lines(folder: &Path) -> Result<Vec<u64>, FileError> {
        let Some(bytes) = read_if_there(&folder.join(CHECKSUMS))? else { return Ok(Vec::new()) };
        let text = String::from_utf8_lossy(&bytes);
        // The header was written together with what follows.
        let Some(rows) = text.strip_prefix(Checksums::HEADER) else { return Ok(vec![1]) };
        let lines = (2..).zip(rows.split_inclusive('\n'));
        let is_bad =
            |line: &str| line.strip_suffix('\n').is_some_and(|row| read_row(row).is_none());
        Ok(lines.filter(|(_, line)| is_bad(line)).map(|(number, _)| number).collect())
    }

    fn parse(text: &str) -> Checksums {
        let mut known = Checksums::default();
        for (file, line, sum) in text.lines().filter_map(read_row) {
            match line {
                0 => known.files.entry(file.into()).or_default().push(sum),
                _ => _ = known.lines.entry(file.into()).or_default().insert(line, sum),
            }
        }
        known
    }

    /// The rows for the whole lines of a text that begins with this line of its file.
    pub fn rows_of_lines(file: &str, first: u64, text: &str) -> String {
        let lines = (first..).zip(text.split_inclusive('\n').filter(|it| it.ends_with('\n')));
        lines.map(|(number, line)| row(file, number, crc32fast::hash(line.as_bytes()))).collect()
    }

    /// The row for a whole file.
    pub fn row_of_file(file: &str, content: &[u8]) -> String {
        row(file, 0, crc32fast::hash(content))
    }

    /// The rows for all that the file has been lately.
    pub fn rows_lately(&self, file: &str) -> String {
        let sums = self.files.get(file).map_or(&[][..], Vec::as_slice);
        let lately = &sums[sums.len().saturating_sub(LATELY)..];
        lately.iter().map(|&sum| row(file, 0, sum)).collect()
    }

    /// The first line, from number `from` on, that is not as it was written. A last line without its end
    /// does not count: it is being written.
    pub fn changed_line(&self, file: &str, from: u64, content: &[u8]) -> Option<u64> {
        let known = self.lines.get(file)?;
        let lines = (1..).zip(content.split_inclusive(|&byte| byte == b'\n'));
        let mut whole = lines.filter(|(number, line)| *number >= from && line.ends_with(b"\n"));
        let changed = whole.find(|(number, line)| {
            known.get(number).is_some_and(|&sum| sum != crc32fast::hash(line))
        });
        changed.map(|(number, _)| number)
    }

    /// The number of the last line of a table that has a checksum; 0 if none has.
    pub fn last_line(&self, file: &str) -> u64 {
        let last = self.lines.get(file).and_then(BTreeMap::last_key_value);
        last.map_or(0, |(line, _)| *line)
    }

    /// The number of the first line of a table without a checksum.
    pub fn first_unknown_line(&self, file: &str) -> u64 {
        let lines = self.lines.get(file).into_iter().flat_map(BTreeMap::keys);
        (1..)
            .zip(lines)
            .find(|(number, line)| number != *line)
            .map_or_else(|| self.last_line(file) + 1, |(number, _)| number)
    }

    /// Whether a file that is replaced as a whole is not as it was written, as far as that is known.
    pub fn is_changed(&self, file: &str, content: &[u8]) -> bool {
        let known = self.files.get(file);
        known.is_some_and(|known| !known.contains(&crc32fast::hash(content)))
    }

    /// What has become of a file that is replaced as a whole.
    pub fn verdict(&self, file: &str, content: &[u8]) -> Verdict {
        let Some(known) = self.files.get(file) else { return Verdict::Unknown };
        if !self.is_changed(file, content) {
            return Verdict::Intact;
        }
        match turned_back(content, &known[known.len().saturating_sub(LATELY)..]) {
            Some((byte, _)) => Verdict::Flipped(byte),
            None => Verdict::Changed,
        }
    }

    /// The line as it was written, if a single bit of it is all that has changed.
    pub fn mended(&self, file: &str, number: u64, line: &[u8]) -> Option<Vec<u8>> {
        let sum = *self.lines.get(file)?.get(&number)?;
        turned_back(line, &[sum]).map(|(_, mended)| mended)
    }
}

/// So many of the last rows of a file count: one that a crash kept it from becoming may be among them.
const LATELY: usize = 2;

/// Anything larger is not searched for a flipped bit.
const SEARCHED: usize = 1 << 14;

/// The byte of which one bit must be turned for one of these checksums, and the content with it turned.
fn turned_back(content: &[u8], sums: &[u32]) -> Option<(usize, Vec<u8>)> {
    if content.len() > SEARCHED {
        return None;
    }
    let mut content = content.to_vec();
    for bit in 0..8 * content.len() {
        content[bit / 8] ^= 1 << (bit % 8);
        if sums.contains(&crc32fast::hash(&content)) {
            return Some((bit / 8, content));
        }
        content[bit / 8] ^= 1 << (bit % 8);
    }
    None
}

fn row(file: &str, line: u64, sum: u32) -> String {
    let what = format!("{file},{line},{sum:08x}");
    let check = crc32fast::hash(what.as_bytes());
    format!("{what},{check:08x}\n")
}

fn read_row(text: &str) -> Option<(&str, u64, u32)> {
    let (what, check) = text.rsplit_once(',')?;
    let number = |text| u32::from_str_radix(text, 16).ok();
    let mut fields = what.split(',');
    let (file, line, sum) = (fields.next()?, fields.next()?.parse().ok()?, number(fields.next()?)?);
    (number(check)? == crc32fast::hash(what.as_bytes())).then_some((file, line, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "a,b\n1,2\n2,3\n";

    #[test]
    fn every_flipped_bit_of_a_table_is_found_in_its_line() {
        let known = Checksums::parse(&Checksums::rows_of_lines("t.csv", 1, TABLE));
        assert_eq!(known.changed_line("t.csv", 1, TABLE.as_bytes()), None);
        for bit in 0..8 * TABLE.len() {
            let mut damaged = TABLE.as_bytes().to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let line = 1 + TABLE.as_bytes()[..bit / 8].iter().filter(|&&b| b == b'\n').count();
            let found = known.changed_line("t.csv", 1, &damaged);
            // Without its end the last line is one that is being written.
            let is_last_end = bit / 8 == TABLE.len() - 1;
            assert_eq!(found, (!is_last_end).then_some(line as u64), "bit {bit}");
        }
        assert_eq!(known.mended("t.csv", 2, b"1,3\n"), Some(b"1,2\n".to_vec()));
        assert_eq!(known.mended("t.csv", 2, b"2,3\n"), None);
        assert_eq!(known.changed_line("t.csv", 2, b"x,b\n1,2\n"), None);
        assert_eq!(known.changed_line("other.csv", 1, b"x\n"), None);
    }

    #[test]
    fn a_damaged_checksum_accuses_nobody() {
        let rows = Checksums::rows_of_lines("t.csv", 1, TABLE);
        for bit in 0..8 * rows.len() {
            let mut damaged = rows.clone().into_bytes();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let known = Checksums::parse(&String::from_utf8_lossy(&damaged));
            assert_eq!(known.changed_line("t.csv", 1, TABLE.as_bytes()), None, "bit {bit}");
        }
    }

    #[test]
    fn a_flipped_bit_is_told_from_a_change() {
        let (old, new) = (&b"{\"weight\": 7}"[..], &b"{\"weight\": 9}"[..]);
        let rows = [old, new].map(|content| Checksums::row_of_file("c.json", content)).concat();
        let known = Checksums::parse(&rows);
        assert_eq!(known.verdict("c.json", old), Verdict::Intact);
        assert_eq!(known.verdict("c.json", new), Verdict::Intact);
        for bit in 0..8 * new.len() {
            let mut damaged = new.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(known.verdict("c.json", &damaged), Verdict::Flipped(bit / 8));
        }
        assert_eq!(known.verdict("c.json", b"{\"weight\": 12}"), Verdict::Changed);
        assert_eq!(known.verdict("d.json", b""), Verdict::Unknown);
        assert_eq!(Checksums::parse(&known.rows_lately("c.json")), known);
    }
}
