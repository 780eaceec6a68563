//! Evaluation of leaves with 128-bit vectors of bytes, for processors with AVX2.
//!
//! A vector holds the row of the side to move at the parent in bytes 0–5 and the opponent's row in bytes 8–13. To make
//! a move, we add a vector from a table. We look up the features of a pit with a shuffle that is indexed by the number
//! of seeds in the pit, or in the pit where its last seed would land. One instruction adds up all bytes. Only the
//! threats of pits with more than 22 seeds (two laps) are computed pit by pit. The threat lookup also finds captures.
//!
//! Property tests compare this code with the scalar loop, and search tests compare it with plain minimax.

// Calling vector code is unsafe, even though we've checked that the processor supports it.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::{BestLeaf, Leaves, Perspective, Quiescence, Score};
use super::{Pair, Pairs, Tables};
use crate::game::ayo::vector::{capturing, held, huge, is_available, reached, rows, vector};
use crate::game::ayo::{Ayo, GrandSlam, Position, added, last_pit_holds};
use crate::game::{Ending, Game, PitSet, Side};

/// Weights arranged by SIMD lane. These can only be created if the processor has the vector instructions.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    /// The weights to use if the evaluating side is to move at the parent, and those to use if the opponent is to move.
    views: [View; 2],
    /// Functions that find the best leaf, without and with a quiescence search.
    kernels: [Kernel; 2],
}

/// See [`Lanes::best_in_planes`]. The processor must have AVX2, POPCNT, BMI1 and BMI2.
type Kernel = unsafe fn(
    &Lanes,
    &Ayo,
    Position,
    (PitSet, PitSet),
    (i32, i32),
    (&mut u64, u32),
    (bool, Perspective),
) -> (i32, PitSet);

/// Weights whose signs are such that higher values are better for the side to move at the parent.
#[derive(Debug, Clone)]
struct View {
    planes: [Plane; PLANES],
    /// The sum of all constants added to the lanes, minus the bias. We subtract this from the sum of all lanes.
    excess: i32,
    /// The weights of a seed in each store, indexed by row.
    store: [i32; 2],
    three: [i32; 2],
    /// The total weight of pit features except threats, by pit and seed count. `None` if no feature needs exact counts.
    tables: Option<Tables>,
}

/// One base-64 digit of each weight. The digits at index `n` have the place value 64ⁿ.
#[derive(Debug, Clone)]
struct Plane {
    /// Digits for the contents of a pit, plus [`BIAS`]. Indexed by seed count, capped at 4 (plus 8 in the second row).
    holding: __m128i,
    /// Digits for threats. Indexed by the number of seeds in the pit where the last seed lands, before it lands there
    /// (plus 8 in the second row).
    threat: __m128i,
    /// Digits for pits that reach the opponent's row, indexed by lane.
    reach: __m128i,
    kroo: __m128i,
}

/// The number of base-64 digits that we use for large weights. Three digits are enough for any weight.
const PLANES: usize = 3;
/// The constant that we add to each lane to keep it non-negative.
const BIAS: i32 = 128;
/// The maximum number of weights that apply to the same pit. The sum of this many digits must fit in a byte.
const GROUPS: usize = 3;
const _: () = assert!(GROUPS as i32 * 32 <= BIAS, "lanes overflow with more than 4 groups");

impl Lanes {
    pub(super) fn new(pairs: &Pairs, tables: Option<&Tables>, bias: i32) -> Option<Lanes> {
        if !is_available() {
            return None;
        }
        let &Pairs { two, three, reach, kroo, seeds: _, empty, weak } = pairs;
        let largest = |pairs: &[Pair]| pairs.as_flattened().iter().map(|it| it.abs()).max();
        // Lanes could overflow if more than one weight in a group applied to the same pit. Therefore, two features that
        // can count the same pit must be in different groups.
        let parts: [_; GROUPS] =
            [largest(&[two, three]), largest(&[reach]), largest(&[kroo, empty, weak])];
        let wide = parts.into_iter().flatten().sum::<i32>() >= BIAS;
        let kernels = match (wide, tables.is_some()) {
            (true, true) => kernels::<PLANES, true>(),
            (true, false) => kernels::<PLANES, false>(),
            (false, true) => kernels::<1, true>(),
            (false, false) => kernels::<1, false>(),
        };
        // SAFETY: the processor has AVX2, as checked above.
        let view = |sign| unsafe { View::new(pairs, tables, bias, sign, wide) };
        Some(Lanes { views: [1, -1].map(view), kernels })
    }

    /// Like [`best_leaf`](super::super::best_leaf), but uses vectors.
    #[inline(always)]
    pub(super) fn best_leaf(
        &self,
        game: &Ayo,
        position: &Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        let Leaves { moves, first, me, perspective, quiescence, ply, alpha, beta } = leaves;
        let is_own = position.to_move() == me || perspective == Perspective::Mover;
        let kernel = self.kernels[usize::from(quiescence != Quiescence::Off)];
        let (moves, window) = ((moves, first), (alpha.0, beta.0));
        let (count, view) = ((nodes, ply), (is_own, perspective));
        // SAFETY: `Lanes::new` checked that the processor has AVX2, POPCNT, BMI1 and BMI2.
        let (best, cutting) = unsafe { kernel(self, game, *position, moves, window, count, view) };
        BestLeaf { value: Score(best), cutting }
    }

    /// Returns the best leaf's value for the side to move at the parent, and the move that caused a cutoff (if any).
    ///
    /// We pass the position by value because its two words have just been stored separately. Loading them as one vector
    /// would stall until both stores complete.
    ///
    /// `QUIESCENCE` is a const parameter because checking it in the loop makes searches without quiescence 10 % slower.
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn best_in_planes<const N: usize, const TABLES: bool, const QUIESCENCE: bool>(
        &self,
        game: &Ayo,
        position: Position,
        (moves, first): (PitSet, PitSet),
        (alpha, beta): (i32, i32),
        (nodes, ply): (&mut u64, u32),
        (is_own, perspective): (bool, Perspective),
    ) -> (i32, PitSet) {
        let rows = position.rows();
        let view = &self.views[usize::from(!is_own)];
        let mut captures_search = CaptureSearch { lanes: self, game, perspective, entered: 0 };
        let parent = vector(rows);
        let is_usual = is_usual(game, rows, moves);
        // We only check whether captures end the game. If other moves could end it, we treat all moves as captures.
        let capturing_moves = if is_usual { capturing(rows, parent) } else { u32::MAX };
        let stores = view.of_stores(&position, position.to_move());
        let mut best = Score::LOWEST.0;
        let mut cutting = PitSet::default();
        for pit in moves.ordered(first) {
            let value = if capturing_moves >> pit.index() & 1 == 0 {
                let sown = added(pit, (rows[0] >> (8 * pit.index())) as u8);
                let pits = _mm_add_epi64(parent, vector(*sown));
                let value = stores + view.of_pits::<N, TABLES>(pits);
                if QUIESCENCE && value > best.max(alpha) && may_be_captured(pits) {
                    let leaf = game.play(&position, pit);
                    captures_search.value::<N, TABLES>(
                        &leaf,
                        value,
                        is_own,
                        ply,
                        [best.max(alpha), beta],
                    )
                } else {
                    value
                }
            } else {
                let leaf = game.play(&position, pit);
                match game.ended(&leaf) {
                    Some(ending) => from_end(game, &leaf, ending, ply),
                    None => {
                        let value = view.after_move::<N, TABLES>(&leaf);
                        if QUIESCENCE {
                            let window = [best.max(alpha), beta];
                            captures_search.value::<N, TABLES>(&leaf, value, is_own, ply, window)
                        } else {
                            value
                        }
                    }
                }
            };
            captures_search.entered += 1;
            best = best.max(value);
            if best >= beta {
                cutting = PitSet::of(pit);
                break;
            }
        }
        *nodes += captures_search.entered;
        (best, cutting)
    }
}

fn kernels<const N: usize, const TABLES: bool>() -> [Kernel; 2] {
    [Lanes::best_in_planes::<N, TABLES, false>, Lanes::best_in_planes::<N, TABLES, true>]
}

/// Returns whether we can be sure that no non-capturing move ends the game.
#[inline(always)]
pub(in crate::eval) fn is_usual(game: &Ayo, rows: [u64; 2], moves: PitSet) -> bool {
    rows[1] != 0 && moves.len() >= 2 && game.rules.grand_slam() != GrandSlam::Illegal
}

/// Like the quiescence search of [`Captures`](super::super::Captures), but uses vectors.
struct CaptureSearch<'a> {
    lanes: &'a Lanes,
    game: &'a Ayo,
    perspective: Perspective,
    entered: u64,
}

impl CaptureSearch<'_> {
    /// Returns the value of an unfinished position for the side that moved last. `best` is the position's static value.
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn value<const N: usize, const TABLES: bool>(
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
                Some(ending) => from_end(self.game, &after, ending, ply + 1),
                None => {
                    let view = &self.lanes.views[usize::from(!of_captor)];
                    let value = view.after_move::<N, TABLES>(&after);
                    let window = [-best.min(beta), -alpha];
                    self.value::<N, TABLES>(&after, value, of_captor, ply + 1, window)
                }
            };
            best = best.min(-value);
        }
        best
    }
}

impl View {
    /// `sign` is 1 if the evaluating side is to move at the parent, and −1 if its opponent is to move.
    #[target_feature(enable = "avx2")]
    fn new(pairs: &Pairs, tables: Option<&Tables>, bias: i32, sign: i32, wide: bool) -> View {
        let by_row =
            |&[theirs, mine]: &Pair| if sign > 0 { [mine, theirs] } else { [-theirs, -mine] };
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
                // Pits in one row threaten pits in the other row, so the weight is taken from the other row.
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
        let tables = tables.map(|tables| tables.seen(sign));
        View { planes: std::array::from_fn(plane), excess, store, three, tables }
    }

    #[inline]
    fn of_stores(&self, position: &Position, me: Side) -> i32 {
        self.store[0] * i32::from(position.store(me))
            + self.store[1] * i32::from(position.store(me.other()))
            - self.excess
    }

    /// Returns the value of a position for the side that moved last. The weights must be the ones for this side.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn after_move<const N: usize, const TABLES: bool>(&self, position: &Position) -> i32 {
        let [theirs, mine] = position.rows();
        let mover = position.to_move().other();
        self.of_stores(position, mover) + self.of_pits::<N, TABLES>(vector([mine, theirs]))
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_pits<const N: usize, const TABLES: bool>(&self, pits: __m128i) -> i32 {
        let held = held(pits);
        let reached = reached(pits, held);
        let reach =
            _mm_cmpgt_epi8(pits, _mm_setr_epi8(5, 4, 3, 2, 1, 0, 0, 0, 5, 4, 3, 2, 1, 0, 0, 0));
        let kroo = _mm_cmpgt_epi8(pits, _mm_set1_epi8(12));
        let tables = self.tables.as_ref().filter(|_| TABLES);
        let mut sum = tables.map_or(0, |tables| tables.value(rows(pits)));
        for (n, plane) in self.planes[..N].iter().enumerate() {
            let threats = _mm_shuffle_epi8(plane.threat, reached);
            let mut lanes = _mm_add_epi8(_mm_shuffle_epi8(plane.holding, held), threats);
            if !TABLES {
                lanes = _mm_add_epi8(lanes, _mm_and_si128(reach, plane.reach));
                lanes = _mm_add_epi8(lanes, _mm_and_si128(kroo, plane.kroo));
            }
            let halves = _mm_sad_epu8(lanes, _mm_setzero_si128());
            let both = _mm_add_epi32(halves, _mm_shuffle_epi32::<0x4E>(halves));
            sum += _mm_cvtsi128_si32(both) << (6 * n);
        }
        let huge = huge(pits);
        if huge == 0 { sum } else { sum + self.of_huge(pits, huge) }
    }

    /// Returns the value of threats by pits with more than 22 seeds. Such a threat always makes three in an empty pit.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn of_huge(&self, pits: __m128i, huge: u32) -> i32 {
        let rows = rows(pits);
        let value = |lane: usize| {
            let row = lane / 8;
            let makes_three = last_pit_holds(rows[row], rows[1 - row], lane % 8) == 3;
            if makes_three { self.three[row] } else { 0 }
        };
        (0..16).filter(|lane| huge >> lane & 1 == 1).map(value).sum()
    }
}

/// Returns the value of a finished game for the side that moved last.
#[cold]
#[inline(never)]
pub(in crate::eval) fn from_end(game: &Ayo, leaf: &Position, ending: Ending, ply: u32) -> i32 {
    let verdict = game.settle(leaf, ending).verdict;
    Score::from_end(verdict, leaf.to_move().other(), ply).0
}

/// Returns digit `n` of a weight in base 64, from −32 to 31. The highest digit is unbounded.
fn digit(weight: i32, n: usize) -> i32 {
    let low = (weight + 32).rem_euclid(64) - 32;
    if n == 0 { low } else { digit((weight - low) / 64, n - 1) }
}

/// Returns whether a move from the second row may capture.
#[inline]
#[target_feature(enable = "avx2")]
fn may_be_captured(pits: __m128i) -> bool {
    // A lookup table that is only set for one and two seeds in the first row.
    let one_or_two = _mm_setr_epi8(0, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    let captures = _mm_movemask_epi8(_mm_shuffle_epi8(one_or_two, reached(pits, held(pits))));
    (captures | huge(pits) as i32) >> 8 != 0
}
