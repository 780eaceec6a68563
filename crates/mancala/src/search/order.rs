//! The order in which a search looks at moves.

use crate::game::{Pit, PitSet};

/// The moves of a node: `first`, if it is one of them, then the promising ones from the highest pit
/// down, then the rest from the lowest up.
///
/// The promising ones are found only when the first move is not enough.
pub(super) struct Order<F> {
    first: Option<Pit>,
    promising: Option<F>,
    then: u8,
    rest: u8,
}

impl<F: FnOnce() -> PitSet> Order<F> {
    #[inline(always)]
    pub(super) fn new(moves: PitSet, first: Option<Pit>, promising: F) -> Self {
        let first = first.filter(|&pit| moves.contains(pit));
        let rest = moves.bits() & !first.map_or(0, |pit| 1 << pit.index());
        Order { first, promising: Some(promising), then: 0, rest }
    }
}

impl<F: FnOnce() -> PitSet> Iterator for Order<F> {
    type Item = Pit;

    #[inline(always)]
    fn next(&mut self) -> Option<Pit> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        if self.rest != 0
            && let Some(promising) = self.promising.take()
        {
            self.then = self.rest & promising().bits();
            self.rest &= !self.then;
        }
        if self.then != 0 {
            let highest = self.then.ilog2();
            self.then &= !(1 << highest);
            return Pit::new(highest as u8);
        }
        let mut rest = PitSet::from_bits(self.rest);
        let lowest = rest.next();
        self.rest = rest.bits();
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_comes_once() {
        let pits = |order: Order<_>| order.map(|pit: Pit| pit.index()).collect::<Vec<_>>();
        let order = |moves, first, promising| {
            let promising = move || PitSet::from_bits(promising);
            pits(Order::new(PitSet::from_bits(moves), Pit::new(first), promising))
        };
        assert_eq!(order(0b11_1111, 2, 0b01_0011), [2, 4, 1, 0, 3, 5]);
        assert_eq!(order(0b10_0101, 1, 0b11_0010), [5, 0, 2]);
        assert_eq!(order(0b1111_1111, 7, 0), [7, 0, 1, 2, 3, 4, 5, 6]);
        assert!(order(0, 0, 0b11).is_empty());
    }

    #[test]
    fn a_first_move_that_is_enough_asks_no_further() {
        let order = Order::new(PitSet::from_bits(7), Pit::new(1), || unreachable!());
        assert_eq!(order.take(1).collect::<Vec<_>>(), [Pit::new(1).unwrap()]);
    }
}
