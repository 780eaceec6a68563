//! The file format of a layer.
//!
//! A layer is a framed file (see [`Frame`]) of kind `ENDG`. Its payload consists of the rules (39 bytes of text padded
//! with zeros), the number of seeds (one byte), and the values of all positions (one signed byte each, ordered by
//! position number). Since the frame header comes first, the values start at byte 64 of the file.

use std::io;
use std::path::{Path, PathBuf};

use memmap2::{Mmap, MmapMut};

use super::index::positions;
use crate::game::ayo::{Rules, SEEDS};
use crate::store::{self, FileError, Frame, FrameError, replace_parts};
use crate::text::{Message, Result};

const FRAME: Frame = Frame { kind: *b"ENDG", version: 1 };
/// The number of payload bytes that precede the values.
const HEAD: usize = 40;
const VALUES_AT: usize = 64;

/// The values of all positions with a given number of seeds.
#[derive(Debug)]
pub(super) struct Layer {
    /// The path of the file, or just a file name if the layer is in memory.
    pub(super) path: PathBuf,
    pub(super) rules: Rules,
    pub(super) seeds: u8,
    bytes: Mmap,
}

impl Layer {
    pub(super) fn file_name(rules: Rules, seeds: u8) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let stem: String = rules.to_string().chars().map(plain).collect();
        format!("{stem}-{seeds:02}.ayo")
    }

    /// Memory-maps a layer and checks its header, name and size, but not its values.
    #[allow(unsafe_code)]
    pub(super) fn open(path: &Path) -> Result<Layer> {
        let file = store::open(path)?;
        // SAFETY: the mapped bytes don't change, because we only replace table files and never write to existing ones.
        let bytes = unsafe { Mmap::map(&file) }.map_err(FileError::of("map", path))?;
        let payload = FRAME.open(&bytes).map_err(frame_error(path))?;
        let cut = || Message::from(format!("{} is too short for a layer", path.display()));
        let (&seeds, name) = payload.get(..HEAD).and_then(<[u8]>::split_last).ok_or_else(cut)?;
        let name =
            String::from_utf8_lossy(name.split(|&byte| byte == 0).next().unwrap_or_default());
        let is_right = |rules: &Rules| {
            seeds <= SEEDS
                && path.file_name().is_some_and(|it| it == &*Layer::file_name(*rules, seeds))
                && payload.len() as u64 == HEAD as u64 + positions(seeds)
        };
        match name.parse().ok().filter(is_right) {
            Some(rules) => Ok(Layer { path: path.into(), rules, seeds, bytes }),
            None => Err(format!(
                "{} is a table for {name} with {seeds} seeds, but its name or size does not match",
                path.display()
            )
            .into()),
        }
    }

    /// Creates a layer in memory from values stored as signed bytes.
    pub(super) fn in_memory(rules: Rules, seeds: u8, values: &[u8]) -> io::Result<Layer> {
        let mut map = MmapMut::map_anon(VALUES_AT + values.len())?;
        map[..VALUES_AT].copy_from_slice(&header(rules, seeds, values));
        map[VALUES_AT..].copy_from_slice(values);
        let path = Layer::file_name(rules, seeds).into();
        Ok(Layer { path, rules, seeds, bytes: map.make_read_only()? })
    }

    pub(super) fn check(&self) -> Result<()> {
        FRAME.verify(&self.bytes).map(|_| ()).map_err(frame_error(&self.path))
    }

    /// Returns the checksum in the frame header. Note that it covers the values.
    pub(super) fn checksum(&self) -> [u8; 4] {
        FRAME.checksum_of(&self.bytes)
    }

    #[inline]
    pub(super) fn value(&self, number: u64) -> i8 {
        self.values()[number as usize] as i8
    }

    #[inline]
    pub(super) fn values(&self) -> &[u8] {
        &self.bytes[VALUES_AT..]
    }

    pub(super) fn write(
        folder: &Path,
        rules: Rules,
        seeds: u8,
        values: &[u8],
    ) -> Result<(), FileError> {
        let path = folder.join(Layer::file_name(rules, seeds));
        replace_parts(&path, &[&header(rules, seeds, values), values])
    }
}

/// Verifies a layer's checksum and file name, and returns its rules and number of seeds.
pub fn identify_layer(path: &Path) -> Result<(Rules, u8)> {
    let layer = Layer::open(path)?;
    layer.check()?;
    Ok((layer.rules, layer.seeds))
}

fn frame_error(path: &Path) -> impl FnOnce(FrameError) -> Message {
    move |error| format!("{} {error}", path.display()).into()
}

fn header(rules: Rules, seeds: u8, values: &[u8]) -> [u8; VALUES_AT] {
    let mut header = [0; VALUES_AT];
    let (frame, head) = header.split_at_mut(VALUES_AT - HEAD);
    let name = rules.to_string();
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[HEAD - 1] = seeds;
    frame.copy_from_slice(&FRAME.header(&[head, values]));
    header
}
