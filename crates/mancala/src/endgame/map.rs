//! Memory maps and conversions between signed and unsigned bytes.
#![allow(unsafe_code)]

use std::io::{self, Write};
use std::path::Path;

use memmap2::{Mmap, MmapMut};

use crate::store::{self, FileError};

/// Maps a file into memory.
pub(super) fn map(path: &Path) -> Result<Mmap, FileError> {
    let file = store::open(path)?;
    // SAFETY: the mapped bytes do not change, because this program replaces existing table files and never writes to
    // them.
    unsafe { Mmap::map(&file) }.map_err(FileError::of("map", path))
}

/// Creates an anonymous memory map and copies the pieces into it, one after another.
pub(super) fn anonymous(pieces: &[&[u8]]) -> io::Result<Mmap> {
    let mut map = MmapMut::map_anon(pieces.iter().map(|piece| piece.len()).sum())?;
    let mut rest = &mut map[..];
    for piece in pieces {
        rest.write_all(piece)?;
    }
    map.make_read_only()
}

pub(super) fn signed(bytes: &[u8]) -> &[i8] {
    // SAFETY: the types have the same size and alignment, and every byte is valid in both.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

pub(super) fn unsigned(values: &[i8]) -> &[u8] {
    // SAFETY: as in [`signed`].
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}
