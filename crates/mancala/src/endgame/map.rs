//! Memory maps and conversions between signed and unsigned bytes.
#![allow(unsafe_code)]

use std::path::Path;

use memmap2::Mmap;

use crate::store::{self, FileError};

/// Maps a file into memory.
pub(super) fn map(path: &Path) -> Result<Mmap, FileError> {
    let file = store::open(path)?;
    // SAFETY: the bytes must not change while they are mapped. This program never writes into a table: it replaces the
    // file, and a map of the old file keeps the old bytes.
    unsafe { Mmap::map(&file) }.map_err(FileError::of("map", path))
}

pub(super) fn signed(bytes: &[u8]) -> &[i8] {
    // SAFETY: the types have the same size and alignment, and every byte is valid in both.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

pub(super) fn unsigned(values: &[i8]) -> &[u8] {
    // SAFETY: as in [`signed`].
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}
