//! What games came to.

use super::game::{Effort, End, Played};
use super::game_result::GameResult;
use super::pentanomial::PairScore;
use mancala::game::{Settlement, Side};

/// What a game of a batch came to. Of two players the one that moved first comes first.
///
/// All but the effort follows from the batch alone: result, stores, line and end are the same wherever
/// and however often the game is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The result of the player that moved first.
    pub result: GameResult,
    /// Final stores, with what the end awarded.
    pub stores: [u16; 2],
    /// The moves as letters run together.
    pub line: String,
    /// How the game ended.
    pub end: End,
    /// What the players spent.
    pub effort: [Effort; 2],
}

impl Outcome {
    /// The outcome of a game that `mover` began.
    pub(super) fn new(mover: Side, line: String, played: Played) -> Outcome {
        let sides = [mover, mover.other()];
        let Played { end, settlement: Settlement { stores, verdict }, effort } = played;
        Outcome {
            result: GameResult::of(verdict, mover),
            stores: sides.map(|side| stores[side.index()]),
            line,
            end,
            effort: sides.map(|side| effort[side.index()]),
        }
    }

    /// Positions that both players looked at.
    pub fn nodes(&self) -> u64 {
        self.effort.iter().map(|effort| effort.nodes).sum()
    }

    /// All that follows from the batch alone, which is all but the effort.
    pub fn game(&self) -> (GameResult, [u16; 2], &str, &End) {
        (self.result, self.stores, &self.line, &self.end)
    }
}

impl PairScore {
    /// The scores of games that are [pairs](super::Meeting::pair) of meetings, from the view of the
    /// player that moves first in the first game of each.
    pub fn of_pairs(outcomes: &[Outcome]) -> Vec<PairScore> {
        let (pairs, _) = outcomes.as_chunks::<2>();
        let score =
            |[one, other]: &[Outcome; 2]| PairScore::of([one.result, other.result.reversed()]);
        pairs.iter().map(score).collect()
    }
}
