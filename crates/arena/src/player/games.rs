//! Games that players can be had for.

mod ayo;
mod kalah;

pub use self::ayo::built_in_book;

use std::sync::Arc;

use super::spec::{Spec, SpecError};
use super::tables::Provided;
use mancala::book::Book;
use mancala::endgame::Tables;
use mancala::game::{AnyGame, GameKind};
use mancala::search::{Limits, SearchableGame};

/// Opponents of the first panel.
pub const PANEL_SIZE: usize = 4;

/// A game that players can be had for: what a game adds to its rules so that the arena, the trainer and
/// the command line serve it.
pub trait PlayableGame: SearchableGame {
    /// The weights of a player for which none are named.
    const WEIGHTS: &str;

    /// The weights whose features are shown if none are named: some that people can read.
    const SHOWN: &str = Self::WEIGHTS;

    /// The opponents of the first panel that strength is measured against, as weights and plies: two that go by
    /// seeds and look far ahead, and two that know more.
    const PANEL: [(&str, u32); PANEL_SIZE];

    /// The opponents of the second panel, as weights and limits of their search. Their strength is graded, to
    /// distinguish champions of weak and of strong evaluators.
    const PANEL_2: &[(&str, Limits)];

    /// Settings of a searching player that only this game knows.
    const OWN_SETTINGS: &[&str] = &[];

    /// A position in which a search sees all there is at once.
    fn shallow(&self) -> Self::Position;

    /// The endgame tables that a specification names.
    ///
    /// # Errors
    /// One sentence that names the player, the setting and the value.
    fn tables(&self, _: &Spec) -> Result<Option<Arc<Tables>>, SpecError> {
        Ok(None)
    }

    /// The endgame tables of a player that needs none named.
    ///
    /// # Errors
    /// One sentence that names the player, the setting and the value.
    fn provided(&self, _: &Spec) -> Result<Option<Provided>, SpecError> {
        Ok(None)
    }

    /// The opening book that is compiled in, if it is for the rules of this game.
    fn book(&self) -> Option<Arc<Book<Self>>> {
        None
    }

    /// Which game it is.
    fn kind(self) -> GameKind {
        Into::<AnyGame>::into(self).kind()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{self, Player};
    use mancala::game::Record;
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    fn sees_all<G: PlayableGame>(game: G) {
        let position = game.shallow();
        assert_eq!(game.ended(&position), None, "{position}");
        let mut player: Box<dyn Player<G>> = player::build_for("minimax:depth=60", game).unwrap();
        let worth = player.payoffs(&Record::from_position(game, position), &());
        assert_eq!(worth.len(), game.moves(&position).len(), "{position}");
    }

    #[test]
    fn a_shallow_position_is_seen_through_on_every_board() {
        sees_all(Ayo::default());
        for board in ["kalah", "kalah:pits=1,seeds=1", "kalah:pits=8,seeds=24,ending=emptier"] {
            sees_all::<Kalah>(board.parse().unwrap());
        }
    }
}
