//! Opening books.

use std::io::{self, Read};
use std::path::Path;

use mancala::book::{BookError, BookFile};
use mancala::game::with_game;
use mancala::store;

use crate::results::ExaminedFile;
use crate::train::inspect::InspectedBook;

/// Whether a file is meant as a book.
pub(super) fn is_book(path: &Path) -> bool {
    let is_framed = path.extension().is_some_and(|ending| ending == "ayo");
    is_framed && first_bytes(path).is_ok_and(|it| BookFile::is_begun_by(&it))
}

fn first_bytes(path: &Path) -> io::Result<[u8; 8]> {
    let mut first = [0; 8];
    store::open(path).map_err(|error| error.source)?.read_exact(&mut first)?;
    Ok(first)
}

/// Examines a book: its bytes, and whether its moves can be played and its values follow from its searches.
pub(super) fn examine(path: &Path, file: &str) -> ExaminedFile {
    match read(path) {
        Ok(InspectedBook { game, expanded, .. }) => ExaminedFile::sound(
            file,
            format!("a book for {game} that knows the moves of {expanded} positions"),
        ),
        Err(reason) => ExaminedFile::damaged(file, "an opening book", reason),
    }
}

fn read(path: &Path) -> Result<InspectedBook, BookError> {
    let file = BookFile::read(path)?;
    with_game!(file.game(), game => Ok(InspectedBook::from(&file.book(game)?)))
}
