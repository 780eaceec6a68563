//! Units for ayo, using tables of row sums for pairs of neighbouring pits.
//!
//! A leaf without a capture has the same stores as its parent. For all such leaves, the rows of the stores are
//! therefore added only once, and the weights for the phase are looked up once. Property tests compare this code with
//! scalar code, and the search tests compare it with plain minimax.

// Needed to read tables without bounds checks, and to call vector code after checking for the processor features.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Block, Blocks, Head, MOST_BLOCKS, loaded};
use crate::eval::ayo::vector::{from_end, is_usual};
use crate::eval::learned::evaluator::{Fast, score};
use crate::eval::learned::layer::Layer;
use crate::eval::{BestLeaf, Evaluator, Leaves, Perspective, Quiescence, Score};
use crate::game::ayo::inputs::{CONTENTS, SETS, STORED, STORES};
use crate::game::ayo::vector::{capturing, held, huge, reached, rows as words, vector};
use crate::game::ayo::{Ayo, PITS, Position, added, last_pit_holds};
use crate::game::{Encoded, Game, PitSet};

/// The number of rows in the table of a pair of pits.
const PAIRS: usize = CONTENTS * CONTENTS;
/// The index of the first store row, after the tables of pairs.
const STORE_ROWS: usize = PITS * PAIRS;
/// The index of the first threat row.
const THREAT_ROWS: usize = STORE_ROWS + 2 * STORED;

impl Blocks {
    /// Replaces the rows of single pits by sums for pairs of neighbouring pits.
    pub(super) fn in_pairs(self) -> Blocks {
        let mut rows = Vec::with_capacity((THREAT_ROWS + 4 * SETS) * self.width);
        for pair in 0..PITS {
            for seeds in 0..PAIRS {
                let pit = |nth: usize, held: usize| self.row((2 * pair + nth) * CONTENTS + held);
                let both = pit(0, seeds % CONTENTS).iter().zip(pit(1, seeds / CONTENTS));
                rows.extend(both.map(|(one, other)| {
                    Block(std::array::from_fn(|unit| one.0[unit] + other.0[unit]))
                }));
            }
        }
        rows.extend_from_slice(&self.rows[STORES * self.width..]);
        Blocks { rows, ..self }
    }
}

#[derive(Debug, Clone)]
pub struct AyoUnits(Head);

impl Fast<Ayo> for AyoUnits {
    fn new(layer: &Layer, weights: &[i16]) -> Option<AyoUnits> {
        Head::new(layer, weights).map(AyoUnits)
    }

    #[inline]
    fn sum(&self, position: &Position) -> i64 {
        // SAFETY: `Blocks::new` has checked that the processor has AVX2, POPCNT, BMI1 and BMI2.
        let sum = unsafe {
            match self.0.layer.width {
                1 => self.0.of_position::<1>(position),
                2 => self.0.of_position::<2>(position),
                3 => self.0.of_position::<3>(position),
                _ => self.0.of_position::<4>(position),
            }
        };
        sum.into()
    }

    /// Falls back to the generic loop for a quiescence search, or if a move without a capture could end the game.
    #[inline]
    fn best_leaf<C: Evaluator<Ayo>>(
        &self,
        features: &C,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> Option<BestLeaf> {
        if leaves.quiescence != Quiescence::Off {
            return None;
        }
        // SAFETY: `Blocks::new` has checked that the processor has AVX2, POPCNT, BMI1 and BMI2.
        unsafe {
            match self.0.layer.width {
                1 => self.0.best_leaf::<1, C>(features, game, position, leaves, nodes),
                2 => self.0.best_leaf::<2, C>(features, game, position, leaves, nodes),
                3 => self.0.best_leaf::<3, C>(features, game, position, leaves, nodes),
                _ => self.0.best_leaf::<4, C>(features, game, position, leaves, nodes),
            }
        }
    }
}

impl Head {
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn best_leaf<const N: usize, C: Evaluator<Ayo>>(
        &self,
        features: &C,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> Option<BestLeaf> {
        let Leaves { moves, first, me, perspective, quiescence: _, ply, alpha, beta } = leaves;
        let rows = position.rows();
        if !is_usual(game, rows, moves) {
            return None;
        }
        let mover = position.to_move();
        let maximises = mover == me;
        let (sign, enough) = if maximises { (1, beta.0) } else { (-1, -alpha.0) };
        let is_own = maximises || perspective == Perspective::Mover;
        // The other evaluation of a leaf, for the side that has just moved.
        let count = |leaf: &Position| match is_own {
            true => features.evaluate(leaf, mover),
            false => -features.evaluate(leaf, mover.other()),
        };
        let parent = vector(rows);
        let captures = capturing(rows, parent);
        let [theirs, mine] = position.stored();
        let stores = self.of_stores::<N>([mine, theirs]);
        let weights = self.weights(Ayo::material(position));
        let mut best = Score::LOWEST.0;
        for pit in moves.ordered(first) {
            let value = if captures >> pit.index() & 1 == 0 {
                let sown = added(pit, (rows[0] >> (8 * pit.index())) as u8);
                let pits = _mm_add_epi64(parent, vector(*sown));
                let features = count(&game.play(position, pit));
                score((-self.of_pits(stores, pits, weights)).into(), features).0
            } else {
                let leaf = game.play(position, pit);
                match game.ended(&leaf) {
                    Some(ending) => from_end(game, &leaf, ending, ply),
                    None => score((-self.of_position::<N>(&leaf)).into(), count(&leaf)).0,
                }
            };
            *nodes += 1;
            best = best.max(value);
            if best >= enough {
                return Some(BestLeaf { value: Score(sign * best), cutting: PitSet::of(pit) });
            }
        }
        Some(BestLeaf { value: Score(sign * best), cutting: PitSet::default() })
    }

    /// Returns the weighted sum of the units for the side to move.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_position<const N: usize>(&self, position: &Position) -> i32 {
        let [mine, theirs] = position.rows();
        let stores = self.of_stores::<N>(position.stored());
        self.of_pits(stores, vector([theirs, mine]), self.weights(Ayo::material(position)))
    }

    /// Returns the sums of the bias and the rows of the stores, with the side to move first.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of_stores<const N: usize>(&self, stores: [u8; 2]) -> [__m256i; N] {
        let mut sums = self.bias::<N>();
        let rows = self.layer.rows.as_ptr();
        for (half, stored) in stores.into_iter().enumerate() {
            let stored = usize::from(stored).min(STORED - 1);
            // SAFETY: the tables of pairs are followed by two tables of STORED rows of N blocks.
            unsafe { add_at(&mut sums, rows.add((STORE_ROWS + half * STORED + stored) * N)) };
        }
        sums
    }

    /// Returns the weighted sum for the side to move, given the sums of the bias and the stores. The first row of
    /// `pits` belongs to the opponent, who has just moved.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_pits<const N: usize>(
        &self,
        mut sums: [__m256i; N],
        pits: __m128i,
        weights: &[Block; MOST_BLOCKS],
    ) -> i32 {
        // The row index of each pair, multiplied by the size of a block in bytes.
        let most = _mm_set1_epi8(CONTENTS as i8 - 1);
        let factors = _mm_setr_epi8(1, 24, 1, 24, 1, 24, 0, 0, 1, 24, 1, 24, 1, 24, 0, 0);
        let pairs = _mm_maddubs_epi16(_mm_min_epu8(pits, most), factors);
        let pairs = _mm_slli_epi16::<5>(pairs);
        let [theirs, mine] = words(pairs);
        let [twos, threes] = threats(pits);
        let rows = self.layer.rows.as_ptr();
        // SAFETY: a pair's index is at most 24 · 23 + 23 < PAIRS, because pits are capped, and there are PITS tables of
        // PAIRS rows of N blocks. A set is at most 63 < SETS, because only lanes of pits can threaten, and there are
        // four tables of sets.
        unsafe {
            for (half, pairs) in [mine, theirs].into_iter().enumerate() {
                for pair in 0..PITS / 2 {
                    let bytes = (pairs >> (16 * pair)) as usize & 0xFFFF;
                    let table = rows.add((half * PITS / 2 + pair) * PAIRS * N);
                    add_at(&mut sums, table.byte_add(bytes * N));
                }
            }
            let sets = [twos >> 8, threes >> 8, twos & 0xFF, threes & 0xFF];
            for (nth, set) in sets.into_iter().enumerate() {
                add_at(&mut sums, rows.add((THREAT_ROWS + nth * SETS + set as usize) * N));
            }
        }
        Head::weighed(sums, weights)
    }
}

/// Adds a row to the sums.
///
/// # Safety
/// `row` must point to N blocks.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn add_at<const N: usize>(sums: &mut [__m256i; N], row: *const Block) {
    for (nth, sum) in sums.iter_mut().enumerate() {
        // SAFETY: guaranteed by the caller.
        let block = unsafe { &*row.add(nth) };
        *sum = _mm256_add_epi16(*sum, loaded(block));
    }
}

/// Returns the lanes of the pits whose last seed makes two, and of those whose last seed makes three, as bits.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn threats(pits: __m128i) -> [u32; 2] {
    let reached = reached(pits, held(pits));
    // The contents of the second row are increased by 8, so the constants for it are as well.
    let one = vector([0x0909_0909_0909_0909, 0x0101_0101_0101_0101]);
    let two = vector([0x0A0A_0A0A_0A0A_0A0A, 0x0202_0202_0202_0202]);
    let of = |held| _mm_movemask_epi8(_mm_cmpeq_epi8(reached, held)) as u32;
    let threats = [of(one), of(two)];
    match huge(pits) {
        0 => threats,
        huge => with_huge(threats, pits, huge),
    }
}

/// Adds the threats by pits with more than 22 seeds, given as lane bits. They can only make three, in an empty pit.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn with_huge([twos, mut threes]: [u32; 2], pits: __m128i, huge: u32) -> [u32; 2] {
    let rows = words(pits);
    for lane in (0..16).filter(|lane| huge >> lane & 1 == 1) {
        let row = lane / 8;
        threes |= u32::from(last_pit_holds(rows[row], rows[1 - row], lane % 8) == 3) << lane;
    }
    [twos, threes]
}
