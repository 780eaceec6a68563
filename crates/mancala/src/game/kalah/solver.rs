//! Exact values of small boards from the start, by a search with a table.
//!
//! The value of a position is the margin still to come: what the mover will bring home from here on
//! less what the opponent will. Positions that differ in their stores alone have the same value. All
//! seeds are brought home in the end, so a value is as odd or even as the seeds on the board, and a
//! null window two wide decides between neighbouring values.

mod board;
mod table;

use self::board::{Board, Next, Sowings};
use self::table::{Bounds, Table};
use super::Kalah;
use crate::game::Pit;
use crate::memory::MemoryError;
use crate::progress::Progress;

/// The most seeds of a board that can be solved: a byte per pit has to hold them with a bit to spare.
pub const MAX_TOTAL: u16 = 127;

/// A board to be solved within some memory.
#[derive(Debug, Clone, Copy)]
pub struct Solver {
    game: Kalah,
    /// Entries of the table, as a power of two.
    bits: u32,
}

/// Why a board cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The board has too many seeds.
    #[error("{0} has {total} seeds, boards with up to {MAX_TOTAL} can be solved", total = .0.total())]
    Seeds(Kalah),
    /// The memory is too little.
    #[error("{0} byte{s} of memory is too little: {least} is the least", s = if *.0 == 1 { "" } else { "s" }, least = table::bytes(table::MIN_BITS))]
    Memory(u64),
}

/// What is known of the value while it is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Narrowed {
    /// The value is not lower.
    pub low: i32,
    /// The value is not higher.
    pub high: i32,
    /// Positions searched so far.
    pub nodes: u64,
}

/// The value of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The first player's margin when both play their best.
    pub value: i32,
    /// Positions searched.
    pub nodes: u64,
}

impl Solver {
    /// A solver of `game` that takes at most `memory` bytes.
    ///
    /// # Errors
    /// If the board has more than [`MAX_TOTAL`] seeds or the memory is too little for any table.
    pub fn new(game: Kalah, memory: u64) -> Result<Solver, SolverError> {
        if game.total() > MAX_TOTAL {
            return Err(SolverError::Seeds(game));
        }
        let bits = table::bits_within(memory, &game).ok_or(SolverError::Memory(memory))?;
        Ok(Solver { game, bits })
    }

    /// The size of the table in bytes. The rest takes some dozens of kilobytes.
    pub fn memory(&self) -> u64 {
        table::bytes(self.bits)
    }

    /// The value of the start position for the first player; `None` if the progress stopped the search.
    ///
    /// The progress counts the values that are ruled out, of the `2 * seeds` besides the true one.
    /// `listener` hears of each step that rules some out.
    ///
    /// ```
    /// use mancala::game::kalah::{Kalah, solver::Solver};
    /// let solver = Solver::new(Kalah::new(4, 3)?, 1 << 20)?;
    /// let mut bounds = Vec::new();
    /// let solved = solver.solve(&(), |it| bounds.push([it.low, it.high]))?;
    /// assert_eq!(solved.map(|it| it.value), Some(6));
    /// assert_eq!(bounds.last(), Some(&[6, 6]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn solve(
        &self,
        progress: &dyn Progress,
        mut listener: impl FnMut(&Narrowed),
    ) -> Result<Option<Solved>, MemoryError> {
        Ok(Search::new(self, progress)?.solve(Board::start(&self.game), &mut listener))
    }
}

struct Search<'a> {
    sowings: Sowings,
    table: Table,
    progress: &'a dyn Progress,
    nodes: u64,
}

/// The progress is asked once in so many nodes.
const ASKING: u64 = 1 << 16;

/// A move that does not end the game.
#[derive(Clone, Copy)]
struct Branch {
    gain: i32,
    board: Board,
    /// 1 if the same side moves on, −1 if the other does.
    sign: i32,
    /// Larger is searched earlier.
    rank: i32,
}

impl Branch {
    const NONE: Branch = Branch { gain: 0, board: Board::EMPTY, sign: 1, rank: 0 };
}

impl<'a> Search<'a> {
    fn new(solver: &Solver, progress: &'a dyn Progress) -> Result<Search<'a>, MemoryError> {
        let (sowings, table) = (Sowings::new(&solver.game), Table::new(solver.bits)?);
        Ok(Search { sowings, table, progress, nodes: 0 })
    }

    /// The value of a board for the mover.
    fn solve(mut self, board: Board, listener: &mut dyn FnMut(&Narrowed)) -> Option<Solved> {
        let total = board.seeds();
        let (mut low, mut high) = (-total, total);
        // Most starts are a small win, so the windows climb from there.
        let mut beta = if total % 2 == 0 { 2 } else { 1 };
        while low < high {
            let found = self.value(board, beta)?;
            if found >= beta {
                (low, beta) = (found, found + 2);
            } else {
                (high, beta) = (found, found);
            }
            let all = 2 * total.unsigned_abs();
            self.progress.advance((all - high.abs_diff(low)).into(), all.into());
            listener(&Narrowed { low, high, nodes: self.nodes });
        }
        Some(Solved { value: low, nodes: self.nodes })
    }

    /// A lower bound on the value that is at least `beta`, or an upper bound below it. `None` if the
    /// progress stops it.
    fn value(&mut self, board: Board, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(ASKING) && self.progress.should_stop() {
            return None;
        }
        let seeds = board.seeds();
        let place = self.table.place(board);
        let known = self.table.get(place, board).unwrap_or(Bounds { low: -seeds, high: seeds });
        if known.low >= beta {
            return Some(known.low);
        }
        if known.high < beta {
            return Some(known.high);
        }
        let mut room = [Branch::NONE; Pit::MAX as usize];
        let found = match self.branches(board, beta, &mut room) {
            Decided::Already(value) => value,
            Decided::Among(branches, best) => self.best(branches, best, beta)?,
        };
        let bounds = if found >= beta {
            Bounds { low: found, ..known }
        } else {
            Bounds { high: found, ..known }
        };
        self.table.put(place, board, seeds, bounds);
        Some(found)
    }

    /// The moves, the likely best first, unless one of them is known to be enough.
    fn branches<'b>(&self, board: Board, beta: i32, room: &'b mut [Branch]) -> Decided<'b> {
        let mut best = i32::MIN;
        let mut count = 0;
        for pit in board.occupied().rev() {
            let (gain, next) = self.sowings.play(board, pit);
            let (board, sign, rank) = match next {
                Next::End(margin) => {
                    best = best.max(gain + margin);
                    continue;
                }
                // Near home first: what lies behind can still follow.
                Next::Again(board) => (board, 1, 1000 + pit as i32),
                Next::Turn(board) => (board, -1, 16 * gain + pit as i32),
            };
            room[count] = Branch { gain, board, sign, rank };
            count += 1;
        }
        if best >= beta {
            return Decided::Already(best);
        }
        let branches = &mut room[..count];
        for branch in branches.iter() {
            if let Some(least) = self.least(branch)
                && least >= beta
            {
                return Decided::Already(least);
            }
        }
        branches.sort_unstable_by_key(|branch| -branch.rank);
        Decided::Among(branches, best)
    }

    /// What the table says that a move is worth at least.
    fn least(&self, branch: &Branch) -> Option<i32> {
        let known = self.table.get(self.table.place(branch.board), branch.board)?;
        Some(branch.gain + if branch.sign > 0 { known.low } else { -known.high })
    }

    fn best(&mut self, branches: &[Branch], mut best: i32, beta: i32) -> Option<i32> {
        for &Branch { gain, board, sign, .. } in branches {
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
}

/// What a look at the moves decides.
enum Decided<'b> {
    /// The value, as far as it was asked for.
    Already(i32),
    /// Nothing: these moves have to be searched. The number is the best of the moves that end the game.
    Among(&'b [Branch], i32),
}

#[cfg(test)]
mod tests;
