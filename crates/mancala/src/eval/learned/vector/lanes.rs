//! Vectors of 64 bytes. They take two registers with AVX2, or one with AVX-512.

// Vector instructions are unsafe. The safety condition for all functions here is documented in the trait.
#![allow(unsafe_code, unsafe_op_in_unsafe_fn)]

use std::arch::x86_64::*;

use super::Line;
use crate::eval::learned::layer::ONE;
use crate::eval::learned::second::SecondLayer;

/// A [`Line`] in registers: 32 units or 16 neurons.
///
/// # Safety
/// The processor must support the instructions that the type uses. The functions are fast only when inlined into a
/// function that is compiled for these instructions.
pub(super) trait Lanes: Copy {
    unsafe fn load(line: *const Line) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    /// Computes the values of units from their sums.
    unsafe fn units(self) -> Self;
    /// Multiplies the values of units or neurons by their weights and adds the products to the totals in `self`.
    unsafe fn add_weighed(self, values: Self, weights: Self) -> Self;
    /// Halves the units of two lines and packs them into bytes. Each group of 16 bytes contains eight units of the
    /// first line, followed by eight of the second. Result `n` repeats bytes `4n` to `4n + 3` of each group four times.
    unsafe fn quarters(self, next: Self) -> [Self; 4];
    /// Multiplies bytes by weights and adds four products to each sum in `self`.
    unsafe fn add_products(self, bytes: Self, weights: Self) -> Self;
    /// Computes the values of neurons from four vectors. Each vector holds four partial sums for each of four neurons.
    unsafe fn neurons(parts: [Self; 4]) -> Self;
    /// Returns the sum of all totals in `self`.
    unsafe fn sum(self) -> i64;
}

impl Lanes for [__m256i; 2] {
    #[inline(always)]
    unsafe fn load(line: *const Line) -> Self {
        let halves: *const __m256i = line.cast();
        [_mm256_load_si256(halves), _mm256_load_si256(halves.add(1))]
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        [_mm256_add_epi16(self[0], other[0]), _mm256_add_epi16(self[1], other[1])]
    }

    #[inline(always)]
    unsafe fn units(self) -> Self {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ONE as i16));
        let low = _mm256_min_epi16(_mm256_max_epi16(self[0], zero), one);
        let high = _mm256_min_epi16(_mm256_max_epi16(self[1], zero), one);
        // The squares fit in 16 bits if they are unsigned, but not if they are signed.
        let squares = [_mm256_mullo_epi16(low, low), _mm256_mullo_epi16(high, high)];
        [_mm256_srli_epi16::<8>(squares[0]), _mm256_srli_epi16::<8>(squares[1])]
    }

    #[inline(always)]
    unsafe fn add_weighed(self, values: Self, weights: Self) -> Self {
        let low = _mm256_madd_epi16(values[0], weights[0]);
        let high = _mm256_madd_epi16(values[1], weights[1]);
        [_mm256_add_epi32(self[0], low), _mm256_add_epi32(self[1], high)]
    }

    #[inline(always)]
    unsafe fn quarters(self, next: Self) -> [Self; 4] {
        let this = [_mm256_srli_epi16::<1>(self[0]), _mm256_srli_epi16::<1>(self[1])];
        let next = [_mm256_srli_epi16::<1>(next[0]), _mm256_srli_epi16::<1>(next[1])];
        let low = _mm256_packus_epi16(this[0], next[0]);
        let high = _mm256_packus_epi16(this[1], next[1]);
        [
            [_mm256_shuffle_epi32::<0x00>(low), _mm256_shuffle_epi32::<0x00>(high)],
            [_mm256_shuffle_epi32::<0x55>(low), _mm256_shuffle_epi32::<0x55>(high)],
            [_mm256_shuffle_epi32::<0xAA>(low), _mm256_shuffle_epi32::<0xAA>(high)],
            [_mm256_shuffle_epi32::<0xFF>(low), _mm256_shuffle_epi32::<0xFF>(high)],
        ]
    }

    #[inline(always)]
    unsafe fn add_products(self, bytes: Self, weights: Self) -> Self {
        let ones = _mm256_set1_epi16(1);
        let low = _mm256_madd_epi16(_mm256_maddubs_epi16(bytes[0], weights[0]), ones);
        let high = _mm256_madd_epi16(_mm256_maddubs_epi16(bytes[1], weights[1]), ones);
        [_mm256_add_epi32(self[0], low), _mm256_add_epi32(self[1], high)]
    }

    #[inline(always)]
    unsafe fn neurons([a, b, c, d]: [Self; 4]) -> Self {
        let [a, b] = [_mm256_add_epi32(a[0], a[1]), _mm256_add_epi32(b[0], b[1])];
        let [c, d] = [_mm256_add_epi32(c[0], c[1]), _mm256_add_epi32(d[0], d[1])];
        let odd =
            [_mm256_permute2x128_si256::<0x31>(a, b), _mm256_permute2x128_si256::<0x31>(c, d)];
        let low = _mm256_add_epi32(_mm256_permute2x128_si256::<0x20>(a, b), odd[0]);
        let high = _mm256_add_epi32(_mm256_permute2x128_si256::<0x20>(c, d), odd[1]);
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi32(SecondLayer::SUM_ONE));
        let low = _mm256_min_epi32(_mm256_max_epi32(low, zero), one);
        let high = _mm256_min_epi32(_mm256_max_epi32(high, zero), one);
        [_mm256_srli_epi32::<5>(low), _mm256_srli_epi32::<5>(high)]
    }

    #[inline(always)]
    unsafe fn sum(self) -> i64 {
        let all = _mm256_add_epi32(self[0], self[1]);
        let halves = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
        let quarters = _mm_add_epi32(halves, _mm_shuffle_epi32::<0x4E>(halves));
        // The two numbers fit in 32 bits, but their sum may not.
        let both = _mm_cvtsi128_si64(quarters);
        i64::from(both as i32) + (both >> 32)
    }
}

impl Lanes for __m512i {
    #[inline(always)]
    unsafe fn load(line: *const Line) -> Self {
        _mm512_load_si512(line.cast())
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        _mm512_add_epi16(self, other)
    }

    #[inline(always)]
    unsafe fn units(self) -> Self {
        let sum = _mm512_max_epi16(self, _mm512_setzero_si512());
        let clamped = _mm512_min_epi16(sum, _mm512_set1_epi16(ONE as i16));
        _mm512_srli_epi16::<8>(_mm512_mullo_epi16(clamped, clamped))
    }

    #[inline(always)]
    unsafe fn add_weighed(self, values: Self, weights: Self) -> Self {
        _mm512_dpwssd_epi32(self, values, weights)
    }

    #[inline(always)]
    unsafe fn quarters(self, next: Self) -> [Self; 4] {
        let bytes = _mm512_packus_epi16(_mm512_srli_epi16::<1>(self), _mm512_srli_epi16::<1>(next));
        [
            _mm512_shuffle_epi32::<0x00>(bytes),
            _mm512_shuffle_epi32::<0x55>(bytes),
            _mm512_shuffle_epi32::<0xAA>(bytes),
            _mm512_shuffle_epi32::<0xFF>(bytes),
        ]
    }

    #[inline(always)]
    unsafe fn add_products(self, bytes: Self, weights: Self) -> Self {
        _mm512_dpbusd_epi32(self, bytes, weights)
    }

    #[inline(always)]
    unsafe fn neurons([a, b, c, d]: [Self; 4]) -> Self {
        let high = [_mm512_shuffle_i32x4::<0xEE>(a, b), _mm512_shuffle_i32x4::<0xEE>(c, d)];
        let one = _mm512_add_epi32(_mm512_shuffle_i32x4::<0x44>(a, b), high[0]);
        let two = _mm512_add_epi32(_mm512_shuffle_i32x4::<0x44>(c, d), high[1]);
        let odd = _mm512_shuffle_i32x4::<0xDD>(one, two);
        let sum = _mm512_add_epi32(_mm512_shuffle_i32x4::<0x88>(one, two), odd);
        let sum = _mm512_max_epi32(sum, _mm512_setzero_si512());
        _mm512_srli_epi32::<5>(_mm512_min_epi32(sum, _mm512_set1_epi32(SecondLayer::SUM_ONE)))
    }

    #[inline(always)]
    unsafe fn sum(self) -> i64 {
        [_mm512_castsi512_si256(self), _mm512_extracti64x4_epi64::<1>(self)].sum()
    }
}
