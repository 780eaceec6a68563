//! Packs both rows into a 128-bit vector of bytes for processors with AVX2. The mover's row is in bytes 0–5 and the
//! opponent's row in bytes 8–13.

// Functions with target features are unsafe to call from ordinary code.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{PITS, last_pit_holds};

/// Returns whether the processor has AVX2, POPCNT, BMI1 and BMI2, all of which the vector evaluation needs.
pub(crate) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn rows(pits: __m128i) -> [u64; 2] {
    [_mm_cvtsi128_si64(pits) as u64, _mm_extract_epi64::<1>(pits) as u64]
}

/// Like [`capturing`], but returns `None` on processors without AVX2.
#[inline(always)]
pub(super) fn capturing_if_available([mover, other]: [u64; 2]) -> Option<u32> {
    // SAFETY: the processor has AVX2.
    is_x86_feature_detected!("avx2").then(|| unsafe { capturing_of(mover, other) })
}

/// We don't inline this function. Otherwise, LLVM would compute it ahead of loops over moves, most of which end before
/// they need it. The rows are separate arguments because storing an array as words and loading it as a vector stalls.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn capturing_of(mover: u64, other: u64) -> u32 {
    let rows = [mover, other];
    capturing(rows, vector(rows))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn vector([low, high]: [u64; 2]) -> __m128i {
    _mm_set_epi64x(high as i64, low as i64)
}

/// Returns the number of seeds in each pit, capped at four, plus 8 in the second row. Unused lanes count as four.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn held(pits: __m128i) -> __m128i {
    let least = vector([0x0404_0000_0000_0000, 0x0C0C_0808_0808_0808]);
    _mm_or_si128(_mm_min_epu8(pits, _mm_set1_epi8(4)), least)
}

/// For each pit, returns the number of seeds in the pit of the other row where its last seed lands, encoded as in
/// [`held`]. This excludes the last seed, but includes a seed from an earlier lap. If the last seed lands elsewhere,
/// the number is at least four. Only works for up to 22 seeds.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn reached(pits: __m128i, held: __m128i) -> __m128i {
    // Sowing 12 or more seeds goes all the way around the board. The first 11 add one to every pit except the origin.
    let lap = _mm_cmpgt_epi8(pits, _mm_set1_epi8(11));
    let seeds = _mm_sub_epi8(pits, _mm_and_si128(lap, _mm_set1_epi8(11)));
    // The index in the other row, or 6 outside it. The minimum is unsigned, so negative indices become 6, too.
    let offsets = _mm_setr_epi8(-6, -5, -4, -3, -2, -1, -1, -1, -6, -5, -4, -3, -2, -1, -1, -1);
    let place = _mm_min_epu8(_mm_add_epi8(seeds, offsets), _mm_set1_epi8(6));
    let lane = _mm_or_si128(place, vector([0x0808_0808_0808_0808, 0]));
    _mm_sub_epi8(_mm_shuffle_epi8(held, lane), lap)
}

/// Returns a bit mask of the pits with more than 22 seeds.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn huge(pits: __m128i) -> u32 {
    _mm_movemask_epi8(_mm_cmpgt_epi8(pits, _mm_set1_epi8(22))) as u32
}

/// Returns a bit mask of the moves whose last seed makes two or three.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn capturing(rows: [u64; 2], pits: __m128i) -> u32 {
    // A lookup table that is only set for one and two seeds in the second row.
    let one_or_two = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0, 0);
    let reached = reached(pits, held(pits));
    let mut captures = _mm_movemask_epi8(_mm_shuffle_epi8(one_or_two, reached)) as u32;
    let huge = huge(pits);
    if huge != 0 {
        for pit in (0..PITS).filter(|pit| huge >> pit & 1 == 1) {
            captures |= u32::from(last_pit_holds(rows[0], rows[1], pit) == 3) << pit;
        }
    }
    captures
}
