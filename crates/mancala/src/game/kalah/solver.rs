//! Solves small boards exactly, using a null-window search and a transposition table.
//!
//! The value of a position is the number of seeds that the mover will still bring home minus the number that the
//! opponent will still bring home, so it doesn't depend on the stores. Since all seeds end up in a store, the value has
//! the same parity as the number of seeds on the board, so possible values are two apart.

mod board;
mod table;

use std::iter;

use self::board::{Board, Next, Sowings};
use self::table::{Bounds, Table};
use super::Kalah;
use crate::game::Pit;
use crate::progress::Progress;
use crate::text::Result;

/// The maximum number of seeds on a board that we can solve. Each pit is stored as a byte with a spare bit.
pub const MAX_TOTAL: u16 = 127;

/// A solver for one board, with a memory limit.
#[derive(Debug, Clone, Copy)]
pub struct Solver {
    game: Kalah,
    /// The number of pairs of entries in the table.
    pairs: usize,
}

/// Bounds on the value of a board, which is the first player's margin under perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueBounds {
    pub low: i32,
    pub high: i32,
    /// The number of positions searched so far.
    pub nodes: u64,
}

impl Solver {
    /// Creates a solver whose table uses at most `memory` bytes.
    pub fn new(game: Kalah, memory: u64) -> Result<Solver> {
        let total = game.total();
        if total > MAX_TOTAL {
            let only = format!("only boards with up to {MAX_TOTAL} can be solved");
            return Err(format!("{game} has {total} seeds, but {only}").into());
        }
        let pairs = table::pairs_within(memory, &game).ok_or_else(|| {
            let (s, least) = (if memory == 1 { "" } else { "s" }, table::MIN_MEMORY);
            format!("{memory} byte{s} of memory is not enough: at least {least} is required")
        })?;
        Ok(Solver { game, pairs })
    }

    /// Returns the size of the table in bytes.
    pub fn memory(&self) -> u64 {
        table::bytes(self.pairs)
    }

    /// Solves the initial position and returns the bounds on its value, which are then equal. Returns `None` if
    /// `progress` stopped the search.
    ///
    /// Progress is the number of values that have been ruled out so far, which is `2 * seeds` when only the true value
    /// is left. `listener` is called after each step.
    ///
    /// ```
    /// use mancala::game::kalah::{Kalah, solver::Solver};
    /// let solver = Solver::new(Kalah::new(4, 3)?, 1 << 20)?;
    /// let mut bounds = Vec::new();
    /// let solved = solver.solve(&(), |bound| bounds.push([bound.low, bound.high]))?;
    /// assert_eq!(solved.map(|solved| solved.low), Some(6));
    /// assert_eq!(bounds.last(), Some(&[6, 6]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(
        &self,
        progress: &dyn Progress,
        mut listener: impl FnMut(&ValueBounds),
    ) -> Result<Option<ValueBounds>> {
        let (sowings, table) = (Sowings::new(&self.game), Table::new(self.pairs)?);
        let mut search = Search { sowings, table, progress, nodes: 0 };
        let board = Board::start(&self.game);
        let total = board.seeds();
        let mut bounds = ValueBounds { low: -total, high: total, nodes: 0 };
        // The first player wins most boards by a small margin, so start with a bound of 1 or 2.
        let mut beta = if total % 2 == 0 { 2 } else { 1 };
        while bounds.low < bounds.high {
            let Some(found) = search.value(board, beta) else { return Ok(None) };
            if found >= beta {
                (bounds.low, beta) = (found, found + 2);
            } else {
                (bounds.high, beta) = (found, found);
            }
            bounds.nodes = search.nodes;
            let all = 2 * total.unsigned_abs();
            progress.advance((all - bounds.high.abs_diff(bounds.low)).into(), all.into());
            listener(&bounds);
        }
        Ok(Some(bounds))
    }
}

struct Search<'a> {
    sowings: Sowings,
    table: Table,
    progress: &'a dyn Progress,
    nodes: u64,
}

const CHECK_INTERVAL: u64 = 1 << 16;

/// A move that does not end the game, and the board after it.
#[derive(Clone, Copy)]
struct Branch {
    gain: i32,
    board: Board,
    /// 1 if the same side moves again, −1 otherwise.
    sign: i32,
    /// Moves with a higher rank are searched first.
    rank: i32,
}

impl Branch {
    const NONE: Branch = Branch { gain: 0, board: Board::EMPTY, sign: 1, rank: 0 };
}

impl Search<'_> {
    /// Returns a lower bound if the value is at least `beta`, and an upper bound otherwise. Returns `None` if stopped.
    fn value(&mut self, board: Board, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_INTERVAL) && self.progress.should_stop() {
            return None;
        }
        let seeds = board.seeds();
        let place = self.table.place(board);
        let known = self.table.get(place, board);
        let mut known = known.unwrap_or(Bounds { low: -seeds as i8, high: seeds as i8 });
        if i32::from(known.low) >= beta {
            return Some(known.low.into());
        }
        if i32::from(known.high) < beta {
            return Some(known.high.into());
        }
        let found = self.best(board, beta)?;
        *(if found >= beta { &mut known.low } else { &mut known.high }) = found as i8;
        self.table.put(place, board, seeds, known);
        Some(found)
    }

    /// Like [`value`](Self::value), but without looking up the position in the table.
    fn best(&mut self, board: Board, beta: i32) -> Option<i32> {
        let mut branches = [Branch::NONE; Pit::MAX as usize];
        let (mut count, mut best) = (0, i32::MIN);
        for pit in board.occupied().rev() {
            let (gain, next) = self.sowings.play(board, pit);
            let (board, sign, rank) = match next {
                Next::End(margin) => {
                    best = best.max(gain + margin);
                    continue;
                }
                // Try pits near the store first. The player can still sow the other pits later in this turn.
                Next::Again(board) => (board, 1, 1000 + pit as i32),
                Next::Turn(board) => (board, -1, 16 * gain + pit as i32),
            };
            branches[count] = Branch { gain, board, sign, rank };
            count += 1;
        }
        let branches = &mut branches[..count];
        let known = branches.iter().filter_map(|branch| self.least(branch));
        if let Some(least) = iter::once(best).chain(known).find(|least| *least >= beta) {
            return Some(least);
        }
        branches.sort_unstable_by_key(|branch| -branch.rank);
        for &Branch { gain, board, sign, .. } in branches.iter() {
            let found = if sign > 0 {
                gain + self.value(board, beta - gain)?
            } else {
                gain - self.value(board, gain - beta + 1)?
            };
            best = best.max(found);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Returns a lower bound on the value of a move, if the table has one.
    fn least(&self, branch: &Branch) -> Option<i32> {
        let known = self.table.get(self.table.place(branch.board), branch.board)?;
        let least = if branch.sign > 0 { i32::from(known.low) } else { -i32::from(known.high) };
        Some(branch.gain + least)
    }
}

#[cfg(test)]
mod tests;
