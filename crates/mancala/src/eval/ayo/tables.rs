//! Evaluation with tables of pit values by the number of seeds in a pit.
//!
//! Every single-pit feature, such as "my pits that reach the opponent's row", is folded into the tables and so costs
//! nothing extra.

#[cfg(target_arch = "x86_64")]
use super::vector::Lanes;
use super::{ByContents, Linear, Pairs};
use crate::eval::Sum;
use crate::game::ayo::{Ayo, PITS, SEEDS};
use crate::game::{Feature, Owner, PitCount};

/// A weighted sum that includes a bias and features for exact numbers of seeds in single pits.
///
/// The absolute value of an evaluation stays below half of the score of a win: a pit counts in at most four features
/// (threat, reach, size and number of seeds), the stores share 48 seeds, and the bias counts once. The sum is at most
/// 97 times the largest weight.
pub type PitTables = Linear<true, Tables>;

/// Values indexed by row, pit and number of seeds in the pit.
type Values = [[[i32; CONTENTS]; PITS]; 2];

/// The number of values per pit: a power of two above any number of seeds, so that lookups need no bounds checks.
const CONTENTS: usize = 64;

/// A table with the value of every pit of both rows for every number of seeds in it.
#[derive(Debug, Clone)]
pub struct Tables(Box<Values>);

impl PitTables {
    /// Returns the evaluator for a sum, or `None` if the sum has an unsupported feature.
    pub(super) fn of(sum: &Sum<Ayo>) -> Option<PitTables> {
        let mut rest = sum.clone();
        let bias = rest.take(Feature::Bias);
        let mut tables = Tables::zero();
        for holds in PitCount::all() {
            tables.add(holds, rest.take(holds));
        }
        let pairs = Pairs::of(&rest)?;
        let pairs = tables.take(pairs);
        Some(Linear {
            #[cfg(target_arch = "x86_64")]
            lanes: Lanes::new(&pairs, |sign| tables.seen(sign), bias),
            pairs,
            contents: tables,
            bias,
            sum: sum.clone(),
        })
    }

    /// Returns the total contribution of all single-pit features for `seeds` seeds in a pit of `owner`. Pits are
    /// numbered from 0 in sowing order. Returns `None` if there is no such pit or number of seeds.
    ///
    /// ```
    /// use mancala::eval::{FastEvaluator, Weights, fast_evaluator};
    /// use mancala::game::Owner;
    /// let FastEvaluator::PitTables(tabled) = fast_evaluator(&Weights::named("m1=3+m1=4+a8").unwrap()) else { unreachable!() };
    /// let value = |seeds| tabled.value(Owner::Mine, 0, seeds);
    /// assert_eq!([2, 3, 12, 13, 49].map(value), [Some(0), Some(1), Some(0), Some(1), None]);
    /// ```
    pub fn value(&self, owner: Owner, pit: usize, seeds: u8) -> Option<i32> {
        let row = usize::from(owner == Owner::Theirs);
        let values = self.contents.0[row].get(pit)?;
        values.get(usize::from(seeds)).filter(|_| seeds <= SEEDS).copied()
    }
}

impl Tables {
    fn zero() -> Tables {
        Tables(Box::new([[[0; CONTENTS]; PITS]; 2]))
    }

    fn add(&mut self, count: PitCount, weight: i32) {
        let row = usize::from(count.owner == Owner::Theirs);
        let values = &mut self.0[row][usize::from(count.pit)];
        let seeds = usize::from(count.seeds);
        let last = if count.is_open_ended() { CONTENTS - 1 } else { seeds };
        values[seeds..=last].iter_mut().for_each(|value| *value += weight);
    }

    /// Adds the weights of features of single pits to the tables, and returns the remaining weights.
    fn take(&mut self, pairs: Pairs) -> Pairs {
        let Pairs { two, three, reach, kroo, seeds, empty, weak } = pairs;
        for (row, pits) in self.0.iter_mut().enumerate() {
            // A pair starts with the weight for the opponent's pits, but the tables start with my row.
            let [reach, kroo, empty, weak] = [reach, kroo, empty, weak].map(|pair| pair[1 - row]);
            for (pit, values) in pits.iter_mut().enumerate() {
                for (seeds, value) in values.iter_mut().enumerate() {
                    *value += i32::from(pit + seeds >= PITS) * reach
                        + i32::from(seeds > 12) * kroo
                        + i32::from(seeds == 0) * empty
                        + i32::from(seeds == 1 || seeds == 2) * weak;
                }
            }
        }
        let none = [0; 2];
        Pairs { two, three, reach: none, kroo: none, seeds, empty: none, weak: none }
    }

    /// Returns a copy of the tables. If `sign` is −1, rows are swapped and values negated, for the opponent.
    #[cfg(target_arch = "x86_64")]
    fn seen(&self, sign: i32) -> Tables {
        let mut seen = self.clone();
        if sign < 0 {
            seen.0.swap(0, 1);
            let values = seen.0.as_flattened_mut().as_flattened_mut();
            values.iter_mut().for_each(|value| *value = -*value);
        }
        seen
    }
}

impl ByContents for Tables {
    const COUNT: bool = true;

    /// The first half of the tables is used for the first row. No pit may have 64 seeds or more.
    #[inline(always)]
    fn value(&self, rows: [u64; 2]) -> i32 {
        let mut sum = 0;
        for (row, tables) in rows.into_iter().zip(self.0.iter()) {
            for (pit, values) in tables.iter().enumerate() {
                sum += values[(row >> (8 * pit)) as usize % CONTENTS];
            }
        }
        sum
    }
}
