//! A transposition table of bounds. Each entry of 16 bytes contains the whole position.

use super::board::Board;
use crate::game::kalah::Kalah;
use crate::memory::{MemoryError, Reservation};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i32,
    pub(super) high: i32,
}

/// A position with its bounds in the highest bits of the bytes, which the position does not need.
#[derive(Clone, Copy, Default)]
struct Entry {
    mover: u64,
    other: u64,
}

const FREE: u64 = 0x8080_8080_8080_8080;

impl Entry {
    fn new(board: Board, bounds: Bounds) -> Entry {
        Entry {
            mover: board.mover | spread(bounds.low as i8 as u8),
            other: board.other | spread(bounds.high as i8 as u8),
        }
    }

    #[inline(always)]
    fn is_of(self, board: Board) -> bool {
        self.mover & !FREE == board.mover && self.other & !FREE == board.other
    }

    fn board(self) -> Board {
        Board { mover: self.mover & !FREE, other: self.other & !FREE }
    }

    #[inline(always)]
    fn bounds(self) -> Bounds {
        let number = |word| i32::from(gathered(word) as i8);
        Bounds { low: number(self.mover), high: number(self.other) }
    }
}

/// Spreads the bits of a byte over the highest bits of eight bytes.
#[inline(always)]
fn spread(byte: u8) -> u64 {
    let one_each = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    // Adding 128 − 2ⁿ to a byte carries into its highest bit if bit n is set.
    (one_each + 0x0040_6070_787C_7E7F) & FREE
}

/// The inverse of [`spread`].
#[inline(always)]
fn gathered(word: u64) -> u8 {
    (((word & FREE) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Pairs of entries. The first is only replaced by at least as many seeds, the second always.
pub(super) struct Table {
    entries: Vec<Entry>,
    shift: u32,
    _reserved: Reservation,
}

pub(super) const MIN_BITS: u32 = 10;

/// Returns the size in bytes of a table with 2^`bits` entries.
pub(super) const fn bytes(bits: u32) -> u64 {
    (size_of::<Entry>() as u64) << bits
}

/// Returns the binary logarithm of the number of entries in the largest useful table that fits into `memory`.
pub(super) fn bits_within(memory: u64, game: &Kalah) -> Option<u32> {
    let entries = memory / bytes(0);
    let most = entries.checked_ilog2().filter(|bits| *bits >= MIN_BITS)?;
    Some(most.min(MIN_BITS.max(positions(game).ilog2() + 1)))
}

/// Counts the ways to distribute the seeds of a board over its pits and the stores.
fn positions(game: &Kalah) -> u128 {
    let (seeds, pits) = (u128::from(game.total()), 2 * game.pits() as u128);
    (1..=pits).fold(1, |ways, pit| ways * (seeds + pit) / pit)
}

/// The index of a pair of entries.
#[derive(Clone, Copy)]
pub(super) struct Place(usize);

impl Table {
    pub(super) fn new(bits: u32) -> Result<Table, MemoryError> {
        let reserved = Reservation::of(bytes(bits))?;
        // On 32-bit machines the size may exceed the address space, in which case the reservation fails.
        let size = 1_usize.checked_shl(bits).unwrap_or(usize::MAX);
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).map_err(|_| MemoryError::System(bytes(bits)))?;
        // An unused entry matches only the board without seeds, which is never searched.
        entries.resize(size, Entry::default());
        Ok(Table { entries, shift: 64 - bits, _reserved: reserved })
    }

    #[inline(always)]
    pub(super) fn place(&self, board: Board) -> Place {
        let mixed = (board.mover ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xFF51_AFD7_ED55_8CCD)
            ^ board.other.wrapping_mul(0xC4CE_B9FE_1A85_EC53).rotate_left(29);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Place((mixed >> self.shift) as usize & !1)
    }

    #[inline(always)]
    pub(super) fn get(&self, place: Place, board: Board) -> Option<Bounds> {
        let pair = &self.entries[place.0..place.0 + 2];
        pair.iter().find(|entry| entry.is_of(board)).map(|entry| entry.bounds())
    }

    /// Stores the bounds of a position with `seeds` seeds.
    #[inline]
    pub(super) fn put(&mut self, place: Place, board: Board, seeds: i32, bounds: Bounds) {
        let entry = Entry::new(board, bounds);
        let [first, second] = &mut self.entries[place.0..place.0 + 2] else { unreachable!() };
        if first.is_of(board) {
            *first = entry;
        } else if second.is_of(board) || seeds < first.board().seeds() {
            *second = entry;
        } else {
            *second = std::mem::replace(first, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_return_their_board_and_bounds() {
        for (mover, other) in [(0, 1), (0x7F7F_7F7F_7F7F_7F7F, 0x0102_0304_0506_077F)] {
            let board = Board { mover, other };
            for low in -128..=127 {
                let bounds = Bounds { low, high: -1 - low };
                let entry = Entry::new(board, bounds);
                assert!(entry.is_of(board));
                assert_eq!((entry.board(), entry.bounds()), (board, bounds));
            }
        }
    }

    #[test]
    fn a_table_stays_within_its_memory() {
        let game = Kalah::new(6, 4).unwrap();
        for memory in [1 << 14, 1 << 20, (1 << 20) - 1, 3 << 25, 1 << 30] {
            let bits = bits_within(memory, &game).unwrap();
            assert!(bytes(bits) <= memory && bytes(bits) > memory / 2, "{memory}");
        }
        assert_eq!(bits_within(1000, &game), None);
        // Up to four seeds in four pits.
        assert_eq!(positions(&Kalah::new(2, 1).unwrap()), 70);
        assert!(bytes(bits_within(1 << 40, &Kalah::new(2, 1).unwrap()).unwrap()) < 1 << 20);
    }
}
