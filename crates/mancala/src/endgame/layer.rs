//! The file of one layer.
//!
//! A framed file (see [`Frame`]) of kind `ENDG`. Its payload is 39 bytes of the text of the rules, filled
//! up with zeros, one byte with the number of seeds, and then a byte a position in the order of their
//! numbers: its value as a signed number. With the header of the frame the values begin at byte 64.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::index::positions;
use super::map::{map, signed, unsigned};
use crate::game::ayo::{Rules, SEEDS};
use crate::store::{FileError, Frame, FrameError, replace_by_pieces};

const FRAME: Frame = Frame { kind: *b"ENDG", version: 1 };
/// Bytes before the values in the payload.
const HEAD: usize = 40;
/// Bytes before the values in the file.
const VALUES_AT: usize = 64;

/// Why a file is not the layer that is needed.
#[derive(Debug, thiserror::Error)]
pub enum LayerError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is damaged, or no layer at all.
    #[error("{} {source}", path.display())]
    Frame {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: FrameError,
    },
    /// Its values do not follow the rules that are played.
    #[error("{} is a table of the rules {found}, not {expected}", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// Its rules.
        found: String,
        /// The rules asked for.
        expected: Rules,
    },
    /// Its number of seeds is not the one in its name, or does not go with its length.
    #[error("{} says that it holds the positions with {found} seeds", path.display())]
    Seeds {
        /// The file.
        path: PathBuf,
        /// The number of seeds that it names.
        found: u8,
    },
}

/// The values of one number of seeds, with the head of their file.
#[derive(Debug)]
pub(super) struct Layer {
    /// Without a folder if there is no such file.
    path: PathBuf,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Held(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Held(bytes) => bytes,
        }
    }
}

impl Layer {
    /// The name of the file of a layer.
    pub(super) fn file_name(rules: Rules, seeds: u8) -> String {
        format!("{}{seeds:02}.ayo", stem(rules))
    }

    /// Opens a layer, looking at its head alone.
    pub(super) fn open(folder: &Path, rules: Rules, seeds: u8) -> Result<Layer, LayerError> {
        let path = folder.join(Layer::file_name(rules, seeds));
        let map = map(&path)?;
        let payload = match FRAME.open(&map) {
            Ok(payload) => payload,
            Err(source) => return Err(LayerError::Frame { path, source }),
        };
        let found = head_of(payload).map_or_else(String::new, |(rules, _)| rules);
        if found != rules.to_string() {
            return Err(LayerError::Rules { path, found, expected: rules });
        }
        let size = HEAD as u64 + positions(seeds);
        match payload[HEAD - 1] {
            found if found != seeds || payload.len() as u64 != size => {
                Err(LayerError::Seeds { path, found })
            }
            _ => Ok(Layer { path, bytes: Bytes::Mapped(map) }),
        }
    }

    /// A layer that is in no file.
    pub(super) fn held(rules: Rules, seeds: u8, values: &[i8]) -> Layer {
        let head = head(rules, seeds);
        let values = unsigned(values);
        let frame = FRAME.header(&[&head, values]);
        let bytes = [frame.as_slice(), &head, values].concat();
        Layer { path: Layer::file_name(rules, seeds).into(), bytes: Bytes::Held(bytes) }
    }

    /// Checks that the file has not changed since it was written.
    pub(super) fn check(&self) -> Result<(), LayerError> {
        let checked = FRAME.verify(&self.bytes).map(|_| ());
        checked.map_err(|source| LayerError::Frame { path: self.path.clone(), source })
    }

    /// The checksum in its head, which covers the values.
    pub(super) fn checksum(&self) -> [u8; 4] {
        FRAME.checksum_of(&self.bytes)
    }

    /// The values of all positions, by number.
    pub(super) fn values(&self) -> &[i8] {
        signed(&self.bytes[VALUES_AT..])
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a layer in one piece or not at all.
    pub(super) fn write(
        folder: &Path,
        rules: Rules,
        seeds: u8,
        values: &[i8],
    ) -> Result<(), FileError> {
        let head = head(rules, seeds);
        let values = unsigned(values);
        let frame = FRAME.header(&[&head, values]);
        let path = folder.join(Layer::file_name(rules, seeds));
        replace_by_pieces(&path, &[&frame, &head, values])
    }
}

/// What the payload of a layer begins with.
fn head(rules: Rules, seeds: u8) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let name = rules.to_string();
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[HEAD - 1] = seeds;
    head
}

/// What the names of the files of a table begin with.
fn stem(rules: Rules) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    rules.to_string().chars().map(plain).chain(['-']).collect()
}

/// The rules and the number of seeds that the payload of a file names.
fn head_of(payload: &[u8]) -> Option<(String, u8)> {
    let (&seeds, name) = payload.get(..HEAD)?.split_last()?;
    let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
    Some((String::from_utf8_lossy(name).into_owned(), seeds))
}

/// The rules and seeds of the layer in a file, if it has not changed since it was written and has the name of
/// one. Reads all of it.
pub(super) fn examine(path: &Path) -> Result<(Rules, u8), LayerError> {
    let map = map(path)?;
    let payload = FRAME.verify(&map);
    let payload = payload.map_err(|source| LayerError::Frame { path: path.to_owned(), source })?;
    let Some((rules, seeds)) = head_of(payload).filter(|(_, seeds)| *seeds <= SEEDS) else {
        return Err(LayerError::Seeds { path: path.to_owned(), found: 0 });
    };
    let wrong = || LayerError::Seeds { path: path.to_owned(), found: seeds };
    let rules: Rules = rules.parse().map_err(|_| wrong())?;
    let is_named = path.file_name().is_some_and(|it| it == Layer::file_name(rules, seeds).as_str());
    if is_named { Ok((rules, seeds)) } else { Err(wrong()) }
}

/// The rules of a file, if it is a layer of a table and has the name of one.
pub(super) fn rules_of(path: &Path) -> Option<Rules> {
    let map = map(path).ok()?;
    let (rules, seeds) = head_of(FRAME.open(&map).ok()?)?;
    let rules: Rules = rules.parse().ok()?;
    let name = path.file_name()?.to_str()?;
    (seeds <= SEEDS && name == Layer::file_name(rules, seeds)).then_some(rules)
}
