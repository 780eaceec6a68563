//! Payoff matrices of the thesis (3.4, theorem 1), and the matrix of blocks (theorem 2).

use mancala::game::ayo::{Ayo, PITS, Position, Rules};
use mancala::game::{Game, Pit};

/// What becomes of a pit that cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// It passes the turn, and a capture may take the whole row, as in figure 3.11.
    Passing,
    /// It is no move, and has no row or column; the golden rule holds.
    Legal,
}

/// a_ij = x_i − y_ij: what the side to move captures from pit i, less what its opponent captures from its
/// pit j after that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payoffs {
    /// A row for each pit of the side to move, a column for each of its opponent's, both in the order of
    /// sowing. `None` where a move is not legal and does not count as a pass.
    pub cells: [[Option<i32>; PITS]; PITS],
}

impl Payoffs {
    /// The matrix of a position.
    pub fn of(position: &Position, reading: Reading) -> Payoffs {
        let rules = match reading {
            Reading::Passing => Rules::WIPE_OUT,
            Reading::Legal => Rules::AYO,
        };
        let game = Ayo { rules };
        let row = |from: usize| {
            let first = play(&game, position, from, reading);
            std::array::from_fn(|to| {
                let (gain, after) = first?;
                let (loss, _) = play(&game, &after, to, reading)?;
                Some(gain - loss)
            })
        };
        Payoffs { cells: std::array::from_fn(row) }
    }

    /// The most that the side to move is sure of by a row; 0 without any.
    pub fn maximin(&self) -> i32 {
        let least = |row: &[Option<i32>; PITS]| row.iter().flatten().min().copied();
        self.cells.iter().filter_map(least).max().unwrap_or(0)
    }

    /// The most that its opponent has to allow by a column; 0 without any.
    pub fn minimax(&self) -> i32 {
        // A reply that one row has and another has not is no column of the matrix: the reply is chosen after
        // the move, so that the rows are compared by the columns that they have.
        let most = |to: usize| self.cells.iter().filter_map(|row| row[to]).max();
        (0..PITS).filter_map(most).min().unwrap_or(0)
    }

    /// Whether both are the same.
    pub fn saddle(&self) -> bool {
        self.maximin() == self.minimax()
    }
}

/// What a move captures, and the position after it; a pass captures nothing.
fn play(game: &Ayo, position: &Position, pit: usize, reading: Reading) -> Option<(i32, Position)> {
    let (mover, pit) = (position.to_move(), Pit::new(pit as u8)?);
    if game.moves(position).contains(pit) {
        let after = game.play(position, pit);
        return Some((i32::from(after.store(mover) - position.store(mover)), after));
    }
    (reading == Reading::Passing).then(|| (0, position.passed()))
}

/// A block of algorithm I: the pit at which it begins, and how often that pit was filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The pit, counted from 1.
    pub pit: u32,
    /// k_j.
    pub times: u32,
    /// The entries of pits 1 to `pit`, before they are multiplied by k_j.
    pub entries: Vec<i64>,
}

/// The matrix of theorem 2 for one size of board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks {
    /// Pits a side.
    pub pits: u32,
    /// A row for each block, the farthest first.
    pub rows: Vec<Block>,
}

impl Blocks {
    /// The sums of the columns: the largest vector, x₁ first.
    pub fn sums(&self) -> Vec<i64> {
        let mut sums = vec![0; self.pits as usize];
        for block in &self.rows {
            for (sum, entry) in sums.iter_mut().zip(&block.entries) {
                *sum += entry * i64::from(block.times);
            }
        }
        sums
    }
}

/// The matrix for a board of so many pits a side.
pub fn blocks(pits: u32) -> Blocks {
    let (mut above, mut step) = (0, 0);
    let mut rows = Vec::new();
    for j in (1..=i64::from(pits)).rev() {
        let low: i64 = above - step;
        let times = (j + 1 - low) / (j + 1);
        above = (j + 1) * times + low;
        step += 2 * times;
        if times > 0 {
            // It begins at j + 1 and falls by two a pit, below zero where farther pits give more than is needed.
            let entries = (1..=j).map(|pit| j + 1 - 2 * (j - pit)).collect();
            rows.push(Block { pit: j as u32, times: times as u32, entries });
        }
    }
    Blocks { pits, rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::endgame::cdg::{block_count, maximal};

    #[test]
    fn columns_add_up_to_the_largest_vector() {
        for pits in 1..=60 {
            let found = blocks(pits);
            let expected: Vec<i64> = maximal(pits as usize).into_iter().map(i64::from).collect();
            assert_eq!((found.sums(), found.rows.len() as u64), (expected, block_count(pits)));
        }
    }

    /// A reply can only take from what a move captures.
    #[test]
    fn payoffs_are_captures_less_captures() {
        let position: Position = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S".parse().unwrap();
        let found = Payoffs::of(&position, Reading::Legal);
        assert_eq!(found.cells[0], [None; PITS], "A is empty");
        let game = Ayo::default();
        for pit in game.moves(&position) {
            let gain = i32::from(game.play(&position, pit).store(position.to_move())) - 17;
            let row = found.cells[pit.index()];
            assert!(row.iter().flatten().all(|&cell| cell <= gain), "{pit:?}");
            assert!(
                row.iter().flatten().any(|&cell| cell == gain),
                "{pit:?}: some reply takes nothing"
            );
        }
    }
}
