//! Tables of pit values, indexed by the number of seeds in the pit.
//!
//! Every single-pit feature, e.g. "my pits that reach the opponent's row", is included in the tables at no extra cost.

use super::Pairs;
use crate::eval::Sum;
use crate::game::PitCount;
use crate::game::ayo::{Ayo, PITS};

/// The number of values per pit: a power of two above 48, so that lookups need no bounds checks.
const CONTENTS: usize = 64;

type Row = [[i32; CONTENTS]; PITS];

/// The value of each pit in my row and in the opponent's row, for every number of seeds.
#[derive(Debug, Clone)]
pub(super) struct Tables(pub(super) Box<[Row; 2]>);

impl Tables {
    /// Moves the weights of exact seed counts from a sum to tables. Returns `None` if the sum has no such weights.
    pub(super) fn take_counts(sum: &mut Sum<Ayo>) -> Option<Tables> {
        let counts = PitCount::all().map(|count| (count, sum.take(count)));
        let counts: Vec<_> = counts.filter(|(_, weight)| *weight != 0).collect();
        let mut tables = Tables(Box::new([[[0; CONTENTS]; PITS]; 2]));
        for (count, weight) in &counts {
            let values = &mut tables.0[count.owner as usize][usize::from(count.pit)];
            let seeds = usize::from(count.seeds);
            let last = if count.is_open_ended() { CONTENTS - 1 } else { seeds };
            values[seeds..=last].iter_mut().for_each(|value| *value += weight);
        }
        (!counts.is_empty()).then_some(tables)
    }

    /// Moves the weights of single-pit features from `pairs` to the tables.
    pub(super) fn with(mut self, pairs: &mut Pairs) -> Tables {
        let Pairs { two: _, three: _, reach, kroo, seeds: _, empty, weak } = pairs;
        for (row, pits) in self.0.iter_mut().enumerate() {
            // A pair starts with the opponent's pits, but the tables start with my row.
            let [reach, kroo, empty, weak] =
                [*reach, *kroo, *empty, *weak].map(|pair| pair[1 - row]);
            for (pit, values) in pits.iter_mut().enumerate() {
                for (seeds, value) in values.iter_mut().enumerate() {
                    *value += i32::from(pit + seeds >= PITS) * reach
                        + i32::from(seeds > 12) * kroo
                        + i32::from(seeds == 0) * empty
                        + i32::from(seeds == 1 || seeds == 2) * weak;
                }
            }
        }
        [*reach, *kroo, *empty, *weak] = [[0; 2]; 4];
        self
    }

    /// Returns a copy. If `sign` is −1, we swap the rows and negate all values, so that the copy is for the opponent.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn seen(&self, sign: i32) -> Tables {
        let mut seen = self.clone();
        if sign < 0 {
            seen.0.swap(0, 1);
            let values = seen.0.as_flattened_mut().as_flattened_mut();
            values.iter_mut().for_each(|value| *value = -*value);
        }
        seen
    }

    /// Returns the total value of two rows, mine first. Every pit must have fewer than 64 seeds.
    #[inline(always)]
    pub(super) fn value(&self, rows: [u64; 2]) -> i32 {
        let mut sum = 0;
        for (row, tables) in rows.into_iter().zip(self.0.iter()) {
            for (pit, values) in tables.iter().enumerate() {
                sum += values[(row >> (8 * pit)) as usize % CONTENTS];
            }
        }
        sum
    }
}
