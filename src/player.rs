//! Anything that picks a move.

mod greedy;
mod minimax;
mod random;
mod spec;

pub use minimax::{Minimax, Pruning};
pub use spec::{Spec, SpecError, build};

use crate::eval::Score;
use crate::game::{Game, Pit, Record, Side};
use crate::search::Monitor;

/// Picks moves. A player sees the opening position and the line played from it, never more, so the
/// same record gives the same choice.
pub trait Player<G: Game>: Send {
    /// A move in a game that has not ended; `None` only if the monitor stopped the player.
    fn choose(&mut self, record: &Record<G>, monitor: &dyn Monitor) -> Option<Choice>;

    /// The line that the player expects, the choice first.
    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        vec![(record.to_move(), choice.pit)]
    }

    /// What each legal move is worth to the side to move, for players that value moves.
    fn payoffs(&mut self, _record: &Record<G>) -> Vec<(Pit, Score)> {
        Vec::new()
    }
}

/// A chosen move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The pit to sow.
    pub pit: Pit,
    /// What the player thinks it is worth, if he values moves.
    pub score: Option<Score>,
    /// Positions that he looked at.
    pub nodes: u64,
}
