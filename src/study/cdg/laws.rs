//! Propositions I to IV of the thesis, looked at board by board.

use std::ops::RangeInclusive;

use mancala::endgame::cdg::{grown, harvest, maximal, vectors};

use super::matrix::blocks;

/// A proposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// I: the transformation that adds two seeds can be undone.
    Inverse,
    /// II: the vectors have 0, 2, 4, … seeds, one vector each.
    Sums,
    /// III: there are half as many vectors but the empty one as the largest has seeds.
    Count,
    /// IV: the largest has Σ 2jk_j seeds.
    Total,
}

impl Law {
    /// All four.
    pub const ALL: [Law; 4] = [Law::Inverse, Law::Sums, Law::Count, Law::Total];

    /// What it says.
    pub fn says(self) -> &'static str {
        match self {
            Law::Inverse => "I: adding two seeds can be undone",
            Law::Sums => "II: the vectors have 0, 2, 4, … seeds",
            Law::Count => "III: the vectors are half as many as the largest has seeds",
            Law::Total => "IV: the largest vector has Σ 2jk_j seeds",
        }
    }

    fn holds(self, pits: u32) -> bool {
        let total: u64 = maximal(pits as usize).iter().map(|&seeds| u64::from(seeds)).sum();
        let sum = |vector: &Vec<u32>| vector.iter().map(|&seeds| u64::from(seeds)).sum::<u64>();
        match self {
            Law::Inverse => vectors(pits as usize).all(|vector| {
                grown(&vector).is_none_or(|it| harvest(&it).as_ref() == Some(&vector))
            }),
            Law::Sums => (0..).zip(vectors(pits as usize)).all(|(at, it)| sum(&it) == 2 * at),
            Law::Count => vectors(pits as usize).count() as u64 == 1 + total / 2,
            Law::Total => {
                let of = |block: &super::matrix::Block| {
                    2 * u64::from(block.pit) * u64::from(block.times)
                };
                blocks(pits).rows.iter().map(of).sum::<u64>() == total
            }
        }
    }
}

/// A board on which a proposition fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// Its pits a side.
    pub pits: u32,
}

/// The first board of some on which a proposition fails.
pub fn broken(law: Law, pits: RangeInclusive<u32>) -> Option<Broken> {
    pits.into_iter().find(|&pits| !law.holds(pits)).map(|pits| Broken { pits })
}
