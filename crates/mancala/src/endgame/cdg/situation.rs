//! A whole board: a vector, and the opponent's one seed.

use super::vector::{harvest, of_sum};
use crate::game::Side;
use crate::game::ayo::{PITS, Position, SEEDS};

/// A CDG on the board of two rows. The place of the opponent's one seed tells whose move it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    vector: Vec<u32>,
    opponent_moves: bool,
}

/// A row of table 3.5 that a board does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("row {row} does not exist on {pits} pits, whose rows are 1 to {last}")]
pub struct SituationError {
    row: u32,
    pits: usize,
    last: u32,
}

impl Situation {
    /// A row of the thesis' table 3.5, for any number of pits a side. An odd row n has n seeds, the
    /// opponent's in its first pit and its move; an even one n + 1, in its second, and the other's move.
    ///
    /// # Errors
    /// For row 0, and for a row beyond the maximal vector of the board.
    pub fn of_row(row: u32, pits: usize) -> Result<Situation, SituationError> {
        let vector = if row == 0 { None } else { of_sum(pits, row - row % 2) };
        let last = || 1 + super::maximal(pits).iter().sum::<u32>();
        let vector = vector.ok_or_else(|| SituationError { row, pits, last: last() })?;
        Ok(Situation { vector, opponent_moves: row % 2 == 1 })
    }

    /// The row of the side that captures, its pit nearest to the opponent first.
    pub fn vector(&self) -> &[u32] {
        &self.vector
    }

    /// Whether it is the move of the side with one seed.
    pub fn opponent_moves(&self) -> bool {
        self.opponent_moves
    }

    /// The row of table 3.5.
    pub fn row(&self) -> u32 {
        self.vector.iter().sum::<u32>() + u32::from(self.opponent_moves)
    }

    /// Seeds in the pit that is played: what table 3.6 lists.
    pub fn played(&self) -> u32 {
        match (self.opponent_moves, super::harvestable(&self.vector)) {
            (false, Some(pit)) => pit as u32 + 1,
            _ => 1,
        }
    }

    /// The board after the next move; `None` when the last seed is the opponent's to move.
    pub fn next(&self) -> Option<Situation> {
        if self.opponent_moves {
            let some_left = self.vector.iter().any(|&seeds| seeds > 0);
            return some_left.then(|| Situation { opponent_moves: false, ..self.clone() });
        }
        harvest(&self.vector).map(|vector| Situation { vector, opponent_moves: true })
    }

    /// The position with South to capture, North's store at 24 and South's at the rest: no side has more
    /// than half before the end. `None` unless the board has six pits.
    pub fn position(&self) -> Option<Position> {
        let mut pits = [0; 2 * PITS];
        if self.vector.len() != PITS {
            return None;
        }
        for (pit, &seeds) in pits[..PITS].iter_mut().rev().zip(&self.vector) {
            *pit = seeds as u8;
        }
        pits[if self.opponent_moves { PITS } else { PITS + 1 }] = 1;
        let half = SEEDS / 2;
        let own = half - pits.iter().sum::<u8>();
        let mover = if self.opponent_moves { Side::North } else { Side::South };
        Position::new(pits, [own, half], mover).ok()
    }
}
