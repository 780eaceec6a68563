//! The games that players can play.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use mancala::book::{Book, BookFile};
use mancala::eval;
use mancala::game::ayo::{self, Ayo};
use mancala::game::kalah::{self, Kalah};
use mancala::game::{AnyGame, GameKind};
use mancala::search::{Limits, SearchableGame};

/// The number of opponents in the [first panel](PlayableGame::PANEL).
pub const PANEL_SIZE: usize = 4;

/// A game that players can play, with everything that we need to create players for it and to measure their strength.
pub trait PlayableGame: SearchableGame {
    /// The default weights for a player.
    const WEIGHTS: &str;

    /// The default weights for displaying features, which are easy to read.
    const SHOWN: &str = Self::WEIGHTS;

    /// The first panel. A panel is a set of opponents against which we measure strength. Two of these opponents count
    /// seeds and search deeper, and the other two use more features.
    const PANEL: [(&str, u32); PANEL_SIZE];

    /// The second panel. Its opponents range from weak to strong, so that we can tell champions of any strength apart.
    const PANEL_2: &[(&str, Limits)];

    /// Additional settings for players that search this game.
    const OWN_SETTINGS: &[&str] = &[];

    /// Returns a position whose game tree is small enough to be searched instantly.
    fn shallow(&self) -> Self::Position;

    /// Returns the built-in opening book, if it was made for this game's rules.
    fn book(&self) -> Option<Arc<Book<Self>>> {
        None
    }

    fn kind(self) -> GameKind {
        Into::<AnyGame>::into(self).kind()
    }
}

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

    /// Returns a position with a single seed in the pits, which leaves at most one legal move.
    fn shallow(&self) -> ayo::Position {
        "0-0-0-0-0-1-0-0-0-0-0-0-23-24-S".parse().expect("a valid position")
    }

    fn book(&self) -> Option<Arc<Book<Ayo>>> {
        static BOOK: OnceLock<Option<Arc<Book<Ayo>>>> = OnceLock::new();
        let read = || built_in_book().book(Ayo::default()).map(Arc::new).ok();
        BOOK.get_or_init(read).clone().filter(|book| book.game() == self)
    }
}

pub fn built_in_book() -> BookFile {
    let bytes = include_bytes!("../../assets/book.ayo");
    BookFile::of_bytes(bytes, Path::new("crates/arena/assets/book.ayo")).expect("a valid book")
}

impl PlayableGame for Kalah {
    const WEIGHTS: &str = "stores";
    const PANEL: [(&str, u32); PANEL_SIZE] =
        [("stores", 6), ("stores", 8), ("h1+h2+h3+h4+h5", 4), ("h1+h2", 4)];
    const PANEL_2: &[(&str, Limits)] = &[
        ("stores", Limits::depth(8)),
        ("h1+h2", Limits::depth(4)),
        ("h1+h2+h3+h4+h5", Limits::depth(4)),
        ("h1+h2+h3+h4+h5", Limits::depth(6)),
        ("h1+h2", Limits::depth(6)),
        ("h1+h2", Limits::depth(8)),
    ];

    /// Returns a position whose only move sows the mover's last seed into its store.
    fn shallow(&self) -> kalah::Position {
        let (empty, store) = ("0-".repeat(self.pits() - 1), self.total() / 2 - 1);
        let side = format!("{empty}1-{store}");
        self.position(&format!("{side}-{side}-1")).expect("a valid position")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{self, Player};
    use mancala::game::Record;

    fn has_payoffs<G: PlayableGame>(game: G) {
        let position = game.shallow();
        assert_eq!(game.ended(&position), None, "{position}");
        let mut player: Box<dyn Player<G>> = player::build_for("minimax:depth=60", game).unwrap();
        let payoffs = player.payoffs(&Record::from_position(game, position), &());
        assert_eq!(payoffs.len(), game.moves(&position).len(), "{position}");
    }

    #[test]
    fn a_shallow_position_is_searched_to_the_end_on_every_board() {
        has_payoffs(Ayo::default());
        for board in ["kalah", "kalah:pits=1,seeds=1", "kalah:pits=8,seeds=24,ending=emptier"] {
            has_payoffs::<Kalah>(board.parse().unwrap());
        }
    }
}
