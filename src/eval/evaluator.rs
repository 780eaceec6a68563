//! Evaluators as a search wants them: nothing to look up, nothing to dispatch on.

use std::fmt;

use super::feature::Feature;
use super::score::Score;
use super::weights::Weights;
use crate::game::ayo::{Ayo, PITS, Position, SEEDS, walk};
use crate::game::{Game, Side};

/// Values a position for one player, whoever is to move there.
///
/// It need not be antisymmetric: what is good for me by so much need not be as bad for the opponent.
pub trait Evaluator<G: Game>: Sync {
    /// The value of `position` for `me`; below half of [`Score::WIN`] in size.
    fn evaluate(&self, position: &G::Position, me: Side) -> Score;
}

/// A weighted sum over all features, those outside its set weighing nothing. `THREATS` says whether
/// any of a1–a4 counts: they cost more than all the others together.
#[derive(Debug, Clone)]
pub struct Linear<const THREATS: bool> {
    weights: [i32; Feature::ALL.len()],
}

/// The evaluator of some weights, in the form that computes no more than they need.
#[derive(Debug, Clone)]
pub enum Compiled {
    /// Some of a1–a4 count.
    WithThreats(Linear<true>),
    /// None of them does.
    WithoutThreats(Linear<false>),
}

/// Prepares weights for searching.
pub fn compile(weights: &Weights) -> Compiled {
    let mut dense = [0; Feature::ALL.len()];
    for (feature, weight) in weights.features().features().iter().zip(weights.effective()) {
        dense[feature.index()] = weight;
    }
    if dense[..4] == [0; 4] {
        Compiled::WithoutThreats(Linear { weights: dense })
    } else {
        Compiled::WithThreats(Linear { weights: dense })
    }
}

/// The effective weights that are not zero.
impl<const THREATS: bool> fmt::Display for Linear<THREATS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weighed = Feature::ALL.iter().zip(self.weights).filter(|(_, weight)| *weight != 0);
        let terms: Vec<String> =
            weighed.map(|(f, weight)| format!("{}={weight}", f.name())).collect();
        f.write_str(&terms.join(","))
    }
}

impl<const THREATS: bool> Evaluator<Ayo> for Linear<THREATS> {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let you = me.other();
        let w = &self.weights;
        let (mine, theirs) = (position.row_word(me), position.row_word(you));
        let pits = |index: usize, count: fn(u64) -> i32| {
            w[index] * count(theirs) + w[index + 1] * count(mine)
        };
        let mut sum = pits(4, reaching)
            + pits(6, kroo)
            + w[8] * i32::from(position.store(you))
            + w[9] * i32::from(position.store(me))
            + pits(10, empty)
            + pits(12, weak);
        if THREATS {
            sum += threats(theirs, mine, w[0], w[1]) + threats(mine, theirs, w[2], w[3]);
        }
        Score(sum)
    }
}

/// One in every byte of a row. Rows hold at most 48 in a byte, so adding up to 79 to each byte sets
/// its high bit exactly when the byte reaches a bound and never carries.
const ONES: u64 = 0x0101_0101_0101;

#[inline]
fn at_least(row: u64, complements: u64) -> i32 {
    ((row + complements) & (0x80 * ONES)).count_ones() as i32
}

/// Pits whose seeds reach the other row: pit `i` needs `6 − i`.
#[inline]
fn reaching(row: u64) -> i32 {
    at_least(row, 0x80 * ONES - 0x0102_0304_0506)
}

#[inline]
fn kroo(row: u64) -> i32 {
    at_least(row, (0x80 - 13) * ONES)
}

#[inline]
fn empty(row: u64) -> i32 {
    PITS as i32 - at_least(row, 0x7F * ONES)
}

#[inline]
fn weak(row: u64) -> i32 {
    at_least(row, 0x7F * ONES) - at_least(row, (0x80 - 3) * ONES)
}

/// `two` for every pit of `from` whose last seed brings a pit of `to` to two, `three` for three.
#[inline]
fn threats(from: u64, to: u64, two: i32, three: i32) -> i32 {
    let worth = [0, 0, two, three];
    let mut sum = 0;
    for (pit, targets) in TARGETS.iter().enumerate() {
        let seeds = (from >> (8 * pit)) as u8;
        let target = &targets[seeds as usize];
        let after = (to >> target.shift) as u8 + target.adds;
        if after <= 3 {
            sum += worth[after as usize];
        }
    }
    sum
}

/// Which byte of the other row a pit's last seed falls into, and how many seeds its sowing adds there.
#[derive(Clone, Copy)]
struct Target {
    shift: u8,
    adds: u8,
}

static TARGETS: [[Target; SEEDS as usize + 1]; PITS] = targets();

const fn targets() -> [[Target; SEEDS as usize + 1]; PITS] {
    // Out of reach: more than any pit that is captured from can hold.
    let mut targets = [[Target { shift: 0, adds: 4 }; SEEDS as usize + 1]; PITS];
    let mut pit = 0;
    while pit < PITS {
        let mut seeds = 0;
        while seeds <= SEEDS as usize {
            let sown = walk(pit, seeds);
            if sown.last as usize >= PITS {
                let shift = 8 * (sown.last - PITS as u8);
                let adds = (sown.added[1] >> shift) as u8;
                targets[pit][seeds] = Target { shift, adds };
            }
            seeds += 1;
        }
        pit += 1;
    }
    targets
}
