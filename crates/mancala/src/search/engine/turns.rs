//! The order in which one of several threads looks at moves.

use super::super::order::Order;
use crate::game::{Pit, PitSet};

/// The moves of a node in their order, then those that were put off.
pub(super) struct Turns<F> {
    order: Order<F>,
    put_off: PitSet,
    /// Whether the moves that come now were put off.
    again: bool,
}

impl<F: Fn() -> PitSet> Turns<F> {
    #[inline(always)]
    pub(super) fn of(order: Order<F>) -> Self {
        Turns { order, put_off: PitSet::default(), again: false }
    }

    /// Has a move come once more after all others. `false` if it already did.
    #[inline(always)]
    pub(super) fn put_off(&mut self, pit: Pit) -> bool {
        if !self.again {
            self.put_off = PitSet::from_bits(self.put_off.bits() | 1 << pit.index());
        }
        !self.again
    }
}

impl<F: Fn() -> PitSet> Iterator for Turns<F> {
    type Item = Pit;

    #[inline(always)]
    fn next(&mut self) -> Option<Pit> {
        self.order.next().or_else(|| {
            self.again = true;
            self.put_off.next()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_off_comes_once_more() {
        let order =
            Order::new(PitSet::from_bits(0b11_1111), PitSet::default(), || PitSet::from_bits(0b11));
        let mut turns = Turns::of(order);
        let mut seen = Vec::new();
        while let Some(pit) = turns.next() {
            let put_off = pit.index() % 2 == 1 && turns.put_off(pit);
            seen.push((pit.index(), put_off));
        }
        let once = [(1, true), (0, false), (2, false), (3, true), (4, false), (5, true)];
        assert_eq!(seen, [&once[..], &[(1, false), (3, false), (5, false)]].concat());
    }
}
