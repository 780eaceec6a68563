//! Verifies tables using only forward moves, whereas the solver works backwards.
//!
//! Every value must equal the best value of the position's moves. This is not sufficient, because values in a loop of
//! moves without captures can support each other. A value other than 0 must also be *realised*: the favoured side must
//! be able to reach it in finitely many plies.

use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;
use rayon::prelude::*;

use super::index::{Rows, next, positions, rank, unrank};
use super::moves::Countable;
use super::shortest_win::Realisation;
use super::solver::{Layers, capture};
use super::tables::Tables;
use crate::game::Side;
use crate::game::ayo::{PITS, Position, SEEDS, total};
use crate::progress::{Counter, Progress};
use crate::random::{Purpose, stream};
use crate::text::{Message, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedLayer {
    pub seeds: u8,
    pub positions: u64,
    pub checked: u64,
    /// The number of sampled positions whose values the search could not show to be realised within its limits.
    pub undecided: u64,
}

/// Verifies each layer from the smallest up, or a random `sample` of its positions, in the current thread pool.
/// `progress` counts positions. Returns false if stopped, or the error in the smallest faulty layer at the lowest
/// position number.
pub fn verify(
    tables: &Tables,
    sample: Option<u64>,
    progress: &dyn Progress,
    mut listener: impl FnMut(VerifiedLayer),
) -> Result<bool> {
    let rules = Countable::new(tables.rules()).expect("rules that tables were built for");
    let layers = tables.values();
    let sizes = (0..tables.len()).map(positions);
    let all = sizes.map(|size| sample.map_or(size, |sample| size.min(sample))).sum();
    let work = Counter::new(progress, all);
    for seeds in 0..tables.len() {
        tables.check(seeds)?;
        let view = View { rules, seeds, values: layers[usize::from(seeds)], smaller: &layers };
        let (checked, undecided, wrong) = match sample {
            Some(size) if size < positions(seeds) => {
                let (undecided, wrong) = view.sample(size, &work);
                (size, undecided, wrong)
            }
            _ => (positions(seeds), 0, view.all(&work)),
        };
        if let Some(wrong) = wrong {
            return Err(view.fault(tables, wrong));
        }
        if work.should_stop() {
            return Ok(false);
        }
        listener(VerifiedLayer { seeds, positions: positions(seeds), checked, undecided });
    }
    Ok(true)
}

/// A layer together with the smaller layers.
struct View<'a> {
    rules: Countable,
    seeds: u8,
    values: &'a [i8],
    smaller: &'a Layers<'a>,
}

/// The number of 64-bit flag words per task.
const CHUNK: usize = 512;

impl View<'_> {
    fn value(&self, rows: Rows) -> i8 {
        self.values[rank(rows) as usize]
    }

    /// Returns the best value of a position's moves, or the value of the end of the game.
    fn best(&self, rows: Rows) -> i8 {
        let move_value = |(after, taken)| match taken {
            0 => self.value(after).wrapping_neg(),
            _ => capture(after, taken, self.seeds, self.smaller),
        };
        let best = self.rules.successors(rows).moves().map(move_value).max();
        best.unwrap_or_else(|| self.rules.settlement(rows))
    }

    fn is_right(&self, rows: Rows, value: i8) -> bool {
        value.unsigned_abs() <= self.seeds && self.best(rows) == value
    }

    /// Checks every position, in sweeps, and returns the lowest number of an incorrect one.
    fn all(&self, work: &Counter) -> Option<u64> {
        let realised: Vec<AtomicU64> =
            (0..self.values.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        // Keep the lowest number, so that the result does not depend on which thread finds an error first.
        let wrong = AtomicU64::new(u64::MAX);
        let mut more = self.sweep(&realised, work, &|rows, number, value| {
            if !self.is_right(rows, value) {
                wrong.fetch_min(number, Ordering::Relaxed);
            }
        });
        work.add(self.values.len() as u64);
        let wrong = wrong.into_inner();
        if wrong != u64::MAX {
            return Some(wrong);
        }
        while more && !work.should_stop() {
            more = self.sweep(&realised, work, &|_, _, _| ());
        }
        if work.should_stop() {
            return None;
        }
        realised.iter().enumerate().find_map(|(at, word)| {
            let missing = self.unset(at, word.load(Ordering::Relaxed));
            (missing != 0).then(|| at as u64 * 64 + u64::from(missing.trailing_zeros()))
        })
    }

    /// Returns the unset flags of a word. In the last word, flags beyond the last position are ignored.
    fn unset(&self, at: usize, word: u64) -> u64 {
        let left = self.values.len() - at * 64;
        !word & if left >= 64 { u64::MAX } else { (1 << left) - 1 }
    }

    /// Flags positions realised by moves to flagged ones, calling `look` for each without a flag. Returns whether any
    /// was set.
    fn sweep(
        &self,
        realised: &[AtomicU64],
        work: &Counter,
        look: &(dyn Fn(Rows, u64, i8) + Sync),
    ) -> bool {
        let chunks = realised.par_chunks(CHUNK).enumerate();
        let found = chunks.map(|(chunk, words)| {
            if work.should_stop() {
                return false;
            }
            let words = words.iter().enumerate().map(|(i, word)| (chunk * CHUNK + i, word));
            words.fold(false, |any, (at, word)| self.sweep_word(at, word, realised, look) || any)
        });
        found.reduce(|| false, |one, other| one || other)
    }

    fn sweep_word(
        &self,
        at: usize,
        word: &AtomicU64,
        realised: &[AtomicU64],
        look: &(dyn Fn(Rows, u64, i8) + Sync),
    ) -> bool {
        let missing = self.unset(at, word.load(Ordering::Relaxed));
        if missing == 0 {
            return false;
        }
        let first = at * 64 + missing.trailing_zeros() as usize;
        let last = at * 64 + 63 - missing.leading_zeros() as usize;
        let mut rows = unrank(self.seeds, first as u64);
        let mut seen = 0;
        for number in first..=last {
            let flag = 1 << (number % 64);
            if missing & flag != 0 {
                let value = self.values[number];
                look(rows, number as u64, value);
                if self.is_realised(rows, value, realised) {
                    word.fetch_or(flag, Ordering::Relaxed);
                    seen |= flag;
                }
            }
            rows = next(rows);
        }
        seen != 0
    }

    /// Returns whether the value of a position is realised by moves to positions whose values are realised.
    fn is_realised(&self, rows: Rows, value: i8, realised: &[AtomicU64]) -> bool {
        if value == 0 {
            return true;
        }
        let is_set =
            |number: usize| realised[number / 64].load(Ordering::Relaxed) >> (number % 64) & 1 == 1;
        let successors = self.rules.successors(rows);
        let mut moves = successors.moves();
        if value < 0 {
            return moves.all(|(after, taken)| taken > 0 || is_set(rank(after) as usize));
        }
        successors.is_empty()
            || moves.any(|(after, taken)| match (taken, rank(after) as usize) {
                (0, number) => self.values[number] == -value && is_set(number),
                _ => capture(after, taken, self.seeds, self.smaller) == value,
            })
    }

    /// Checks random positions. Returns how many are undecided and the lowest number of an incorrect one.
    fn sample(&self, size: u64, work: &Counter) -> (u64, Option<u64>) {
        let (undecided, wrong) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        (0..size).into_par_iter().for_each(|index| {
            if work.should_stop() {
                return;
            }
            let mut rng = stream(0, Purpose::Table, self.seeds.into(), index);
            let number = rng.random_range(0..positions(self.seeds));
            let (rows, value) = (unrank(self.seeds, number), self.values[number as usize]);
            if !self.is_right(rows, value) {
                wrong.fetch_min(number, Ordering::Relaxed);
            } else if !self.is_shown_to_be_realised(rows) {
                undecided.fetch_add(1, Ordering::Relaxed);
            }
            work.add(1);
        });
        let wrong = wrong.into_inner();
        (undecided.into_inner(), (wrong != u64::MAX).then_some(wrong))
    }

    /// Returns whether iterative deepening can show, within the limits, that the value of a position is realised.
    fn is_shown_to_be_realised(&self, rows: Rows) -> bool {
        let mut search = Realisation::new(self.rules, self.smaller, false, MAX_NODES);
        let depths = iter::successors(Some(1), |depth| Some(depth * 2));
        depths.take_while(|depth| *depth <= MAX_DEPTH).any(|plies| search.is_within(rows, plies))
    }

    fn fault(&self, tables: &Tables, number: u64) -> Message {
        let (rows, value) = (unrank(self.seeds, number), self.values[number as usize]);
        let path = tables.layers[usize::from(self.seeds)].path().display();
        let (position, best) = (position_of(rows), self.best(rows));
        let fault = match best == value {
            true => {
                format!("the value {value} of {position} is not reached in finitely many plies")
            }
            false => format!("{position} has the value {value}, but its best move has {best}"),
        };
        format!("{path}: {fault}").into()
    }
}

/// The maximum number of positions in a proof.
const MAX_NODES: u64 = 20_000;
/// The maximum depth of a proof, in plies without a capture.
const MAX_DEPTH: u32 = 256;

/// Returns a position with these rows, nearly equal stores, and South to move.
pub(super) fn position_of(rows: Rows) -> Position {
    let bytes = rows.map(u64::to_le_bytes);
    let pits = std::array::from_fn(|i| bytes[i / PITS][i % PITS]);
    let stored = SEEDS - rows.map(total).iter().sum::<u8>();
    let stores = [stored / 2, stored - stored / 2];
    Position::new(pits, stores, Side::South).expect("the stores hold all other seeds")
}
