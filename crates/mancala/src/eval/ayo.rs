//! The fast evaluators of ayo.

use std::fmt;

mod tables;
#[cfg(target_arch = "x86_64")]
pub(super) mod vector;

pub use self::tables::PitTables;

#[cfg(target_arch = "x86_64")]
use self::vector::Lanes;
use super::{BestLeaf, Evaluator, Leaves, Score, Sum, Weights, best_leaf};
use crate::game::Side;
use crate::game::ayo::Feature::{self, *};
use crate::game::ayo::{Ayo, PITS, Position, last_pit_holds};

/// The weights of a pair of features that compute the same number, first for the opponent's pits and then for mine.
type Pair = [i32; 2];

/// The weights of the features that the fast evaluators support.
///
/// Architecture invariant: code destructures this struct without `..`, so that the compiler finds every place affected
/// by a new pair.
#[derive(Debug, Clone)]
struct Pairs {
    /// The weights of threats to capture two seeds from a pit.
    two: Pair,
    /// The weights of threats to capture three seeds from a pit.
    three: Pair,
    reach: Pair,
    kroo: Pair,
    seeds: Pair,
    empty: Pair,
    weak: Pair,
}

impl Pairs {
    /// Extracts the weights from a sum. Returns `None` if the sum contains any other feature.
    fn of(sum: &Sum<Ayo>) -> Option<Pairs> {
        let mut rest = sum.clone();
        let mut pair = |theirs: Feature, mine: Feature| [rest.take(theirs), rest.take(mine)];
        let pairs = Pairs {
            two: pair(TheirThreatsOf2, MyThreatsOf2),
            three: pair(TheirThreatsOf3, MyThreatsOf3),
            reach: pair(TheirReach, MyReach),
            kroo: pair(TheirKroo, MyKroo),
            seeds: pair(TheirSeeds, MySeeds),
            empty: pair(TheirEmpty, MyEmpty),
            weak: pair(TheirWeak, MyWeak),
        };
        rest.is_empty().then_some(pairs)
    }
}

/// Values that depend on the number of seeds in each pit.
pub trait ByContents {
    /// Whether there are any values of this kind. If not, the features of single pits are computed one by one.
    const COUNT: bool;

    /// Returns the total value of two rows.
    fn value(&self, rows: [u64; 2]) -> i32;
}

/// The weights contain no values of this kind.
impl ByContents for () {
    const COUNT: bool = false;

    #[inline(always)]
    fn value(&self, _rows: [u64; 2]) -> i32 {
        0
    }
}

/// A weighted sum. `THREATS`: whether any of the slow features a1–a4 may count. Tables include all single-pit features.
#[derive(Debug, Clone)]
pub struct Linear<const THREATS: bool, T = ()> {
    pairs: Pairs,
    contents: T,
    bias: i32,
    #[cfg(target_arch = "x86_64")]
    lanes: Option<Lanes<T>>,
    /// The weights by feature, which are printed for debugging.
    sum: Sum<Ayo>,
}

impl<const THREATS: bool> Linear<THREATS> {
    fn new(pairs: Pairs, sum: Sum<Ayo>) -> Self {
        Linear {
            #[cfg(target_arch = "x86_64")]
            lanes: Lanes::new(&pairs, |_| (), 0),
            pairs,
            contents: (),
            bias: 0,
            sum,
        }
    }
}

/// The fastest evaluator for given weights.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "there is one per search")]
pub enum FastEvaluator {
    /// At least one of a1–a4 has a non-zero weight.
    WithThreats(Linear<true>),
    /// All of a1–a4 have weight 0.
    WithoutThreats(Linear<false>),
    /// There is a bias, or a feature that depends on the exact number of seeds in one pit.
    PitTables(PitTables),
    /// There is a feature that the fast evaluators do not support.
    General(Sum<Ayo>),
}

/// Returns the fastest evaluator for ayo weights without hidden neurons; panics for others. For all weights, see
/// [`SearchableGame::searcher`](crate::search::SearchableGame::searcher).
pub fn fast_evaluator(weights: &Weights) -> FastEvaluator {
    compiled(Sum::new(weights))
}

pub(crate) fn compiled(sum: Sum<Ayo>) -> FastEvaluator {
    match Pairs::of(&sum) {
        None => PitTables::of(&sum).map_or(FastEvaluator::General(sum), FastEvaluator::PitTables),
        Some(pairs) if [pairs.two, pairs.three] == [[0; 2]; 2] => {
            FastEvaluator::WithoutThreats(Linear::new(pairs, sum))
        }
        Some(pairs) => FastEvaluator::WithThreats(Linear::new(pairs, sum)),
    }
}

/// Selects the variant for every position. This is only used for single positions and for features next to hidden
/// neurons: searches are compiled separately for each variant.
///
/// ```
/// use mancala::eval::{Evaluator, Weights, fast_evaluator};
/// use mancala::game::Side;
/// let twelve = fast_evaluator(&Weights::named("reference").unwrap());
/// let position = "13-0-1-0-0-2-3-0-0-0-0-1-20-8-N".parse()?;
/// assert!(twelve.evaluate(&position, Side::South) > twelve.evaluate(&position, Side::North));
/// # Ok::<(), mancala::text::Message>(())
/// ```
impl Evaluator<Ayo> for FastEvaluator {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        match self {
            FastEvaluator::WithThreats(linear) => linear.evaluate(position, me),
            FastEvaluator::WithoutThreats(linear) => linear.evaluate(position, me),
            FastEvaluator::PitTables(tabled) => tabled.evaluate(position, me),
            FastEvaluator::General(sum) => sum.evaluate(position, me),
        }
    }
}

/// Writes the non-zero signed weights.
impl fmt::Display for FastEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FastEvaluator::WithThreats(linear) => linear.fmt(f),
            FastEvaluator::WithoutThreats(linear) => linear.fmt(f),
            FastEvaluator::PitTables(tabled) => tabled.fmt(f),
            FastEvaluator::General(sum) => sum.fmt(f),
        }
    }
}

/// Writes the non-zero signed weights.
impl<const THREATS: bool, T> fmt::Display for Linear<THREATS, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sum.fmt(f)
    }
}

impl<const THREATS: bool, T: ByContents + Sync> Evaluator<Ayo> for Linear<THREATS, T> {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let you = me.other();
        let &Pairs { two, three, reach, kroo, seeds, empty, weak } = &self.pairs;
        let (mine, theirs) = (position.row_word(me), position.row_word(you));
        let pits =
            |pair: Pair, count: fn(u64) -> i32| pair[0] * count(theirs) + pair[1] * count(mine);
        let mut sum = self.bias
            + seeds[0] * i32::from(position.store(you))
            + seeds[1] * i32::from(position.store(me));
        sum += if T::COUNT {
            self.contents.value([mine, theirs])
        } else {
            pits(reach, reaching)
                + pits(kroo, more_than_12)
                + pits(empty, none)
                + pits(weak, one_or_two)
        };
        if THREATS {
            sum +=
                threats(theirs, mine, two[0], three[0]) + threats(mine, theirs, two[1], three[1]);
        }
        Score(sum)
    }

    #[inline(always)]
    fn best_leaf(
        &self,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = &self.lanes {
            return lanes.best_leaf(game, position, leaves, nodes);
        }
        // Pass a reference to a copy, because `leaves` stays in registers if its address is never taken.
        best_leaf(self, game, position, &{ leaves }, nodes)
    }
}

/// A one in every byte of a row. Adding 128 minus a bound sets the high bit of the bytes, at most 48, that reach it.
const ONES: u64 = 0x0101_0101_0101;

#[inline]
fn at_least(row: u64, complements: u64) -> i32 {
    ((row + complements) & (0x80 * ONES)).count_ones() as i32
}

/// Counts the pits that reach the other row: pit `i` needs `6 − i` seeds.
#[inline]
fn reaching(row: u64) -> i32 {
    at_least(row, 0x80 * ONES - 0x0102_0304_0506)
}

#[inline]
fn more_than_12(row: u64) -> i32 {
    at_least(row, (0x80 - 13) * ONES)
}

#[inline]
fn none(row: u64) -> i32 {
    PITS as i32 - at_least(row, 0x7F * ONES)
}

#[inline]
fn one_or_two(row: u64) -> i32 {
    at_least(row, 0x7F * ONES) - at_least(row, (0x80 - 3) * ONES)
}

/// Adds up `two` for each pit of `from` whose last seed makes two in `to`, and `three` for each that makes three.
#[inline]
fn threats(from: u64, to: u64, two: i32, three: i32) -> i32 {
    let value = |pit| match last_pit_holds(from, to, pit) {
        2 => two,
        3 => three,
        _ => 0,
    };
    (0..PITS).map(value).sum()
}
