//! Evaluates sixteen units at a time on processors with AVX2.
//!
//! A block holds sixteen units of a row. [`Layer`] guarantees that the sum of the active rows and the bias fits in
//! sixteen bits. Unused units in the last block are zero, as are their weights.

// Needed to call vector code after checking for the required processor features.
#![allow(unsafe_code)]

mod ayo;

use std::arch::x86_64::*;
use std::sync::Arc;

pub use self::ayo::AyoUnits;
use super::evaluator::Fast;
use super::layer::Layer;
use crate::game::ayo::vector::is_available;
use crate::game::{Encoded, GameKind, MAX_GROUPS, Material};

/// The number of units in a block.
const LANES: usize = 16;
/// The maximum number of blocks in a row.
const MOST_BLOCKS: usize = 4;

/// The weights of sixteen units.
#[repr(C, align(32))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block([i16; LANES]);

const ZERO: Block = Block([0; LANES]);

/// The rows of a layer split into blocks, `width` per row.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    width: usize,
    rows: Vec<Block>,
    bias: [Block; MOST_BLOCKS],
}

impl Blocks {
    /// Returns the blocks of a layer in the layout for its game, or `None` if the processor does not support them.
    pub(super) fn new(layer: &Layer) -> Option<Blocks> {
        if !is_available() || layer.units() > MOST_BLOCKS * LANES {
            return None;
        }
        let width = layer.units().div_ceil(LANES);
        let mut rows = Vec::new();
        for row in layer.rows().chunks_exact(layer.units()) {
            rows.extend_from_slice(&blocks(row)[..width]);
        }
        let bias = blocks(layer.bias());
        let plain = Blocks { width, rows, bias };
        Some(match layer.game() {
            GameKind::Ayo => plain.in_pairs(),
            GameKind::Kalah => plain,
        })
    }

    fn row(&self, row: usize) -> &[Block] {
        &self.rows[row * self.width..][..self.width]
    }
}

/// Splits a row into blocks.
fn blocks(units: &[i16]) -> [Block; MOST_BLOCKS] {
    let mut blocks = [ZERO; MOST_BLOCKS];
    for (unit, &weight) in units.iter().enumerate() {
        blocks[unit / LANES].0[unit % LANES] = weight;
    }
    blocks
}

/// A layer and the weights of its units. Can only be created if the processor supports it.
#[derive(Debug, Clone)]
struct Head {
    layer: Arc<Blocks>,
    /// Indexed by the seeds on the board, in 48ths.
    weights: Arc<[[Block; MOST_BLOCKS]; Material::COUNT]>,
}

impl Head {
    fn new(layer: &Layer, weights: &[i16]) -> Option<Head> {
        let rows = layer.blocks().filter(|_| layer.second_layer().is_none())?;
        let blocks_at = |material| blocks(&layer.phases().weights(weights, material));
        let mut all = [[ZERO; MOST_BLOCKS]; Material::COUNT];
        for (place, material) in all.iter_mut().zip(Material::all()) {
            *place = blocks_at(material);
        }
        Some(Head { layer: Arc::clone(rows), weights: Arc::new(all) })
    }

    #[inline]
    fn weights(&self, material: Material) -> &[Block; MOST_BLOCKS] {
        &self.weights[material.parts()]
    }

    /// Returns the weighted sum of units, given their input sums before activation.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn weighed<const N: usize>(sums: [__m256i; N], weights: &[Block; MOST_BLOCKS]) -> i32 {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(super::ONE as i16));
        let mut total = zero;
        for (sum, weights) in sums.into_iter().zip(weights) {
            let clamped = _mm256_min_epi16(_mm256_max_epi16(sum, zero), one);
            // The low half of the product is treated as unsigned.
            let units = _mm256_srli_epi16::<8>(_mm256_mullo_epi16(clamped, clamped));
            total = _mm256_add_epi32(total, _mm256_madd_epi16(units, loaded(weights)));
        }
        let halves =
            _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
        let quarters = _mm_add_epi32(halves, _mm_shuffle_epi32::<0x4E>(halves));
        _mm_cvtsi128_si32(_mm_add_epi32(quarters, _mm_shuffle_epi32::<0xB1>(quarters)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn bias<const N: usize>(&self) -> [__m256i; N] {
        let mut sums = [_mm256_setzero_si256(); N];
        for (sum, block) in sums.iter_mut().zip(&self.layer.bias) {
            *sum = loaded(block);
        }
        sums
    }

    /// Returns the weighted sum of the units for these active rows.
    #[target_feature(enable = "avx2")]
    fn of_rows<const N: usize>(&self, active: &[u16], material: Material) -> i32 {
        let mut sums = self.bias::<N>();
        for &row in active {
            add(&mut sums, self.layer.row(row.into()));
        }
        Head::weighed(sums, self.weights(material))
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn loaded(block: &Block) -> __m256i {
    // SAFETY: a block is 32 bytes, aligned to 32.
    unsafe { _mm256_load_si256(std::ptr::from_ref(block).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add<const N: usize>(sums: &mut [__m256i; N], row: &[Block]) {
    for (sum, block) in sums.iter_mut().zip(row) {
        *sum = _mm256_add_epi16(*sum, loaded(block));
    }
}

/// Units of any game, summed row by row.
#[derive(Debug, Clone)]
pub struct RowUnits(Head);

impl<G: Encoded> Fast<G> for RowUnits {
    fn new(layer: &Layer, weights: &[i16]) -> Option<RowUnits> {
        Head::new(layer, weights).map(RowUnits)
    }

    #[inline]
    fn sum(&self, position: &G::Position) -> i64 {
        let mut rows = [0; MAX_GROUPS];
        let count = G::active(position, &mut rows);
        let (head, active, material) = (&self.0, &rows[..count], G::material(position));
        // SAFETY: `Blocks::new` has checked that the processor has AVX2.
        let sum = unsafe {
            match head.layer.width {
                1 => head.of_rows::<1>(active, material),
                2 => head.of_rows::<2>(active, material),
                3 => head.of_rows::<3>(active, material),
                _ => head.of_rows::<MOST_BLOCKS>(active, material),
            }
        };
        sum.into()
    }
}
