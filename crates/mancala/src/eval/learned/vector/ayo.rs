//! Computes outputs for ayo, using precomputed row sums for neighbouring pits, stores and threats.
//!
//! A leaf without a capture has the same stores as its parent, so the row for the stores stays the same. Property tests
//! compare this code with scalar code, and search tests compare it with plain minimax.

// Unsafe code is needed to call vector code after checking that the processor supports it.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Head, Tables};
use crate::eval::ayo::vector::{from_end, is_usual};
use crate::eval::learned::evaluator::{LearnedGame, score};
use crate::eval::learned::layer::Layer;
use crate::eval::{BestLeaf, Evaluator, Leaves, Linear, Perspective, Quiescence, Score};
use crate::game::ayo::inputs::{CONTENTS, SETS, STORED, STORES, THREATS, pair_row};
use crate::game::ayo::vector::{capturing, held, huge, reached, rows as words, vector};
use crate::game::ayo::{Ayo, PITS, Position, added, last_pit_holds};
use crate::game::{Encoded, Game, Material, PitSet};

const PAIRS: usize = CONTENTS * CONTENTS;
/// The number of ways in which a side can threaten captures: 3⁶, since a pit's last seed makes two, three or neither.
const WAYS: usize = 729;
/// The index of the first threat row, after the tables for pairs.
const THREAT_ROWS: usize = PITS * PAIRS;
const STORE_ROWS: usize = THREAT_ROWS + 2 * WAYS;

impl Tables {
    /// Appends all row sums that an evaluation may need. There are three kinds: two neighbouring pits plus their pair,
    /// a side's two sets of threats, and both stores plus the bias.
    pub(super) fn push_sums(&mut self, layer: &Layer) {
        let row = |row: usize| &layer.rows()[row * layer.units()..][..layer.units()];
        for pair in 0..PITS {
            for seeds in 0..PAIRS {
                let [first, second] = [seeds % CONTENTS, seeds / CONTENTS];
                let pit = |nth: usize, held: usize| row((2 * pair + nth) * CONTENTS + held);
                let both = pair_row(pair, first, second).map(|it| row(it.into()));
                let rows = [Some(pit(0, first)), Some(pit(1, second)), both];
                self.push(&rows.into_iter().flatten().collect::<Vec<_>>());
            }
        }
        for first in [THREATS, THREATS + 2 * SETS] {
            for way in 0..WAYS {
                let set = |digit: usize| {
                    let is_in = |pit: usize| way / 3usize.pow(pit as u32) % 3 == digit;
                    (0..PITS).map(|pit| usize::from(is_in(pit)) << pit).sum::<usize>()
                };
                self.push(&[row(first + set(1)), row(first + SETS + set(2))]);
            }
        }
        for both in 0..STORED * STORED {
            let [mine, theirs] = [both / STORED, STORED + both % STORED];
            self.push(&[row(STORES + mine), row(STORES + theirs), layer.bias()]);
        }
    }
}

impl LearnedGame for Ayo {
    type Linear = Linear;

    #[inline]
    fn outputs(head: &Head, position: &Position) -> i64 {
        // SAFETY: `Tables::new` checked that the processor has AVX2, POPCNT, BMI1 and BMI2.
        unsafe { head.of_position(position) }
    }

    /// Returns `None` for a quiescence search or if a non-capturing move could end the game.
    #[inline]
    fn best_leaf(
        head: &Head,
        features: Option<&Linear>,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> Option<BestLeaf> {
        if leaves.quiescence != Quiescence::Off {
            return None;
        }
        // SAFETY: `Tables::new` checked that the processor has AVX2, POPCNT, BMI1 and BMI2.
        unsafe { head.best_leaf(features, game, position, leaves, nodes) }
    }
}

impl Head {
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn best_leaf(
        &self,
        features: Option<&Linear>,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> Option<BestLeaf> {
        let Leaves { moves, first, me, perspective, ply, beta, .. } = leaves;
        let rows = position.rows();
        if !is_usual(game, rows, moves) {
            return None;
        }
        let mover = position.to_move();
        let is_own = mover == me || perspective == Perspective::Mover;
        // Evaluates all features other than hidden neurons for the side that has just moved.
        let count = |leaf: &Position| match features {
            None => Score::DRAW,
            Some(features) if is_own => features.evaluate(leaf, mover),
            Some(features) => -features.evaluate(leaf, mover.other()),
        };
        let parent = vector(rows);
        let captures = capturing(rows, parent);
        let [theirs, mine] = position.stored();
        let stores = store_row([mine, theirs]);
        let material = Ayo::material(position);
        let mut best = Score::LOWEST.0;
        for pit in moves.ordered(first) {
            let value = if captures >> pit.index() & 1 == 0 {
                let sown = added(pit, (rows[0] >> (8 * pit.index())) as u8);
                let pits = _mm_add_epi64(parent, vector(*sown));
                let has_features = features.is_some();
                let features =
                    if has_features { count(&game.play(position, pit)) } else { Score::DRAW };
                score(-self.of_pits(pits, stores, material), features).0
            } else {
                let leaf = game.play(position, pit);
                match game.ended(&leaf) {
                    Some(ending) => from_end(game, &leaf, ending, ply),
                    None => score(-self.of_position(&leaf), count(&leaf)).0,
                }
            };
            *nodes += 1;
            best = best.max(value);
            if best >= beta.0 {
                return Some(BestLeaf { value: Score(best), cutting: PitSet::of(pit) });
            }
        }
        Some(BestLeaf { value: Score(best), cutting: PitSet::default() })
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_position(&self, position: &Position) -> i64 {
        let [mine, theirs] = position.rows();
        let stores = store_row(position.stored());
        self.of_pits(vector([theirs, mine]), stores, Ayo::material(position))
    }

    /// Returns the weighted sum of the outputs for the side to move, whose row comes second in `pits`.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_pits(&self, pits: __m128i, stores: u16, material: Material) -> i64 {
        // SAFETY: the rows are valid, and the kernel was chosen for this layer and processor.
        unsafe { (self.kernel)(self, &active(pits), stores, material) }
    }
}

/// Returns the index of the row for both stores. The store of the side to move must come first in `stores`.
#[inline]
fn store_row(stores: [u8; 2]) -> u16 {
    let [mine, theirs] = stores.map(|stored| u16::from(stored).min(STORED as u16 - 1));
    STORE_ROWS as u16 + STORED as u16 * mine + theirs
}

/// Returns the active rows for pits and threats, all below [`STORE_ROWS`]. The opponent's row comes first in `pits`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn active(pits: __m128i) -> [u16; 8] {
    // The numbers of seeds are capped, so a pair's index is at most 23 + 24 × 23, which is less than `PAIRS`.
    let capped = _mm_min_epu8(pits, _mm_set1_epi8(CONTENTS as i8 - 1));
    let factors = _mm_setr_epi8(1, 24, 1, 24, 1, 24, 0, 0, 1, 24, 1, 24, 1, 24, 0, 0);
    let pairs = _mm_maddubs_epi16(capped, factors);
    // Move the pairs of the side to move to the front, followed by the opponent's pairs.
    let order = _mm_setr_epi8(8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, -1, -1, -1, -1);
    let table = |pair: usize| (pair * PAIRS) as i16;
    let tables = _mm_setr_epi16(table(0), table(1), table(2), table(3), table(4), table(5), 0, 0);
    let pairs = _mm_add_epi16(_mm_shuffle_epi8(pairs, order), tables);
    // SAFETY: both types have 16 bytes, and any bit pattern is valid.
    let mut rows: [u16; 8] = unsafe { std::mem::transmute(pairs) };
    // Convert each side's threats to a number in base 3, with one digit per pit.
    let p = 243u8 as i8;
    let powers = _mm_setr_epi8(1, 3, 9, 27, 81, p, 0, 0, 1, 3, 9, 27, 81, p, 0, 0);
    let terms = _mm_madd_epi16(_mm_maddubs_epi16(powers, threats(pits)), _mm_set1_epi16(1));
    let [theirs, mine] = words(terms).map(|word| (word + (word >> 32)) as u16);
    rows[6] = THREAT_ROWS as u16 + mine;
    rows[7] = (THREAT_ROWS + WAYS) as u16 + theirs;
    rows
}

/// Returns 1 for each pit whose last seed makes two, 2 for each pit whose last seed makes three, and 0 for the others.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn threats(pits: __m128i) -> __m128i {
    // `held` adds 8 to the seed counts in the second row, so the digits for that row start at index 8.
    let digits = _mm_setr_epi8(0, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0);
    let threats = _mm_shuffle_epi8(digits, reached(pits, held(pits)));
    match huge(pits) {
        0 => threats,
        huge => with_huge(threats, pits, huge),
    }
}

/// Adds threats by the pits in `huge`, with more than 22 seeds. Such threats always make three in an empty pit.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn with_huge(threats: __m128i, pits: __m128i, huge: u32) -> __m128i {
    let rows = words(pits);
    let mut threats = words(threats);
    for lane in (0..16).filter(|lane| huge >> lane & 1 == 1) {
        let row = lane / 8;
        let makes_three = last_pit_holds(rows[row], rows[1 - row], lane % 8) == 3;
        threats[row] |= u64::from(makes_three) << (8 * (lane % 8) + 1);
    }
    vector(threats)
}
