//! The evaluation of leaves with 256-bit vectors, on machines that have them.
//!
//! The sixteen lanes of 16 bits are the pits of both rows, mine in lanes 0–5 and the opponent's in
//! lanes 8–13. Every feature of a pit is a comparison, whose mask selects the feature's weight. The
//! threats a1–a4 are a table look-up by shuffle: below twelve seeds, the last one falls `i + n` pits on
//! from the first, and a threat is a pit there that holds one or two.
//!
//! Property tests compare it with the scalar evaluation, and the search tests with plain minimax.

// The calls into vector code are the only unsafe code of the crate.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::evaluator::{BestLeaf, Leaves, best_leaf};
use super::feature::Feature;
use super::score::Score;
use crate::game::Side;
use crate::game::ayo::{Ayo, Position, last_pit_holds};

/// Weights by lane. It exists only where the processor can use it.
#[derive(Debug, Clone)]
#[repr(C, align(32))]
pub(super) struct Lanes {
    reach: [i16; 16],
    kroo: [i16; 16],
    empty: [i16; 16],
    weak: [i16; 16],
    two: [i16; 16],
    three: [i16; 16],
    stores: [i32; 2],
}

/// Lanes that hold no pit.
const PADDING: [usize; 4] = [6, 7, 14, 15];

impl Lanes {
    /// The lanes of effective weights by [`Feature::index`]. `None` if this processor has no such
    /// vectors, or the weights are so large that the sum of a lane could overflow.
    pub(super) fn new(weights: &[i32; Feature::ALL.len()]) -> Option<Lanes> {
        let available = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let pits = weights.iter().enumerate().filter(|(index, _)| !matches!(index, 8 | 9));
        let size: i32 = pits.map(|(_, weight)| weight.abs()).sum();
        if !available || size > i32::from(i16::MAX) {
            return None;
        }
        let lanes = |mine: usize, theirs: usize| {
            std::array::from_fn(|lane| match lane {
                lane if PADDING.contains(&lane) => 0,
                0..8 => weights[mine] as i16,
                _ => weights[theirs] as i16,
            })
        };
        Some(Lanes {
            reach: lanes(5, 4),
            kroo: lanes(7, 6),
            empty: lanes(11, 10),
            weak: lanes(13, 12),
            two: lanes(2, 0),
            three: lanes(3, 1),
            stores: [weights[9], weights[8]],
        })
    }

    /// [`best_leaf`] with the vector evaluation.
    #[inline]
    pub(super) fn best_leaf(&self, game: &Ayo, position: &Position, leaves: &Leaves) -> BestLeaf {
        // SAFETY: `Lanes::new` has found the processor to have AVX2, POPCNT, BMI1 and BMI2.
        unsafe { self.best_leaf_in_vectors(game, position, leaves) }
    }

    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn best_leaf_in_vectors(&self, game: &Ayo, position: &Position, leaves: &Leaves) -> BestLeaf {
        best_leaf(game, position, leaves, |leaf, me| self.evaluate(leaf, me))
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let seeds_captured = self.stores[0] * i32::from(position.store(me))
            + self.stores[1] * i32::from(position.store(me.other()));
        let pits = self.value_of_pits(position.row_word(me), position.row_word(me.other()));
        Score(seeds_captured + pits)
    }

    // A call of its own: inlined, all weights would be loaded and saved before the first leaf of a
    // loop that seldom sees a third.
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn value_of_pits(&self, mine: u64, theirs: u64) -> i32 {
        let pits = _mm_set_epi64x(theirs as i64, mine as i64);
        let seeds = _mm256_cvtepu8_epi16(pits);
        let reach = _mm256_cmpgt_epi16(seeds, lanes(&NOT_REACHING));
        let kroo = _mm256_cmpgt_epi16(seeds, _mm256_set1_epi16(12));
        let empty = _mm256_cmpeq_epi16(seeds, _mm256_setzero_si256());
        let below_three = _mm256_cmpgt_epi16(_mm256_set1_epi16(3), seeds);
        let weak = _mm256_andnot_si256(empty, below_three);
        let (two, three) = threats(pits);
        let sum = add(
            add(select(reach, &self.reach), select(kroo, &self.kroo)),
            add(select(empty, &self.empty), select(weak, &self.weak)),
        );
        let sum = add(sum, add(select(two, &self.two), select(three, &self.three)));
        let kroo = _mm_movemask_epi8(_mm_cmpgt_epi8(pits, _mm_set1_epi8(11)));
        if kroo == 0 { total(sum) } else { total(sum) + self.kroo_threats(mine, theirs, kroo) }
    }

    /// What the pits of twelve and more threaten, given by the bits of their lanes.
    fn kroo_threats(&self, mine: u64, theirs: u64, mut kroo: i32) -> i32 {
        let mut sum = 0;
        while kroo != 0 {
            let lane = kroo.trailing_zeros() as usize;
            kroo &= kroo - 1;
            let (from, to) = if lane < 8 { (mine, theirs) } else { (theirs, mine) };
            sum += match last_pit_holds(from, to, lane % 8) {
                2 => i32::from(self.two[lane]),
                3 => i32::from(self.three[lane]),
                _ => 0,
            };
        }
        sum
    }
}

/// A pit of this lane with so many seeds does not reach the other row.
static NOT_REACHING: [i16; 16] = [5, 4, 3, 2, 1, 0, 0, 0, 5, 4, 3, 2, 1, 0, 0, 0];

#[inline]
#[target_feature(enable = "avx2")]
fn lanes(values: &[i16; 16]) -> __m256i {
    // SAFETY: the array is as long as the vector, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn select(mask: __m256i, weights: &[i16; 16]) -> __m256i {
    _mm256_and_si256(mask, lanes(weights))
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi16(a, b)
}

/// Masks of the pits below twelve seeds that threaten a pit with one seed and one with two.
#[inline]
#[target_feature(enable = "avx2")]
fn threats(pits: __m128i) -> (__m256i, __m256i) {
    // Where the last seed falls in the other row, if from 0 to 5; 6 stands for anything beyond, and
    // what is negative has not left its own row.
    let offsets =
        _mm_setr_epi8(-6, -5, -4, -3, -2, -1, -128, -128, -6, -5, -4, -3, -2, -1, -128, -128);
    let last = _mm_min_epi8(_mm_add_epi8(pits, offsets), _mm_set1_epi8(6));
    let last = _mm_or_si128(last, _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8));
    // The other row stands in the same half; byte 6 of it matches nothing.
    let nothing = _mm_setr_epi8(0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0, 0, 0, -1, -1);
    let other_row = _mm_or_si128(_mm_shuffle_epi32::<0x4E>(pits), nothing);
    // A negative index gives zero, which matches nothing either.
    let target = _mm_shuffle_epi8(other_row, last);
    let two = _mm_cmpeq_epi8(target, _mm_set1_epi8(1));
    let three = _mm_cmpeq_epi8(target, _mm_set1_epi8(2));
    (_mm256_cvtepi8_epi16(two), _mm256_cvtepi8_epi16(three))
}

/// The sum of all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn total(lanes: __m256i) -> i32 {
    let pairs = _mm256_madd_epi16(lanes, _mm256_set1_epi16(1));
    let four = _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256::<1>(pairs));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0x4E>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0xB1>(two)))
}
