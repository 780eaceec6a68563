//! The loop over leaves with 128-bit vectors of bytes, on processors with AVX2.
//!
//! The sixteen bytes of a vector are the two rows, that of the side to move at the parent in bytes 0–5
//! and its opponent's in bytes 8–13. Sowing adds a vector from a table. The features of a pit are a
//! comparison (does it reach the other row?) or a look-up by shuffle: of what the pit holds, or of what
//! the pit holds that its last seed falls into. One instruction adds up all bytes. Only what a sowing of
//! more than two laps threatens is looked up pit by pit.
//!
//! A leaf that captures nothing has the stores of its parent and, unless the parent is an unusual one,
//! moves: the game cannot have ended there. Which moves capture is known before the first is made, since the
//! look-up that finds threats finds them.
//!
//! Property tests compare it with the plain loop, and the search tests with plain minimax.

// The calls into vector code, which this file makes only where the processor has the vectors.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::{BestLeaf, Leaves, Perspective, Quiescence, Score};
use super::tables::Tables;
use super::{Pair, Pairs};
use crate::game::ayo::vector::{capturing, held, huge, reached, vector};
use crate::game::ayo::{Ayo, GrandSlam, Position, added, last_pit_holds};
use crate::game::{Ending, Game, PitSet, Side};

/// Weights by lane, and those by what a pit holds: none, `()`, or [`Tables`], which all features that are read
/// off one pit are in then. It exists only where the processor can use it.
#[derive(Debug, Clone)]
pub(super) struct Lanes<T> {
    /// For a parent where the player at the root is to move, and for one where its opponent is.
    views: [View<T>; 2],
    /// Whether the weights are too large for one byte a lane.
    wide: bool,
}

/// What features are worth to the side to move at the parent, which maximises.
#[derive(Debug, Clone)]
struct View<T> {
    planes: [Plane; PLANES],
    /// Subtracted from the sum over lanes; what is always added is subtracted from it.
    excess: i32,
    /// By row.
    store: [i32; 2],
    three: [i32; 2],
    contents: T,
}

/// What pits are worth by what they hold, beside the weights by lane.
pub(super) trait ByContents {
    /// Whether they are worth anything.
    const COUNT: bool;

    /// What the pits of two rows are worth.
    fn worth(&self, rows: [u64; 2]) -> i32;
}

impl ByContents for () {
    const COUNT: bool = false;

    #[inline(always)]
    fn worth(&self, _rows: [u64; 2]) -> i32 {
        0
    }
}

impl ByContents for Tables {
    const COUNT: bool = true;

    #[inline(always)]
    fn worth(&self, rows: [u64; 2]) -> i32 {
        self.worth(rows)
    }
}

/// The bytes of weights: those of plane `n` count 64ⁿ times.
#[derive(Debug, Clone)]
struct Plane {
    /// By what a pit holds, eight numbers for each row; they are raised by [`BIAS`].
    holding: __m128i,
    /// By what the pit of the last seed would hold before it, eight numbers for each row.
    threat: __m128i,
    /// By lane.
    reach: __m128i,
    kroo: __m128i,
}

/// The sum of three digits from −32 to 31 fits a byte; with as many planes so do all weights.
const PLANES: usize = 3;
/// Makes the sum of a lane a number without a sign.
const BIAS: i32 = 128;

impl<T: ByContents> Lanes<T> {
    /// The lanes of these weights. `None` if this processor has no such vectors. `contents` are for the player
    /// whose weights they are, given 1, and for its opponent, given −1.
    pub(super) fn new(pairs: &Pairs, contents: impl Fn(i32) -> T, bias: i32) -> Option<Lanes<T>> {
        let available = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        if !available {
            return None;
        }
        let &Pairs { two, three, reach, kroo, seeds: _, empty, weak } = pairs;
        let largest = |pairs: &[Pair]| pairs.as_flattened().iter().map(|it| it.abs()).max();
        // A pit holds one number, and so does that of its last seed.
        let parts = [largest(&[two, three]), largest(&[reach]), largest(&[kroo, empty, weak])];
        let wide = parts.into_iter().flatten().sum::<i32>() >= BIAS;
        // SAFETY: the processor has been found to have AVX2.
        let view = |sign| unsafe { View::new(pairs, contents(sign), bias, sign, wide) };
        Some(Lanes { views: [1, -1].map(view), wide })
    }

    /// [`best_leaf`](super::super::best_leaf) by vectors.
    #[inline(always)]
    pub(super) fn best_leaf(
        &self,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        let Leaves { moves, first, me, perspective, quiescence, ply, alpha, beta } = leaves;
        let maximises = position.to_move() == me;
        let window = if maximises { (alpha.0, beta.0) } else { (-beta.0, -alpha.0) };
        let is_own = maximises || perspective == Perspective::Mover;
        let (position, moves) = (*position, (moves, first));
        let (count, view) = ((nodes, ply), (is_own, perspective));
        // SAFETY: `Lanes::new` has found the processor to have AVX2, POPCNT, BMI1 and BMI2.
        let (best, cutting) = unsafe {
            match (self.wide, quiescence) {
                (false, Quiescence::Off) => {
                    self.best_in_planes::<1, false>(game, position, moves, window, count, view)
                }
                (true, Quiescence::Off) => {
                    self.best_in_planes::<PLANES, false>(game, position, moves, window, count, view)
                }
                (false, Quiescence::Captures) => {
                    self.best_in_planes::<1, true>(game, position, moves, window, count, view)
                }
                (true, Quiescence::Captures) => {
                    self.best_in_planes::<PLANES, true>(game, position, moves, window, count, view)
                }
            }
        };
        BestLeaf { value: Score(if maximises { best } else { -best }), cutting }
    }

    /// Returns the best value of a leaf for the side that moves to it, and the move that caused a cutoff.
    ///
    /// The position is passed by value. Its two words have just been stored one at a time, and loading them back as one
    /// vector stalls until both stores are complete.
    ///
    /// `FOLLOWS` says whether captures are followed from leaves. It is known when this is compiled, since a test
    /// within the loop costs a tenth of the speed of searches that follow none.
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn best_in_planes<const N: usize, const FOLLOWS: bool>(
        &self,
        game: &Ayo,
        position: Position,
        (moves, first): (PitSet, PitSet),
        (least, enough): (i32, i32),
        (nodes, ply): (&mut u64, u32),
        (is_own, perspective): (bool, Perspective),
    ) -> (i32, PitSet) {
        let rows = position.rows();
        let view = &self.views[usize::from(!is_own)];
        let mut looking_on = LookingOn { lanes: self, game, perspective, entered: 0 };
        let parent = vector(rows);
        let is_usual = is_usual(game, rows, moves);
        // Below an unusual parent the end of the game is checked at every leaf, as after a capture.
        let captures = if is_usual { capturing(rows, parent) } else { u32::MAX };
        let stores = view.of_stores(&position, position.to_move());
        let mut best = Score::LOWEST.0;
        let mut cutting = PitSet::default();
        for pit in moves.ordered(first) {
            let value = if captures >> pit.index() & 1 == 0 {
                let sown = added(pit, (rows[0] >> (8 * pit.index())) as u8);
                let pits = _mm_add_epi64(parent, vector(*sown));
                let value = stores + view.of_pits::<N>(pits);
                if FOLLOWS && value > best.max(least) && may_be_captured(pits) {
                    let leaf = game.play(&position, pit);
                    looking_on.from::<N>(&leaf, value, is_own, ply, [best.max(least), enough])
                } else {
                    value
                }
            } else {
                let leaf = game.play(&position, pit);
                match game.ended(&leaf) {
                    Some(ending) => of_end(game, &leaf, ending, ply),
                    None => {
                        let value = view.after_move::<N>(&leaf);
                        if FOLLOWS {
                            looking_on.from::<N>(
                                &leaf,
                                value,
                                is_own,
                                ply,
                                [best.max(least), enough],
                            )
                        } else {
                            value
                        }
                    }
                }
            };
            looking_on.entered += 1;
            best = best.max(value);
            if best >= enough {
                cutting = PitSet::of(pit);
                break;
            }
        }
        *nodes += looking_on.entered;
        (best, cutting)
    }
}

/// Whether below this parent no quiet move ends the game: its opponent has seeds, and it may choose among moves that
/// the rules allow whatever they capture.
#[inline(always)]
pub(in crate::eval) fn is_usual(game: &Ayo, rows: [u64; 2], moves: PitSet) -> bool {
    rows[1] != 0 && moves.len() >= 2 && game.rules.grand_slam() != GrandSlam::Illegal
}

/// Follows captures from a leaf on, as [`Captures`](super::super::Captures) does.
struct LookingOn<'a, T> {
    lanes: &'a Lanes<T>,
    game: &'a Ayo,
    perspective: Perspective,
    /// Positions that were entered.
    entered: u64,
}

impl<T: ByContents> LookingOn<'_, T> {
    /// What an unfinished position is worth to the side that moved last, which it is worth `best` to if it is
    /// left alone. `is_own` says whether that side's is the first of the views.
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn from<const N: usize>(
        &mut self,
        position: &Position,
        mut best: i32,
        is_own: bool,
        ply: u32,
        [alpha, beta]: [i32; 2],
    ) -> i32 {
        let of_captor = !is_own || self.perspective == Perspective::Mover;
        for pit in self.game.may_capture(position) {
            if best <= alpha {
                break;
            }
            let after = self.game.play(position, pit);
            let captor = position.to_move();
            if after.store(captor) == position.store(captor) {
                continue;
            }
            self.entered += 1;
            let value = match self.game.ended(&after) {
                Some(ending) => of_end(self.game, &after, ending, ply + 1),
                None => {
                    let view = &self.lanes.views[usize::from(!of_captor)];
                    let value = view.after_move::<N>(&after);
                    let window = [-best.min(beta), -alpha];
                    self.from::<N>(&after, value, of_captor, ply + 1, window)
                }
            };
            best = best.min(-value);
        }
        best
    }
}

impl<T: ByContents> View<T> {
    /// `sign` is 1 for the player whose weights they are and −1 for its opponent.
    #[target_feature(enable = "avx2")]
    fn new(pairs: &Pairs, contents: T, bias: i32, sign: i32, wide: bool) -> View<T> {
        let by_row = |&[theirs, mine]: &Pair| {
            if sign > 0 { [mine, theirs] } else { [-theirs, -mine] }
        };
        let Pairs { two, three, reach, kroo, seeds, empty, weak } = pairs;
        let [two, three, reach, kroo, store, empty, weak] =
            [two, three, reach, kroo, seeds, empty, weak].map(by_row);
        let plane = |n: usize| {
            let digit = |weight: i32| match (wide, n) {
                (true, _) => digit(weight, n),
                (false, 0) => weight,
                (false, _) => 0,
            };
            let bytes = |of: &dyn Fn(usize, usize) -> i32| {
                vector(
                    [0, 1].map(|row| u64::from_le_bytes(std::array::from_fn(|i| of(row, i) as u8))),
                )
            };
            Plane {
                holding: bytes(&|row, held| {
                    BIAS + match held {
                        0 => digit(empty[row]),
                        1 | 2 => digit(weak[row]),
                        _ => 0,
                    }
                }),
                // What falls into one row comes from the other.
                threat: bytes(&|row, held| match held {
                    1 => digit(two[1 - row]),
                    2 => digit(three[1 - row]),
                    _ => 0,
                }),
                reach: bytes(&|row, _| digit(reach[row])),
                kroo: bytes(&|row, _| digit(kroo[row])),
            }
        };
        let excess = if wide { 1 + 64 + 64 * 64 } else { 1 } * 16 * BIAS - sign * bias;
        View { planes: std::array::from_fn(plane), excess, store, three, contents }
    }

    #[inline]
    fn of_stores(&self, position: &Position, me: Side) -> i32 {
        self.store[0] * i32::from(position.store(me))
            + self.store[1] * i32::from(position.store(me.other()))
            - self.excess
    }

    /// What a position is worth to the side that moved last, which the view is of.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn after_move<const N: usize>(&self, position: &Position) -> i32 {
        let [theirs, mine] = position.rows();
        let mover = position.to_move().other();
        self.of_stores(position, mover) + self.of_pits::<N>(vector([mine, theirs]))
    }

    /// All but the stores.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_pits<const N: usize>(&self, pits: __m128i) -> i32 {
        let held = held(pits);
        let reached = reached(pits, held);
        let reach =
            _mm_cmpgt_epi8(pits, _mm_setr_epi8(5, 4, 3, 2, 1, 0, 0, 0, 5, 4, 3, 2, 1, 0, 0, 0));
        let kroo = _mm_cmpgt_epi8(pits, _mm_set1_epi8(12));
        let mut sum = if T::COUNT { self.contents.worth(rows(pits)) } else { 0 };
        for (n, plane) in self.planes[..N].iter().enumerate() {
            let threats = _mm_shuffle_epi8(plane.threat, reached);
            let lanes = if T::COUNT {
                _mm_add_epi8(_mm_set1_epi8(BIAS as u8 as i8), threats)
            } else {
                _mm_add_epi8(
                    _mm_add_epi8(_mm_shuffle_epi8(plane.holding, held), threats),
                    _mm_add_epi8(
                        _mm_and_si128(reach, plane.reach),
                        _mm_and_si128(kroo, plane.kroo),
                    ),
                )
            };
            let halves = _mm_sad_epu8(lanes, _mm_setzero_si128());
            let both = _mm_add_epi32(halves, _mm_shuffle_epi32::<0x4E>(halves));
            sum += _mm_cvtsi128_si32(both) << (6 * n);
        }
        let huge = huge(pits);
        if huge == 0 { sum } else { sum + self.of_huge(pits, huge) }
    }

    /// What the pits of more than 22, given by the bits of their lanes, threaten: only to make three of
    /// none.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_huge(&self, pits: __m128i, huge: u32) -> i32 {
        let rows = rows(pits);
        let worth = |lane: usize| {
            let row = lane / 8;
            let makes_three = last_pit_holds(rows[row], rows[1 - row], lane % 8) == 3;
            if makes_three { self.three[row] } else { 0 }
        };
        (0..16).filter(|lane| huge >> lane & 1 == 1).map(worth).sum()
    }
}

/// The value of an end for the side that moved.
#[cold]
#[inline(never)]
pub(in crate::eval) fn of_end(game: &Ayo, leaf: &Position, ending: Ending, ply: u32) -> i32 {
    let verdict = game.settle(leaf, ending).verdict;
    Score::of_end(verdict, leaf.to_move().other(), ply).0
}

/// The digit of a weight that counts 64ⁿ times; the last one is what is left.
fn digit(weight: i32, n: usize) -> i32 {
    let low = (weight + 32).rem_euclid(64) - 32;
    if n == 0 { low } else { digit((weight - low) / 64, n - 1) }
}

/// The two rows as words.
#[inline]
#[target_feature(enable = "avx2")]
fn rows(pits: __m128i) -> [u64; 2] {
    [_mm_cvtsi128_si64(pits) as u64, _mm_extract_epi64::<1>(pits) as u64]
}

/// Whether a move from the second row may have a last seed that makes two or three.
#[inline]
#[target_feature(enable = "avx2")]
fn may_be_captured(pits: __m128i) -> bool {
    // One and two in the first row.
    let one_or_two = _mm_setr_epi8(0, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    let captures = _mm_movemask_epi8(_mm_shuffle_epi8(one_or_two, reached(pits, held(pits))));
    (captures | huge(pits) as i32) >> 8 != 0
}
