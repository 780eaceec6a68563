//! Verifies tables using only forward moves, so that errors in the solver's backward moves can't go unnoticed.
//!
//! Every value must equal the best value among the position's moves. That isn't sufficient, because in a loop of
//! non-capturing moves, the values can support each other, so a non-zero value must also be *realised*, i.e. the
//! favoured side must be able to achieve it in finitely many plies.

use std::iter;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::RngExt;
use rayon::prelude::*;

use super::index::{Rows, next, positions, rank, unrank};
use super::layer::Layer;
use super::moves::Countable;
use super::shortest_win::Realisation;
use super::solver::move_value;
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
    /// The number of positions in the sample whose value a limited search couldn't verify.
    pub undecided: u64,
}

/// Verifies all layers in the current thread pool, smallest first. If `sample` is given, checks only that many random
/// positions per layer. `progress` counts positions. Returns false if `progress` stopped the verification. If any
/// values are wrong, the error names the lowest position with a wrong value in the smallest such layer.
pub fn verify(
    tables: &Tables,
    sample: Option<u64>,
    progress: &dyn Progress,
    mut listener: impl FnMut(VerifiedLayer),
) -> Result<bool> {
    let rules = Countable::new(tables.rules()).expect("rules that tables were built for");
    let checked = |seeds| positions(seeds).min(sample.unwrap_or(u64::MAX));
    let work = Counter::new(progress, (0..tables.len()).map(checked).sum());
    for seeds in 0..tables.len() {
        tables.check(seeds)?;
        let view = View { rules, seeds, layers: &tables.layers };
        let (positions, checked) = (positions(seeds), checked(seeds));
        let (undecided, wrong) = match checked < positions {
            true => view.sample(checked, &work),
            false => (0, view.all(&work)),
        };
        if let Some(wrong) = wrong {
            return Err(view.fault(wrong));
        }
        if work.should_stop() {
            return Ok(false);
        }
        listener(VerifiedLayer { seeds, positions, checked, undecided });
    }
    Ok(true)
}

/// The layer with `seeds` seeds, together with all smaller layers.
struct View<'a> {
    rules: Countable,
    seeds: u8,
    layers: &'a [Layer],
}

struct Flags(Vec<AtomicU64>);

impl Flags {
    fn get(&self, number: u64) -> bool {
        self.0[number as usize / 64].load(Relaxed) >> (number % 64) & 1 != 0
    }

    fn set(&self, number: u64) {
        self.0[number as usize / 64].fetch_or(1 << (number % 64), Relaxed);
    }
}

const CHUNK: u64 = 1 << 15;

impl View<'_> {
    fn layer(&self) -> &Layer {
        &self.layers[usize::from(self.seeds)]
    }

    fn best(&self, rows: Rows) -> i8 {
        let value = |(_, after, taken)| move_value(after, taken, self.seeds, self.layers);
        let best = self.rules.successors(rows).moves().map(value).max();
        best.unwrap_or_else(|| self.rules.settlement(rows))
    }

    fn is_right(&self, rows: Rows, number: u64) -> bool {
        let value = self.layer().value(number);
        value.unsigned_abs() <= self.seeds && self.best(rows) == value
    }

    /// Checks every position. Returns the lowest number whose value isn't its best move's, or else isn't realised.
    fn all(&self, work: &Counter) -> Option<u64> {
        let size = positions(self.seeds);
        let chunks = (0..size.div_ceil(CHUNK)).into_par_iter();
        let wrong = chunks.clone().find_map_first(|chunk| {
            let is_wrong = |&(number, rows): &(u64, Rows)| !self.is_right(rows, number);
            if work.should_stop() { None } else { self.chunk(chunk).find(is_wrong) }
        });
        work.add(size);
        if let Some((number, _)) = wrong {
            return Some(number);
        }
        let realised = Flags((0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect());
        // Flags the positions whose values are realised by moves to flagged positions. Returns whether any were new.
        let sweep = |chunk| {
            let mut found = false;
            let chunk = (!work.should_stop()).then(|| self.chunk(chunk));
            for (number, rows) in chunk.into_iter().flatten() {
                if !realised.get(number) && self.is_realised(rows, number, &realised) {
                    realised.set(number);
                    found = true;
                }
            }
            found
        };
        while !work.should_stop() && chunks.clone().map(sweep).reduce(|| false, |a, b| a || b) {}
        (0..size).find(|&number| !realised.get(number)).filter(|_| !work.should_stop())
    }

    fn chunk(&self, chunk: u64) -> impl Iterator<Item = (u64, Rows)> {
        let numbers = chunk * CHUNK..positions(self.seeds).min((chunk + 1) * CHUNK);
        let first = unrank(self.seeds, numbers.start);
        numbers.zip(iter::successors(Some(first), |&rows| Some(next(rows))))
    }

    /// Returns whether the value of a position is realised by moves to positions whose values are realised.
    fn is_realised(&self, rows: Rows, number: u64, realised: &Flags) -> bool {
        let value = self.layer().value(number);
        let is_realised = |after, taken| taken > 0 || realised.get(rank(after));
        let successors = self.rules.successors(rows);
        let mut moves = successors.moves();
        match value {
            0 => true,
            ..0 => moves.all(|(_, after, taken)| is_realised(after, taken)),
            _ if successors.is_empty() => true,
            _ => moves.any(|(_, after, taken)| {
                move_value(after, taken, self.seeds, self.layers) == value
                    && is_realised(after, taken)
            }),
        }
    }

    /// Checks random positions. Returns how many couldn't be verified, and the lowest number of a wrong one, if any.
    fn sample(&self, size: u64, work: &Counter) -> (u64, Option<u64>) {
        let undecided = AtomicU64::new(0);
        let wrong = (0..size).into_par_iter().filter_map(|index| {
            if work.should_stop() {
                return None;
            }
            let mut rng = stream(0, Purpose::Table, self.seeds.into(), index);
            let number = rng.random_range(0..positions(self.seeds));
            let rows = unrank(self.seeds, number);
            let is_right = self.is_right(rows, number);
            if is_right && !self.is_shown_to_be_realised(rows) {
                undecided.fetch_add(1, Relaxed);
            }
            work.add(1);
            (!is_right).then_some(number)
        });
        let wrong = wrong.min();
        (undecided.into_inner(), wrong)
    }

    /// Tries to show by iterative deepening that the value of a position is realised. Returns false if it hits a limit.
    fn is_shown_to_be_realised(&self, rows: Rows) -> bool {
        let mut search = Realisation::new(self.rules, self.layers, false, MAX_NODES);
        let depths = iter::successors(Some(1), |depth| Some(depth * 2));
        depths.take_while(|depth| *depth <= MAX_DEPTH).any(|plies| search.is_within(rows, plies))
    }

    fn fault(&self, number: u64) -> Message {
        let (rows, value) = (unrank(self.seeds, number), self.layer().value(number));
        let (path, position, best) =
            (self.layer().path.display(), position_of(rows), self.best(rows));
        if best == value {
            let fault = "is not reached in finitely many plies";
            return format!("{path}: the value {value} of {position} {fault}").into();
        }
        format!("{path}: {position} has the value {value}, but its best move has {best}").into()
    }
}

const MAX_NODES: u64 = 20_000;
/// The maximum depth of a proof, in plies without a capture.
const MAX_DEPTH: u32 = 256;

/// Returns a position with these rows, nearly equal stores and South to move.
pub(super) fn position_of(rows: Rows) -> Position {
    let bytes = rows.map(u64::to_le_bytes);
    let pits = std::array::from_fn(|i| bytes[i / PITS][i % PITS]);
    let stored = SEEDS - rows.map(total).iter().sum::<u8>();
    let stores = [stored / 2, stored - stored / 2];
    Position::new(pits, stores, Side::South).expect("the stores hold all other seeds")
}
