//! Readers of binary files.

use std::cell::OnceCell;
use std::path::Path;

use ayo::run::Checkpoint;
use mancala::book::BookFile;
use mancala::endgame::Tables;
use mancala::eval::Layer;
use mancala::game::ayo::{Ayo, Rules};
use mancala::store::Frame;
use tempfile::TempDir;

/// Bytes of the header of a frame.
const HEADER: usize = 24;

/// The bytes with a length and a checksum that fit them, so that what is behind the checksum is read too.
fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, payload) = bytes.split_at_checked(HEADER)?;
    let kind = header[4..8].try_into().ok()?;
    let version = u32::from_le_bytes(header[8..12].try_into().ok()?);
    Some([Frame { kind, version }.header(&[payload]).as_slice(), payload].concat())
}

/// Reads the bytes as they are, and mended.
fn as_they_are_and_mended(bytes: &[u8], read: impl Fn(&[u8])) {
    read(bytes);
    if let Some(mended) = mended(bytes) {
        read(&mended);
    }
}

/// `checkpoint-000040.ayo`.
pub(crate) fn checkpoint(bytes: &[u8]) {
    as_they_are_and_mended(bytes, |bytes| {
        if let Ok(found) = Checkpoint::decode(bytes) {
            assert!(Checkpoint::decode(&found.encode()).is_ok(), "it is not read back");
            _ = (found.generation(), found.settings().map_err(|error| error.to_string()));
        }
    });
}

/// An opening book.
pub(crate) fn book(bytes: &[u8]) {
    let book = |bytes: &[u8]| BookFile::of_bytes(bytes, Path::new("book"))?.book(Ayo::default());
    as_they_are_and_mended(bytes, |bytes| match book(bytes) {
        Ok(found) => {
            let again = book(&found.to_bytes()).expect("it is read back");
            assert_eq!(again.to_bytes(), found.to_bytes(), "it is not read back");
        }
        Err(error) => _ = error.to_string(),
    });
}

/// `features-0123abcd.ayo`, a layer of learned units.
pub(crate) fn units(bytes: &[u8]) {
    as_they_are_and_mended(bytes, |bytes| match Layer::decode(bytes) {
        Ok(found) => assert_eq!(Layer::decode(&found.encode()), Ok(found), "it is not read back"),
        Err(error) => _ = error.to_string(),
    });
}

thread_local! {
    static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
}

/// The first layer of an endgame table.
pub(crate) fn layer(bytes: &[u8]) {
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a temporary folder"));
        as_they_are_and_mended(bytes, |bytes| {
            std::fs::write(folder.path().join("awari-00.ayo"), bytes).expect("a temporary file");
            match Tables::open(folder.path(), Rules::AWARI) {
                Ok(tables) => _ = tables.check(0).map_err(|error| error.to_string()),
                Err(error) => _ = error.to_string(),
            }
        });
    });
}
