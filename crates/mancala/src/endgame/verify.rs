//! Checking tables against the rules, forwards only: the solver works backwards.
//!
//! That every value is the best of its successors' is not enough. Where play may go on without end, the
//! equations have several solutions: with a loop of moves without captures, a value can support itself.
//! So every value other than 0 must also be *realised*: the side that it favours reaches it in finitely
//! many plies whatever the other does.

mod proof;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;
use rayon::prelude::*;

use self::proof::Proof;
use super::index::{Rows, next, positions, rank, unrank};
use super::layer::LayerError;
use super::moves::Countable;
use super::solver::{Layers, capture};
use super::tables::Tables;
use crate::game::Side;
use crate::game::ayo::{PITS, Position, SEEDS, total};
use crate::progress::{Counter, Progress};
use crate::random::{Purpose, stream};

/// How many positions are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every position.
    Whole,
    /// At most this many of each layer, drawn at random.
    Sample(u64),
}

/// A layer in which nothing wrong was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// The seeds on the board.
    pub seeds: u8,
    /// The positions in the layer.
    pub positions: u64,
    /// Those that were looked at.
    pub looked_at: u64,
    /// Positions drawn whose value agrees with the values of their successors, while too many lines of play
    /// would have to be searched to show that it is realised.
    pub undecided: u64,
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A layer is damaged.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// A value is not the best that the moves lead to.
    #[error("{}: {position} has the value {value}, its moves bring {best}", path.display())]
    Value {
        /// The layer's file.
        path: PathBuf,
        /// The position, with stores made up and South to move.
        position: Box<Position>,
        /// What the table says.
        value: i8,
        /// What follows from the positions that moves lead to.
        best: i8,
    },
    /// A value supports only itself.
    #[error("{}: the value {value} of {position} is not reached in finitely many plies", path.display())]
    Endless {
        /// The layer's file.
        path: PathBuf,
        /// The position, with stores made up and South to move.
        position: Box<Position>,
        /// What the table says.
        value: i8,
    },
}

impl Extent {
    /// The positions that are looked at in the layer with so many seeds.
    fn positions(self, seeds: u8) -> u64 {
        match self {
            Extent::Whole => positions(seeds),
            Extent::Sample(size) => size.min(positions(seeds)),
        }
    }
}

/// Checks every layer from the smallest up, in the current pool of threads. `checked` hears of each
/// layer that is right.
///
/// The progress counts the positions that are looked at. Returns false if it stopped the check.
///
/// # Errors
/// The first fault: that of the lowest layer, and in it that of the position with the lowest number.
///
/// # Panics
/// Never: tables exist only for rules that count in seeds.
pub fn verify(
    tables: &Tables,
    extent: Extent,
    progress: &dyn Progress,
    mut checked: impl FnMut(Checked),
) -> Result<bool, Fault> {
    let rules = Countable::new(tables.rules()).expect("rules that tables were built for");
    let layers = tables.values();
    let all = (0..tables.len()).map(|seeds| extent.positions(seeds)).sum();
    let work = Counter::new(progress, all);
    for seeds in 0..tables.len() {
        tables.check(seeds)?;
        let view = View { rules, seeds, values: layers[usize::from(seeds)], smaller: &layers };
        let (looked_at, undecided, wrong) = match extent {
            Extent::Sample(size) if size < positions(seeds) => {
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
        checked(Checked { seeds, positions: positions(seeds), looked_at, undecided });
    }
    Ok(true)
}

/// A layer with those below it.
struct View<'a> {
    rules: Countable,
    seeds: u8,
    values: &'a [i8],
    smaller: &'a Layers<'a>,
}

/// The number of a position whose value is wrong.
type Wrong = u64;

/// Words of 64 flags that one task looks through.
const CHUNK: usize = 512;

impl View<'_> {
    fn value(&self, rows: Rows) -> i8 {
        self.values[rank(rows) as usize]
    }

    /// The best that the moves of a position bring.
    fn best(&self, rows: Rows) -> i8 {
        let brought = |(after, taken)| match taken {
            0 => self.value(after).wrapping_neg(),
            _ => capture(after, taken, self.seeds, self.smaller),
        };
        let best = self.rules.outlook(rows).moves().map(brought).max();
        best.unwrap_or_else(|| self.rules.settlement(rows))
    }

    fn is_right(&self, rows: Rows, value: i8) -> bool {
        value.unsigned_abs() <= self.seeds && self.best(rows) == value
    }

    /// Checks every position. Then it looks again at those not yet seen to be realised, until a sweep finds
    /// no more.
    fn all(&self, work: &Counter) -> Option<Wrong> {
        let realised: Vec<AtomicU64> =
            (0..self.values.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let wrong = Mutex::new(None);
        let mut more = self.sweep(&realised, work, &|rows, number, value| {
            if !self.is_right(rows, value) {
                lower(&wrong, number);
            }
        });
        work.add(self.values.len() as u64);
        let found = *wrong.lock().unwrap_or_else(|error| error.into_inner());
        if found.is_some() {
            return found;
        }
        while more && !work.should_stop() {
            more = self.sweep(&realised, work, &|_, _, _| ());
        }
        if work.should_stop() {
            return None;
        }
        let full = |(at, word): (usize, &AtomicU64)| {
            let missing = self.unset(at, word.load(Ordering::Relaxed));
            (missing != 0).then(|| at as u64 * 64 + u64::from(missing.trailing_zeros()))
        };
        realised.iter().enumerate().find_map(full)
    }

    /// The flags of a word that are not set and stand for a position.
    fn unset(&self, at: usize, word: u64) -> u64 {
        let left = self.values.len() - at * 64;
        let there = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        !word & there
    }

    /// Sets the flags of positions that are seen to be realised; whether there were any. `look` is called
    /// with every position not seen to be so before.
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
        let lowest = missing.trailing_zeros() as usize;
        let first = at * 64 + lowest;
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

    /// Whether a position is realised, as far as it can be seen from those that are.
    fn is_realised(&self, rows: Rows, value: i8, realised: &[AtomicU64]) -> bool {
        if value == 0 {
            return true;
        }
        let is_set =
            |number: usize| realised[number / 64].load(Ordering::Relaxed) >> (number % 64) & 1 == 1;
        let outlook = self.rules.outlook(rows);
        let mut moves = outlook.moves();
        if value < 0 {
            return moves.all(|(after, taken)| taken > 0 || is_set(rank(after) as usize));
        }
        outlook.is_over()
            || moves.any(|(after, taken)| match (taken, rank(after) as usize) {
                (0, number) => self.values[number] == -value && is_set(number),
                _ => capture(after, taken, self.seeds, self.smaller) == value,
            })
    }

    /// Checks positions drawn at random. Returns how many are undecided, and the lowest that is wrong.
    fn sample(&self, size: u64, work: &Counter) -> (u64, Option<Wrong>) {
        let undecided = AtomicU64::new(0);
        let wrong = Mutex::new(None);
        let purpose = |index| stream(0, Purpose::Table, self.seeds.into(), index);
        (0..size).into_par_iter().for_each(|index| {
            if work.should_stop() {
                return;
            }
            let number = purpose(index).random_range(0..positions(self.seeds));
            let (rows, value) = (unrank(self.seeds, number), self.values[number as usize]);
            if !self.is_right(rows, value) {
                lower(&wrong, number);
            } else if !Proof::of(self, rows) {
                undecided.fetch_add(1, Ordering::Relaxed);
            }
            work.add(1);
        });
        let wrong = wrong.into_inner().unwrap_or_else(|error| error.into_inner());
        (undecided.into_inner(), wrong)
    }

    fn fault(&self, tables: &Tables, wrong: Wrong) -> Fault {
        let (rows, value) = (unrank(self.seeds, wrong), self.values[wrong as usize]);
        let path = tables.path(self.seeds).to_owned();
        let position = Box::new(position_of(rows));
        match self.best(rows) {
            best if best == value => Fault::Endless { path, position, value },
            best => Fault::Value { path, position, value, best },
        }
    }
}

/// Keeps the lowest number, so that what is reported does not depend on the order of work.
fn lower(lowest: &Mutex<Option<Wrong>>, number: Wrong) {
    let mut lowest = lowest.lock().unwrap_or_else(|error| error.into_inner());
    *lowest = Some(lowest.map_or(number, |lowest| lowest.min(number)));
}

/// A position with these rows, South to move, and stores that make it whole.
pub(super) fn position_of(rows: Rows) -> Position {
    let bytes = rows.map(u64::to_le_bytes);
    let pits = std::array::from_fn(|i| bytes[i / PITS][i % PITS]);
    let stored = SEEDS - rows.map(total).iter().sum::<u8>();
    let stores = [stored / 2, stored - stored / 2];
    Position::new(pits, stores, Side::South).expect("the stores make it 48")
}
