//! What of a game is written as text.

use std::error::Error;
use std::fmt::{Debug, Display};

use super::{AnyGame, Game, Pit, Record, Replay, Side, replay};

/// Why a text is no position or line of play of a game.
pub type TextError = Box<dyn Error + Send + Sync>;

/// A place that a seed falls into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hole {
    /// A pit of a side.
    Pit(Side, Pit),
    /// The store of a side.
    Store(Side),
}

/// All holes of a board from the first pit of `mover` on, in the order of sowing: its pits, its store, the pits
/// across.
pub(super) fn round(mover: Side, pits: usize) -> impl Iterator<Item = Hole> + Clone {
    let row = move |side| (0..pits as u8).filter_map(Pit::new).map(move |pit| Hole::Pit(side, pit));
    row(mover).chain([Hole::Store(mover)]).chain(row(mover.other()))
}

/// A game that has a name, and whose positions and lines of play can be written down.
pub trait Notated: Game + Into<AnyGame> {
    /// The name.
    const NAME: &'static str;

    /// What a text of the game with its rules looks like, for messages.
    const FORM: &'static str = Self::NAME;

    /// One ply as written: the side, the pit, and what else the notation may say of it.
    type Ply: Copy + Debug + Display + Eq + Into<(Side, Pit)>;

    /// The game that a text names, which begins with [`NAME`](Self::NAME) up to a colon. `None` if the
    /// text is not even of its form.
    ///
    /// # Errors
    /// If a rule in it is wrong.
    fn read(text: &str) -> Option<Result<Self, String>>;

    /// The game as text, with its rules where its text form has them.
    fn text(&self) -> String;

    /// All that results depend on, under the word for it: `rules: awari`, `game: kalah`.
    fn terms(&self) -> (&'static str, String) {
        ("game", self.text())
    }

    /// The position that a text describes.
    ///
    /// # Errors
    /// If it is none of this game.
    fn read_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// The game that follows the line of a text from a position. Without a position it begins at the
    /// start, with the side that moves first in the line.
    ///
    /// # Errors
    /// If it is no line, or one that cannot be played.
    fn read_line(
        &self,
        text: &str,
        from: Option<Self::Position>,
    ) -> Result<Record<Self>, TextError>;

    /// The plies of a line as written, which need not be playable.
    ///
    /// # Errors
    /// If it is no line.
    fn read_plies(text: &str) -> Result<Vec<Self::Ply>, TextError>;

    /// Plays a written game up to the first ply that is not as written.
    fn replay(self, opening: Self::Position, plies: &[Self::Ply]) -> Replay<Self> {
        replay::plainly(self, opening, plies)
    }

    /// The seeds in South's and in North's pits, each in the order of sowing.
    fn rows(&self, position: &Self::Position) -> [Vec<u16>; 2];

    /// Where each seed of a legal move falls, in order. What the move captures lies in some of these holes, or across
    /// from the last.
    ///
    /// ```
    /// use mancala::game::{Game, Hole, Notated, Pit, Side, kalah::Kalah};
    /// let game = Kalah::default();
    /// let c = Pit::new(2).unwrap();
    /// let last = game.sowing(&game.start(Side::South), c).pop();
    /// assert_eq!(last, Some(Hole::Store(Side::South)));
    /// ```
    fn sowing(&self, position: &Self::Position, pit: Pit) -> Vec<Hole>;

    /// The line of a game in the other notation of the game, if there is one.
    fn other_notation(_record: &Record<Self>) -> Option<String> {
        None
    }

    /// The names of the strategies that a legal move serves. `None` if the game has none that are named.
    fn strategies(&self, _position: &Self::Position, _pit: Pit) -> Option<Vec<String>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::arbitrary::{any_kalah_position, any_position};
    use crate::game::ayo::{Ayo, Rules};
    use crate::laws;

    /// Holes hold what fell into them, but for those that the move captured from, which are empty: what they held
    /// is in the mover's store.
    fn falls_as_played<G: Notated>(game: G, position: &G::Position) -> Result<(), TestCaseError> {
        let mover = game.to_move(position);
        for pit in game.moves(position) {
            let mut rows = game.rows(position);
            rows[mover.index()][pit.index()] = 0;
            let mut stores = Side::BOTH.map(|side| game.store(position, side));
            for hole in game.sowing(position, pit) {
                match hole {
                    Hole::Pit(side, pit) => rows[side.index()][pit.index()] += 1,
                    Hole::Store(side) => stores[side.index()] += 1,
                }
            }
            let after = game.play(position, pit);
            let fallen = rows.concat().into_iter().zip(game.rows(&after).concat());
            let mut captured = 0;
            for (fell, holds) in fallen.filter(|(fell, holds)| fell != holds) {
                prop_assert_eq!(holds, 0, "{} {:?}", position, pit);
                captured += fell;
            }
            stores[mover.index()] += captured;
            prop_assert_eq!(stores, Side::BOTH.map(|side| game.store(&after, side)));
        }
        Ok(())
    }

    laws! {
        #[test]
        fn seeds_fall_as_they_are_played(
            position in any_position(),
            (kalah, of_kalah) in any_kalah_position(),
        ) {
            for (_, rules) in Rules::PRESETS {
                falls_as_played(Ayo { rules }, &position)?;
            }
            falls_as_played(kalah, &of_kalah)?;
        }
    }
}
