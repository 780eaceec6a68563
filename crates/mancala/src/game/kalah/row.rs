//! Packs a side's pits into a 128-bit word with 16 bits per pit, so that sowing is just an addition.

use std::ops::Range;

use crate::game::{Pit, PitSet};

const LANES: usize = Pit::MAX as usize;

/// The pits in sowing order, starting from the low bits. No pit holds more than 384 seeds, so sums never carry over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row(u128);

/// `FIRST[n]` has one seed in each of the first `n` pits.
const FIRST: [u128; LANES + 1] = {
    let mut first = [0; LANES + 1];
    let mut count = 0;
    while count < LANES {
        first[count + 1] = first[count] | 1 << (16 * count);
        count += 1;
    }
    first
};

/// Adding this number to four lanes sets the highest bit of every non-empty lane.
const ALMOST: u64 = 0x7FFF_7FFF_7FFF_7FFF;

impl Row {
    pub(super) const EMPTY: Row = Row(0);

    pub(super) fn new(pits: [u16; LANES]) -> Row {
        Row(pits.iter().rev().fold(0, |row, &seeds| row << 16 | u128::from(seeds)))
    }

    #[inline]
    pub(super) fn pits(self) -> [u16; LANES] {
        std::array::from_fn(|pit| self.get(pit))
    }

    #[inline(always)]
    pub(super) fn get(self, pit: usize) -> u16 {
        (self.0 >> (16 * pit)) as u16
    }

    #[inline(always)]
    pub(super) fn take(&mut self, pit: usize) -> u16 {
        let seeds = self.get(pit);
        self.0 &= !(0xFFFF << (16 * pit));
        seeds
    }

    /// Adds `seeds` to each pit in a range. If the range starts after its end, it counts as empty.
    #[inline(always)]
    pub(super) fn add(&mut self, pits: Range<usize>, seeds: u16) {
        let end = pits.end.max(pits.start);
        self.0 += (FIRST[end] - FIRST[pits.start]) * u128::from(seeds);
    }

    /// Returns the row with all pits before `pit` emptied.
    #[inline(always)]
    pub(super) fn from(self, pit: usize) -> Row {
        Row(self.0 & !(FIRST[pit] * 0xFFFF))
    }

    #[inline(always)]
    pub(super) fn total(self) -> u16 {
        let [low, high] = self.words();
        ((low + high).wrapping_mul(0x0001_0001_0001_0001) >> 48) as u16
    }

    #[inline(always)]
    pub(super) fn occupied(self) -> PitSet {
        // Gather the highest bits of the four lanes in a word.
        let four = |word: u64| {
            let highest = (word + ALMOST) >> 15 & 0x0001_0001_0001_0001;
            (highest.wrapping_mul(0x0001_0002_0004_0008) >> 48) as u8 & 0xF
        };
        let [low, high] = self.words();
        PitSet::from_bits(four(low) | four(high) << 4)
    }

    #[inline(always)]
    pub(super) fn words(&self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::prelude::*;

    laws! {
        #[test]
        fn a_row_is_an_array(mut pits in proptest::array::uniform8(0..48u16), from in 0..8usize, count in 0..8usize) {
            let mut row = Row::new(pits);
            prop_assert_eq!(row.pits(), pits);
            prop_assert_eq!(row.total(), pits.iter().sum::<u16>());
            prop_assert_eq!(row.from(from).total(), pits[from..].iter().sum::<u16>());
            let occupied: Vec<usize> = row.occupied().map(Pit::index).collect();
            let expected: Vec<usize> = (0..LANES).filter(|pit| pits[*pit] > 0).collect();
            prop_assert_eq!(occupied, expected);
            let end = LANES.min(from + count);
            row.add(from..end, 3);
            pits[from..end].iter_mut().for_each(|seeds| *seeds += 3);
            prop_assert_eq!(row.take(from), std::mem::take(&mut pits[from]));
            prop_assert_eq!(row.pits(), pits);
        }
    }
}
