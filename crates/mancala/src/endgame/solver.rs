//! Retrograde analysis of one layer, i.e. of all positions with the same number of seeds.
//!
//! A capture leads to a smaller layer, which has already been solved. We go through the bounds v from the largest to
//! the smallest. At each bound, we find the positions whose value is
//! - +v, because there is a capture worth v or a move to a position with the value −v;
//! - −v, because no capture is worth more than −v and every other move leads to a position worth +v or more.
//!
//! Once we've found the value of a position, we propagate it to the position's predecessors. The set of positions found
//! at a bound is a least fixpoint, so it doesn't depend on the order of the work or the number of threads. All
//! positions that remain after bound 1 have the value 0: neither side can force a gain, and endless play counts as 0.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicI8, AtomicU8, AtomicU64, Ordering};

use rayon::Scope;
use rayon::prelude::*;

use super::index::{Rows, next, positions, rank, unrank};
use super::layer::Layer;
use super::moves::Countable;
use crate::game::ayo::SEEDS;
use crate::progress::Counter;

const CHUNK: usize = 1 << 15;
/// If a task has queued more positions than this, it spawns a new task and hands over about half of them.
const WAITING: usize = 1 << 12;

const MOST: i8 = SEEDS as i8;

/// Stands for the best capture in a position without captures. It's lower than the value of any actual capture.
const NO_CAPTURE: i8 = -MOST - 1;

/// Encodes the value of the best capture in a position whose own value isn't known yet. The code is below −48 or above
/// 48, because codes from −48 to 48 represent the values of positions.
#[inline]
fn pending(best: i8) -> i8 {
    if best > 0 { best + MOST } else { best + NO_CAPTURE }
}

#[inline]
fn is_pending(code: i8) -> bool {
    !(-MOST..=MOST).contains(&code)
}

/// Returns the values of all positions with `seeds` seeds as signed bytes, by position number, or `None` if stopped.
pub(super) fn solve(
    rules: Countable,
    seeds: u8,
    smaller: &[Layer],
    work: &Counter,
) -> Result<Option<Vec<u8>>, TryReserveError> {
    let Some(solver) = Solver::begin(rules, seeds, smaller, work)? else {
        return Ok(None);
    };
    for bound in (1..=seeds as i8).rev() {
        rayon::scope(|scope| {
            for first in (0..solver.codes.len()).step_by(CHUNK) {
                let solver = &solver;
                scope.spawn(move |scope| solver.settle_chunk(first, bound, scope));
            }
        });
        if work.should_stop() {
            return Ok(None);
        }
    }
    let settled = solver.settled.into_inner();
    work.add(positions(seeds) - settled);
    let value = |code: AtomicI8| {
        let code = code.into_inner();
        if is_pending(code) { 0 } else { code as u8 }
    };
    Ok(Some(solver.codes.into_iter().map(value).collect()))
}

struct Solver<'a> {
    rules: Countable,
    seeds: u8,
    work: &'a Counter<'a>,
    codes: Vec<AtomicI8>,
    /// For each position, the number of non-capturing moves that aren't yet known to lose.
    open: Vec<AtomicU8>,
    settled: AtomicU64,
}

pub(super) fn zeros<T: Copy + Default>(size: usize) -> Result<Vec<T>, TryReserveError> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(size)?;
    zeros.resize(size, T::default());
    Ok(zeros)
}

impl<'a> Solver<'a> {
    fn begin(
        rules: Countable,
        seeds: u8,
        smaller: &[Layer],
        work: &'a Counter<'a>,
    ) -> Result<Option<Solver<'a>>, TryReserveError> {
        // On 32-bit machines, the size may exceed the address space. The allocation then fails.
        let size = usize::try_from(positions(seeds)).unwrap_or(usize::MAX);
        let (mut codes, mut open) = (zeros(size)?, zeros(size)?);
        let chunks = codes.par_chunks_mut(CHUNK).zip(open.par_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, (codes, open))| {
            if work.should_stop() {
                return;
            }
            let mut rows = unrank(seeds, (chunk * CHUNK) as u64);
            for (code, open) in codes.iter_mut().zip(open) {
                let (best, moves) = prospects(rules, rows, seeds, smaller);
                (*code, *open) = (pending(best), moves);
                rows = next(rows);
            }
            work.add(codes.len() as u64);
        });
        if work.should_stop() {
            return Ok(None);
        }
        Ok(Some(Solver {
            rules,
            seeds,
            work,
            codes: codes.into_iter().map(AtomicI8::new).collect(),
            open: open.into_iter().map(AtomicU8::new).collect(),
            settled: AtomicU64::new(0),
        }))
    }

    /// Finds the positions in a chunk whose captures give them the value ±`bound`, and all positions that follow.
    fn settle_chunk<'s>(&'s self, first: usize, bound: i8, scope: &Scope<'s>) {
        if self.work.should_stop() {
            return;
        }
        let last = (first + CHUNK).min(self.codes.len());
        let (won, lost) = (pending(bound), pending(-bound));
        let mut waiting = Vec::new();
        for number in first..last {
            let code = self.codes[number].load(Ordering::Relaxed);
            let value = match code {
                code if code == won => bound,
                code if code == lost && self.open[number].load(Ordering::Relaxed) == 0 => -bound,
                _ => continue,
            };
            if !self.claim(number, code, value) {
                continue;
            }
            waiting.push((unrank(self.seeds, number as u64), value));
            if waiting.len() >= WAITING / 2 {
                self.follow(std::mem::take(&mut waiting), bound, scope);
            }
        }
        self.follow(waiting, bound, scope);
    }

    /// Sets the value of a position unless another thread has already done so. Returns whether this call set it.
    #[inline]
    fn claim(&self, number: usize, code: i8, value: i8) -> bool {
        let order = Ordering::Relaxed;
        self.codes[number].compare_exchange(code, value, order, order).is_ok()
    }

    /// Propagates new values to the predecessors of their positions until this yields no more new values.
    fn follow<'s>(&'s self, mut waiting: Vec<(Rows, i8)>, bound: i8, scope: &Scope<'s>) {
        if waiting.is_empty() {
            return;
        }
        let (mut before, mut looked) = (Vec::new(), 0);
        while let Some((rows, value)) = waiting.pop() {
            before.clear();
            self.rules.unmoves(rows, |rows| {
                let number = rank(rows) as usize;
                before.push((number, self.codes[number].load(Ordering::Relaxed), rows));
            });
            for &(number, code, rows) in &before {
                if value < 0 {
                    if is_pending(code) && self.claim(number, code, bound) {
                        waiting.push((rows, bound));
                    }
                } else if code < pending(0) && self.closes(number, code, bound) {
                    waiting.push((rows, -bound));
                }
            }
            looked += 1;
            if waiting.len() > WAITING {
                let half = waiting.split_off(WAITING / 2);
                scope.spawn(move |scope| self.follow(half, bound, scope));
            }
        }
        self.settled.fetch_add(looked, Ordering::Relaxed);
        self.work.add(looked);
    }

    /// Records that one more move loses. If that leaves nothing better than −`bound`, sets this value and returns true.
    #[inline]
    fn closes(&self, number: usize, code: i8, bound: i8) -> bool {
        self.open[number].fetch_sub(1, Ordering::Relaxed) == 1
            && code <= pending(-bound)
            && self.claim(number, code, -bound)
    }
}

/// Returns the value of the best capture (or of the end of the game) and the number of non-capturing moves.
#[inline]
fn prospects(rules: Countable, rows: Rows, seeds: u8, smaller: &[Layer]) -> (i8, u8) {
    let successors = rules.successors(rows);
    if successors.is_empty() {
        return (rules.settlement(rows), 0);
    }
    successors.moves().fold((NO_CAPTURE, 0), |(best, open), (_, after, taken)| match taken {
        0 => (best, open + 1),
        _ => (best.max(move_value(after, taken, seeds, smaller)), open),
    })
}

/// Returns the value of a move from a position with `seeds` seeds, including all later gains.
#[inline]
pub(super) fn move_value(after: Rows, taken: u8, seeds: u8, layers: &[Layer]) -> i8 {
    (taken as i8).wrapping_sub(layers[usize::from(seeds - taken)].value(rank(after)))
}
