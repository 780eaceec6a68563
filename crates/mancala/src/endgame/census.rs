//! The number of positions with each value.

use rayon::prelude::*;

use super::layer::LayerError;
use super::tables::Tables;

/// The positions of one layer by their value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// The seeds on the board.
    pub seeds: u8,
    /// Values that occur, from the lowest up, with the number of positions that have them.
    pub counts: Vec<(i8, u64)>,
}

impl Census {
    /// All positions of the layer.
    pub fn positions(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| count).sum()
    }
}

/// Values counted in pieces of this many positions.
const PIECE: usize = 1 << 20;

/// The census of every layer, by seeds.
///
/// # Errors
/// If a layer is damaged.
pub fn census(tables: &Tables) -> Result<Vec<Census>, LayerError> {
    let layers = tables.values();
    let census = (0..tables.len()).zip(layers).map(|(seeds, values)| {
        tables.check(seeds)?;
        let counts = values.par_chunks(PIECE).map(count).reduce(|| [0; 256], added);
        let named = (i8::MIN..=i8::MAX).map(|value| (value, counts[usize::from(value as u8)]));
        Ok(Census { seeds, counts: named.filter(|&(_, count)| count > 0).collect() })
    });
    census.collect()
}

fn count(values: &[i8]) -> [u64; 256] {
    let mut counts = [0; 256];
    for &value in values {
        counts[usize::from(value as u8)] += 1;
    }
    counts
}

fn added(mut one: [u64; 256], other: [u64; 256]) -> [u64; 256] {
    for (sum, count) in one.iter_mut().zip(other) {
        *sum += count;
    }
    one
}
