//! A transposition table that stores bounds for whole positions.

use super::board::Board;
use crate::game::kalah::Kalah;
use crate::memory::{Reservation, cannot_allocate};
use crate::text::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i8,
    pub(super) high: i8,
}

/// A table of pairs of entries. Positions with fewer seeds than a pair's first entry can only replace the second.
pub(super) struct Table {
    /// The boards. We store their bounds separately so that an entry takes 18 bytes instead of 24.
    boards: Vec<[Board; 2]>,
    bounds: Vec<[Bounds; 2]>,
    _reserved: Reservation,
}

pub(super) const MIN_MEMORY: u64 = 1 << 14;

pub(super) const fn bytes(pairs: usize) -> u64 {
    (pairs as u64).saturating_mul(size_of::<[Board; 2]>() as u64 + size_of::<[Bounds; 2]>() as u64)
}

/// Returns the number of pairs in the largest useful table that fits in `memory` bytes.
pub(super) fn pairs_within(memory: u64, game: &Kalah) -> Option<usize> {
    // On 32-bit machines, the size may exceed the address space, in which case allocating the table fails.
    let pairs = usize::try_from(memory / bytes(1)).unwrap_or(usize::MAX);
    let useful = usize::try_from(positions(game)).unwrap_or(usize::MAX);
    (memory >= MIN_MEMORY).then(|| pairs.min(useful))
}

/// Counts the ways to distribute a board's seeds over its pits and stores.
fn positions(game: &Kalah) -> u128 {
    let (seeds, pits) = (u128::from(game.total()), 2 * game.pits() as u128);
    (1..=pits).fold(1, |ways, pit| ways * (seeds + pit) / pit)
}

#[derive(Clone, Copy)]
pub(super) struct Place(usize);

impl Table {
    pub(super) fn new(pairs: usize) -> Result<Table> {
        let reserved = Reservation::of(bytes(pairs))?;
        let (mut boards, mut bounds) = (Vec::new(), Vec::new());
        let allocated =
            boards.try_reserve_exact(pairs).and_then(|()| bounds.try_reserve_exact(pairs));
        allocated.map_err(|_| cannot_allocate(bytes(pairs)))?;
        // An empty board marks unused entries, because we never search a board without seeds.
        boards.resize(pairs, [Board::EMPTY; 2]);
        bounds.resize(pairs, [Bounds { low: 0, high: 0 }; 2]);
        Ok(Table { boards, bounds, _reserved: reserved })
    }

    #[inline(always)]
    pub(super) fn place(&self, board: Board) -> Place {
        let mixed = (board.mover ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xFF51_AFD7_ED55_8CCD)
            ^ board.other.wrapping_mul(0xC4CE_B9FE_1A85_EC53).rotate_left(29);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Place(((u128::from(mixed) * self.boards.len() as u128) >> 64) as usize)
    }

    #[inline(always)]
    pub(super) fn get(&self, place: Place, board: Board) -> Option<Bounds> {
        let entry = self.boards[place.0].iter().position(|it| *it == board)?;
        Some(self.bounds[place.0][entry])
    }

    #[inline]
    pub(super) fn put(&mut self, place: Place, board: Board, seeds: i32, new: Bounds) {
        let (boards, bounds) = (&mut self.boards[place.0], &mut self.bounds[place.0]);
        if boards[0] == board {
            bounds[0] = new;
        } else if boards[1] == board || seeds < boards[0].seeds() {
            (boards[1], bounds[1]) = (board, new);
        } else {
            (*boards, *bounds) = ([board, boards[0]], [new, bounds[0]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_stays_within_its_memory() {
        let game = Kalah::new(6, 4).unwrap();
        for memory in [1 << 15, 1 << 20, (1 << 20) - 1, 3 << 25, 1 << 30] {
            let size = bytes(pairs_within(memory, &game).unwrap());
            assert!(size <= memory && size > memory - 100, "{memory}");
        }
        assert_eq!(pairs_within(1000, &game), None);
        // There are 70 ways to put up to four seeds into four pits.
        assert_eq!(positions(&Kalah::new(2, 1).unwrap()), 70);
        assert!(bytes(pairs_within(1 << 40, &Kalah::new(2, 1).unwrap()).unwrap()) < 1 << 20);
    }
}
