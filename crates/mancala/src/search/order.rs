//! The order in which a search visits moves.

use crate::game::{Pit, PitSet};

/// The moves of a node: `first`, if it is one of them, then the promising ones from the highest pit
/// down, then the rest from the lowest up.
///
/// The promising ones are found only when the first move is not enough.
pub(super) struct Order {
    /// The moves to come, the next one in the lowest bits.
    queue: Queue,
    /// Moves that are not in the queue yet.
    rest: u8,
    promising: PitSet,
}

/// Pits in some order, four bits each, of which the highest is set.
type Queue = u32;
const BITS: u32 = Queue::BITS / Pit::MAX as u32;

/// The pits of a set from the lowest up and from the highest down.
static UPWARDS: [Queue; 256] = queues(false);
static DOWNWARDS: [Queue; 256] = queues(true);

const fn queues(downwards: bool) -> [Queue; 256] {
    let mut queues = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut step, mut length) = (0, 0);
        while step < Pit::MAX {
            let pit = if downwards { Pit::MAX - 1 - step } else { step };
            if set >> pit & 1 == 1 {
                queues[set] |= ((Pit::MAX | pit) as Queue) << (BITS * length);
                length += 1;
            }
            step += 1;
        }
        set += 1;
    }
    queues
}

impl Order {
    #[inline(always)]
    pub(super) fn new(moves: PitSet, first: PitSet, promising: PitSet) -> Self {
        let now = moves.bits() & first.bits();
        Order { queue: UPWARDS[usize::from(now)], rest: moves.bits() ^ now, promising }
    }
}

impl Iterator for Order {
    type Item = Pit;

    #[inline(always)]
    fn next(&mut self) -> Option<Pit> {
        if self.queue == 0 {
            if self.rest == 0 {
                return None;
            }
            let promising = PitSet::from_bits(self.promising.bits() & self.rest);
            let rest = self.rest ^ promising.bits();
            let before = BITS * promising.len() as u32;
            self.queue = DOWNWARDS[usize::from(promising.bits())]
                | UPWARDS[usize::from(rest)].unbounded_shl(before);
            self.rest = 0;
        }
        let pit = self.queue as u8 % Pit::MAX;
        self.queue >>= BITS;
        Pit::new(pit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_comes_once() {
        let pits = |order: Order| order.map(Pit::index).collect::<Vec<_>>();
        let order = |moves: u8, first: u8, promising: u8| {
            let sets = [moves, 1u8 << first, promising].map(PitSet::from_bits);
            let [moves, first, promising] = sets;
            pits(Order::new(moves, first, promising))
        };
        assert_eq!(order(0b11_1111, 2, 0b01_0011), [2, 4, 1, 0, 3, 5]);
        assert_eq!(order(0b10_0101, 1, 0b11_0010), [5, 0, 2]);
        assert_eq!(order(0b1111_1111, 7, 0), [7, 0, 1, 2, 3, 4, 5, 6]);
        assert!(order(0, 0, 0b11).is_empty());
    }
}
