//! The order in which a search visits moves.

use crate::game::{Pit, PitSet};

/// Iterates over a node's moves in search order: `first` (if legal), promising moves from the highest pit down, and the
/// rest from the lowest pit up. We only call `promising` after searching `first`, since a cutoff makes it unnecessary.
pub(super) struct Order<F> {
    /// Moves to visit from the lowest pit up: the moves in `first`, and later the moves that aren't promising.
    upwards: u8,
    /// Promising moves, which we visit from the highest pit down and before the moves in `upwards`.
    downwards: u8,
    /// Moves that we haven't ordered yet.
    rest: u8,
    promising: F,
}

impl<F: Fn() -> PitSet> Order<F> {
    #[inline(always)]
    pub(super) fn new(moves: PitSet, first: PitSet, promising: F) -> Self {
        let first = moves.bits() & first.bits();
        Order { upwards: first, downwards: 0, rest: moves.bits() ^ first, promising }
    }
}

impl<F: Fn() -> PitSet> Iterator for Order<F> {
    type Item = Pit;

    #[inline(always)]
    fn next(&mut self) -> Option<Pit> {
        if self.upwards == 0 && self.downwards == 0 && self.rest != 0 {
            self.downwards = self.rest & (self.promising)().bits();
            self.upwards = self.rest ^ self.downwards;
            self.rest = 0;
        }
        if self.downwards != 0 {
            let highest = self.downwards.ilog2();
            self.downwards ^= 1 << highest;
            return Pit::new(highest as u8);
        }
        let mut upwards = PitSet::from_bits(self.upwards);
        let lowest = upwards.next();
        self.upwards = upwards.bits();
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_comes_once() {
        let pits = |moves: u8, first: u8, promising: u8| {
            let [moves, first, promising] = [moves, first, promising].map(PitSet::from_bits);
            Order::new(moves, first, || promising).map(Pit::index).collect::<Vec<_>>()
        };
        assert_eq!(pits(0b11_1111, 0b100, 0b01_0011), [2, 4, 1, 0, 3, 5]);
        assert_eq!(pits(0b10_0101, 0b10, 0b11_0010), [5, 0, 2]);
        assert_eq!(pits(0b1111_1111, 0b1000_0000, 0), [7, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(pits(0b1111_1111, 0, 0b1111_1111), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert!(pits(0, 1, 0b11).is_empty());
    }

    #[test]
    fn promising_moves_are_not_computed_for_the_first_move() {
        let [moves, first] = [0b111, 0b10].map(PitSet::from_bits);
        let order = Order::new(moves, first, || unreachable!());
        assert_eq!(order.take(1).collect::<Vec<_>>(), [Pit::new(1).unwrap()]);
    }
}
