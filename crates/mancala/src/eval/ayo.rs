//! The fast evaluators for ayo.

use std::fmt;

mod tables;
#[cfg(target_arch = "x86_64")]
pub(super) mod vector;

use self::tables::Tables;
#[cfg(target_arch = "x86_64")]
use self::vector::Lanes;
use super::{BestLeaf, Evaluator, Leaves, Score, Sum, Weights, best_leaf};
use crate::game::ayo::Feature::{self, *};
use crate::game::ayo::{Ayo, PITS, Position, SEEDS, last_pit_holds};
use crate::game::{Feature as AnyFeature, Owner, Side};

/// The weights of two features that count the same thing, first for the opponent's pits and then for mine.
type Pair = [i32; 2];

/// Weights of all features except the bias and the exact seed counts of pits.
///
/// Architecture invariant: this struct is always destructured without `..`. If a pair is added, the compiler therefore
/// reports every place that must be changed.
#[derive(Debug, Clone)]
struct Pairs {
    /// Threats to capture two seeds from a pit.
    two: Pair,
    three: Pair,
    reach: Pair,
    kroo: Pair,
    seeds: Pair,
    empty: Pair,
    weak: Pair,
}

impl Pairs {
    fn take(sum: &mut Sum<Ayo>) -> Pairs {
        let mut pair = |theirs: Feature, mine: Feature| [sum.take(theirs), sum.take(mine)];
        Pairs {
            two: pair(TheirThreatsOf2, MyThreatsOf2),
            three: pair(TheirThreatsOf3, MyThreatsOf3),
            reach: pair(TheirReach, MyReach),
            kroo: pair(TheirKroo, MyKroo),
            seeds: pair(TheirSeeds, MySeeds),
            empty: pair(TheirEmpty, MyEmpty),
            weak: pair(TheirWeak, MyWeak),
        }
    }
}

/// A weighted sum of ayo features.
///
/// ```
/// use mancala::eval::{Evaluator, Linear, Weights};
/// use mancala::game::Side;
/// let twelve = Linear::new(&Weights::named("reference").unwrap());
/// let position = "13-0-1-0-0-2-3-0-0-0-0-1-20-8-N".parse()?;
/// assert!(twelve.evaluate(&position, Side::South) > twelve.evaluate(&position, Side::North));
/// # Ok::<(), mancala::text::Message>(())
/// ```
#[derive(Debug, Clone)]
pub struct Linear {
    pairs: Pairs,
    /// The total weight of all single-pit features, by pit and seed count. `None` if no feature needs exact counts.
    tables: Option<Tables>,
    bias: i32,
    #[cfg(target_arch = "x86_64")]
    lanes: Option<Lanes>,
    /// Weights by feature, for debug output.
    sum: Sum<Ayo>,
}

impl Linear {
    /// Creates an evaluator for ayo weights. Panics if the weights are for a different game or include hidden neurons.
    /// For arbitrary weights, use [`SearchableGame::searcher`](crate::search::SearchableGame::searcher).
    pub fn new(weights: &Weights) -> Linear {
        Linear::from(Sum::new(weights))
    }

    /// Returns the weighted sum of all single-pit features for one of `owner`'s pits (numbered from 0 in sowing order)
    /// when it holds `seeds` seeds. Returns `None` if a number is too large, or if no feature needs exact seed counts.
    ///
    /// ```
    /// use mancala::eval::{Linear, Weights};
    /// use mancala::game::Owner;
    /// let linear = Linear::new(&Weights::named("m1=3+m1=4+a8").unwrap());
    /// let value = |seeds| linear.pit_value(Owner::Mine, 0, seeds);
    /// assert_eq!([2, 3, 12, 13, 49].map(value), [Some(0), Some(1), Some(0), Some(1), None]);
    /// ```
    pub fn pit_value(&self, owner: Owner, pit: usize, seeds: u8) -> Option<i32> {
        let values = self.tables.as_ref()?.0[owner as usize].get(pit)?;
        values.get(usize::from(seeds)).filter(|_| seeds <= SEEDS).copied()
    }
}

/// Panics if the sum has an unsupported feature.
impl From<Sum<Ayo>> for Linear {
    fn from(sum: Sum<Ayo>) -> Linear {
        let mut rest = sum.clone();
        let bias = rest.take(AnyFeature::Bias);
        let tables = Tables::take_counts(&mut rest);
        let mut pairs = Pairs::take(&mut rest);
        assert!(rest.is_empty(), "unsupported features: {rest}");
        let tables = tables.map(|tables| tables.with(&mut pairs));
        #[cfg(target_arch = "x86_64")]
        let lanes = Lanes::new(&pairs, tables.as_ref(), bias);
        Linear {
            pairs,
            tables,
            bias,
            #[cfg(target_arch = "x86_64")]
            lanes,
            sum,
        }
    }
}

/// Prints the non-zero signed weights.
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sum.fmt(f)
    }
}

impl Evaluator<Ayo> for Linear {
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
        sum += match &self.tables {
            Some(tables) => tables.value([mine, theirs]),
            None => {
                pits(reach, reaching)
                    + pits(kroo, more_than_12)
                    + pits(empty, none)
                    + pits(weak, one_or_two)
            }
        };
        // Finding threats is slow, so we skip this if the weights of threats are 0.
        if [two, three] != [[0; 2]; 2] {
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
        // We pass a reference to a copy, because `leaves` stays in registers only if its address is never taken.
        best_leaf(self, game, position, &{ leaves }, nodes)
    }
}

/// A one in each byte of a row. Adding 128 − n to a byte sets its high bit if the byte is ≥ n.
const ONES: u64 = 0x0101_0101_0101;

#[inline]
fn at_least(row: u64, complements: u64) -> i32 {
    ((row + complements) & (0x80 * ONES)).count_ones() as i32
}

/// Counts the pits from which sowing reaches the other row. Pit `i` needs at least `6 − i` seeds for this.
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

/// Adds `two` for each pit in `from` whose last seed would be the second in a pit in `to`, or `three` for the third.
#[inline]
fn threats(from: u64, to: u64, two: i32, three: i32) -> i32 {
    let value = |pit| match last_pit_holds(from, to, pit) {
        2 => two,
        3 => three,
        _ => 0,
    };
    (0..PITS).map(value).sum()
}
