//! Ayo for players.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::{PANEL_SIZE, PlayableGame};
use crate::player::settings;
use crate::player::spec::{Spec, SpecError};
use crate::player::tables::Provided;
use mancala::book::{Book, BookFile};
use mancala::endgame::Tables;
use mancala::eval;
use mancala::game::ayo::{Ayo, Position};
use mancala::search::Limits;

impl PlayableGame for Ayo {
    const WEIGHTS: &str = eval::LEARNED;
    const SHOWN: &str = eval::REFERENCE;
    const PANEL: [(&str, u32); PANEL_SIZE] =
        [("seeds", 7), ("seeds", 9), ("daoud2004-depth5", 5), ("aalina4", 5)];
    const PANEL_2: &[(&str, Limits)] = &[
        ("seeds", Limits::depth(9)),
        ("aalina4", Limits::depth(7)),
        (eval::LEARNED_0_2, Limits::depth(3)),
        (eval::LEARNED_0_2, Limits::depth(4)),
        (eval::LEARNED_0_2, Limits::depth(6)),
        (eval::LEARNED_0_2, Limits::nodes(1000)),
        (eval::LEARNED_0_2, Limits::nodes(3000)),
    ];
    const OWN_SETTINGS: &[&str] = &["tables"];

    /// A single seed goes round.
    fn shallow(&self) -> Position {
        "0-0-0-0-0-1-0-0-0-0-0-0-23-24-S".parse().expect("a valid position")
    }

    fn tables(&self, spec: &Spec) -> Result<Option<Arc<Tables>>, SpecError> {
        settings::tables(spec, self.rules)
    }

    fn provided(&self, spec: &Spec) -> Result<Option<Provided>, SpecError> {
        settings::provided(spec, self.rules)
    }

    fn book(&self) -> Option<Arc<Book<Ayo>>> {
        static BOOK: OnceLock<Option<Arc<Book<Ayo>>>> = OnceLock::new();
        let read = || built_in_book().book(Ayo::default()).map(Arc::new).ok();
        BOOK.get_or_init(read).clone().filter(|book| book.game() == self)
    }
}

/// The opening book that is compiled in.
///
/// # Panics
/// If it was not one when the program was built.
pub fn built_in_book() -> BookFile {
    let bytes = include_bytes!("../../../assets/book.ayo");
    BookFile::of_bytes(bytes, Path::new("crates/evolution/assets/book.ayo"))
        .expect("the file has been read before")
}
