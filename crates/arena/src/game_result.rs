//! How a game ended for one of its players.

use serde::{Deserialize, Serialize};

use mancala::game::{Side, Verdict};

/// A game from one player's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// The player lost.
    Loss,
    /// Neither won.
    Draw,
    /// The player won.
    Win,
}

impl GameResult {
    /// The verdict as the player of `side` sees it.
    pub fn of(verdict: Verdict, side: Side) -> GameResult {
        match verdict {
            Verdict::Won(winner) if winner == side => GameResult::Win,
            Verdict::Won(_) => GameResult::Loss,
            Verdict::Drawn => GameResult::Draw,
        }
    }

    /// The verdict that the player of `side` sees so.
    pub fn verdict(self, side: Side) -> Verdict {
        match self {
            GameResult::Win => Verdict::Won(side),
            GameResult::Loss => Verdict::Won(side.other()),
            GameResult::Draw => Verdict::Drawn,
        }
    }

    /// The same game from the opponent's view.
    #[must_use]
    pub fn reversed(self) -> GameResult {
        match self {
            GameResult::Win => GameResult::Loss,
            GameResult::Loss => GameResult::Win,
            GameResult::Draw => GameResult::Draw,
        }
    }

    /// 2 for a win, 1 for a draw.
    pub fn points(self) -> u8 {
        self as u8
    }
}
