//! What pits are worth by what they hold, looked up.
//!
//! Every feature that is read off one pit alone, such as "my pits that reach the opponent's row", comes into
//! the tables too, so that they cost no more with those than without.

use std::fmt;

#[cfg(target_arch = "x86_64")]
use super::vector::Lanes;
use super::{Pair, Pairs, threats};
use crate::eval::{BestLeaf, Evaluator, Leaves, Score, Sum, best_leaf};
use crate::game::ayo::{Ayo, PITS, Position, SEEDS};
use crate::game::{Bias, GameKind, Holds, Owner, Side};

/// A weighted sum of the features that the fast evaluation serves, with a bias and weights by what a pit
/// holds.
///
/// No weights come to half of a won end: a pit counts in four features at most, its threat, its reach, its
/// size and what it holds; two stores share 48 seeds; and the bias counts once. That is at most 97 times the
/// largest weight.
#[derive(Debug, Clone)]
pub struct Tabled {
    tables: Tables,
    bias: i32,
    threats: [Pair; 2],
    seeds: Pair,
    #[cfg(target_arch = "x86_64")]
    lanes: Option<Lanes<Tables>>,
    /// The same weights by feature, for the text form.
    sum: Sum<Ayo>,
}

/// By row, pit and content.
type ByContent = [[[i32; CONTENTS]; PITS]; 2];

/// More than any pit holds, and a power of two, so that no look-up has to be checked.
const CONTENTS: usize = 64;

/// What the pits of two rows are worth by what they hold.
#[derive(Debug, Clone)]
pub(super) struct Tables(Box<ByContent>);

impl Tabled {
    /// The evaluator of a sum; `None` if it weighs a feature that is not served here.
    pub(super) fn of(sum: &Sum<Ayo>) -> Option<Tabled> {
        let mut rest = sum.clone();
        let bias = Bias::of(GameKind::Ayo).map_or(0, |bias| rest.take(bias));
        let mut tables = Tables::zero();
        for holds in Holds::all(GameKind::Ayo) {
            tables.add(holds, rest.take(holds));
        }
        let pairs = Pairs::of(&rest)?;
        let rest = tables.take(pairs);
        let &Pairs { two, three, reach: _, kroo: _, seeds, empty: _, weak: _ } = &rest;
        Some(Tabled {
            #[cfg(target_arch = "x86_64")]
            lanes: Lanes::new(&rest, |sign| tables.seen(sign), bias),
            tables,
            bias,
            threats: [two, three],
            seeds,
            sum: sum.clone(),
        })
    }
}

impl Tabled {
    /// What `seeds` in a pit of `owner` add to the evaluation, by all features that are read off this pit alone;
    /// the pit is counted from 0 in the order of sowing. `None` if there is no such pit, or it cannot hold so many.
    ///
    /// ```
    /// use mancala::eval::{Compiled, Weights, compile};
    /// use mancala::game::Owner;
    /// let Compiled::Tabled(tabled) = compile(&Weights::named("m1=3+m1=4+a8").unwrap()) else { unreachable!() };
    /// let worth = |seeds| tabled.worth(Owner::Mine, 0, seeds);
    /// assert_eq!([2, 3, 12, 13, 49].map(worth), [Some(0), Some(1), Some(0), Some(1), None]);
    /// ```
    pub fn worth(&self, owner: Owner, pit: usize, seeds: u8) -> Option<i32> {
        let row = usize::from(owner == Owner::Theirs);
        let worth = self.tables.0[row].get(pit)?;
        worth.get(usize::from(seeds)).filter(|_| seeds <= SEEDS).copied()
    }
}

impl Tables {
    fn zero() -> Tables {
        Tables(Box::new([[[0; CONTENTS]; PITS]; 2]))
    }

    fn add(&mut self, holds: Holds, weight: i32) {
        let row = usize::from(holds.owner() == Owner::Theirs);
        let worth = &mut self.0[row][usize::from(holds.pit())];
        let seeds = usize::from(holds.seeds());
        let last = if holds.or_more() { CONTENTS - 1 } else { seeds };
        worth[seeds..=last].iter_mut().for_each(|worth| *worth += weight);
    }

    /// Adds what is read off one pit alone. The weights that are left are returned.
    fn take(&mut self, pairs: Pairs) -> Pairs {
        let Pairs { two, three, reach, kroo, seeds, empty, weak } = pairs;
        for (row, worth) in self.0.iter_mut().enumerate() {
            // Pairs begin with the opponent's, tables with mine.
            let [reach, kroo, empty, weak] = [reach, kroo, empty, weak].map(|pair| pair[1 - row]);
            for (pit, worth) in worth.iter_mut().enumerate() {
                for (held, worth) in worth.iter_mut().enumerate() {
                    let if_so = |so, weight| if so { weight } else { 0 };
                    *worth += if_so(pit + held >= PITS, reach)
                        + if_so(held > 12, kroo)
                        + if_so(held == 0, empty)
                        + if_so(held == 1 || held == 2, weak);
                }
            }
        }
        let none = [0; 2];
        Pairs { two, three, reach: none, kroo: none, seeds, empty: none, weak: none }
    }

    /// The same for the player whose weights they are, if `sign` is 1, or its opponent, if it is −1: its own
    /// row comes first.
    #[cfg(target_arch = "x86_64")]
    fn seen(&self, sign: i32) -> Tables {
        let mut seen = self.clone();
        if sign < 0 {
            seen.0.swap(0, 1);
            seen.0
                .as_flattened_mut()
                .as_flattened_mut()
                .iter_mut()
                .for_each(|worth| *worth = -*worth);
        }
        seen
    }

    /// What two rows are worth, the first one's pits by the first tables. Bytes hold less than 64 seeds.
    #[inline(always)]
    pub(super) fn worth(&self, rows: [u64; 2]) -> i32 {
        let mut sum = 0;
        for (row, tables) in rows.into_iter().zip(self.0.iter()) {
            for (pit, worth) in tables.iter().enumerate() {
                sum += worth[(row >> (8 * pit)) as usize % CONTENTS];
            }
        }
        sum
    }
}

/// The effective weights that are not zero.
impl fmt::Display for Tabled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sum.fmt(f)
    }
}

impl Evaluator<Ayo> for Tabled {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let you = me.other();
        let (mine, theirs) = (position.row_word(me), position.row_word(you));
        let [two, three] = self.threats;
        let sum = self.bias
            + self.tables.worth([mine, theirs])
            + self.seeds[0] * i32::from(position.store(you))
            + self.seeds[1] * i32::from(position.store(me))
            + threats(theirs, mine, two[0], three[0])
            + threats(mine, theirs, two[1], three[1]);
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
        // A copy, so that only this path keeps `leaves` in memory.
        best_leaf(self, game, position, &{ leaves }, nodes)
    }
}
