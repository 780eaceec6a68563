//! The file format of a layer.
//!
//! A framed file (see [`Frame`]) of kind `ENDG`. Its payload consists of the rules as 39 bytes of text padded with
//! zeros, one byte for the number of seeds, and the values of all positions in the order of their numbers, one signed
//! byte each. Together with the frame header, this puts the first value at byte 64.

use std::io;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::index::positions;
use super::map::{anonymous, map, signed, unsigned};
use crate::game::ayo::{Rules, SEEDS};
use crate::store::{FileError, Frame, FrameError, replace_parts};
use crate::text::{Message, Result};

const FRAME: Frame = Frame { kind: *b"ENDG", version: 1 };
/// The number of payload bytes before the values.
const HEAD: usize = 40;
const VALUES_AT: usize = 64;

/// The values of all positions with the same number of seeds.
#[derive(Debug)]
pub(super) struct Layer {
    /// The path of the file, or only its name if the layer is in memory.
    path: PathBuf,
    bytes: Mmap,
}

impl Layer {
    pub(super) fn file_name(rules: Rules, seeds: u8) -> String {
        format!("{}{seeds:02}.ayo", stem(rules))
    }

    /// Maps a layer and checks its header but not its values.
    pub(super) fn open(folder: &Path, rules: Rules, seeds: u8) -> Result<Layer> {
        let path = folder.join(Layer::file_name(rules, seeds));
        let map = map(&path)?;
        let payload = FRAME.open(&map).map_err(frame_error(&path))?;
        let found = head_of(payload).map_or_else(String::new, |(rules, _)| rules);
        if found != rules.to_string() {
            let path = path.display();
            return Err(format!("{path} is a table for {found}, not {rules}").into());
        }
        let size = HEAD as u64 + positions(seeds);
        match payload[HEAD - 1] {
            found if found != seeds || payload.len() as u64 != size => {
                Err(wrong_seeds(&path, found))
            }
            _ => Ok(Layer { path, bytes: map }),
        }
    }

    /// Creates a layer that is only held in memory.
    pub(super) fn in_memory(rules: Rules, seeds: u8, values: &[i8]) -> io::Result<Layer> {
        let (header, values) = (header(rules, seeds, values), unsigned(values));
        let bytes = anonymous(&[&header, values])?;
        Ok(Layer { path: Layer::file_name(rules, seeds).into(), bytes })
    }

    /// Verifies the checksum over all values.
    pub(super) fn check(&self) -> Result<()> {
        FRAME.verify(&self.bytes).map(|_| ()).map_err(frame_error(&self.path))
    }

    /// Returns the checksum from the header, which covers the values.
    pub(super) fn checksum(&self) -> [u8; 4] {
        FRAME.checksum_of(&self.bytes)
    }

    /// Returns the values, indexed by position number.
    pub(super) fn values(&self) -> &[i8] {
        signed(&self.bytes[VALUES_AT..])
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a layer file atomically.
    pub(super) fn write(
        folder: &Path,
        rules: Rules,
        seeds: u8,
        values: &[i8],
    ) -> Result<(), FileError> {
        let path = folder.join(Layer::file_name(rules, seeds));
        replace_parts(&path, &[&header(rules, seeds, values), unsigned(values)])
    }
}

fn frame_error(path: &Path) -> impl FnOnce(FrameError) -> Message {
    move |error| format!("{} {error}", path.display()).into()
}

/// Returns the error for a number of seeds that does not match the file's name or size.
fn wrong_seeds(path: &Path, seeds: u8) -> Message {
    let path = path.display();
    format!("{path} is labelled with {seeds} seeds, which does not match its name or size").into()
}

/// Returns the part of the file that precedes the values.
fn header(rules: Rules, seeds: u8, values: &[i8]) -> [u8; VALUES_AT] {
    let mut header = [0; VALUES_AT];
    let (frame, head) = header.split_at_mut(VALUES_AT - HEAD);
    let name = rules.to_string();
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[HEAD - 1] = seeds;
    frame.copy_from_slice(&FRAME.header(&[head, unsigned(values)]));
    header
}

/// Returns the common prefix of the file names of a table.
fn stem(rules: Rules) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    rules.to_string().chars().map(plain).chain(['-']).collect()
}

/// Reads the rules and the number of seeds at the start of a payload.
fn head_of(payload: &[u8]) -> Option<(String, u8)> {
    let (&seeds, name) = payload.get(..HEAD)?.split_last()?;
    let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
    Some((String::from_utf8_lossy(name).into_owned(), seeds))
}

/// Returns the rules and number of seeds of a layer after verifying its checksum and file name.
pub fn identify(path: &Path) -> Result<(Rules, u8)> {
    let map = map(path)?;
    let payload = FRAME.verify(&map).map_err(frame_error(path))?;
    let found = head_of(payload).map_or(0, |(_, seeds)| seeds);
    rules_by_name(path, payload).ok_or_else(|| wrong_seeds(path, found))
}

/// Returns the rules of a layer if the file is a layer and has the correct name.
pub(super) fn rules_of(path: &Path) -> Option<Rules> {
    let map = map(path).ok()?;
    Some(rules_by_name(path, FRAME.open(&map).ok()?)?.0)
}

/// Returns the rules and number of seeds recorded in a layer if its file name matches them.
fn rules_by_name(path: &Path, payload: &[u8]) -> Option<(Rules, u8)> {
    let (rules, seeds) = head_of(payload).filter(|(_, seeds)| *seeds <= SEEDS)?;
    let rules = rules.parse().ok()?;
    (path.file_name()? == Layer::file_name(rules, seeds).as_str()).then_some((rules, seeds))
}
