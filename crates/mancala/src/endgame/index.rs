//! Numbers all positions that have the same number of seeds consecutively, starting at 0.
//!
//! A position with n seeds is a way to arrange n seeds and the eleven walls between the twelve pits in n + 11 places.
//! If pits 0 to i hold Sᵢ seeds in total, then wall i is at place Sᵢ + i, counting from 0. The number of the position
//! is the sum of C(Sᵢ + i, i + 1) over all walls. This is the combinatorial number system (Lehmer 1964; Knuth, TAOCP
//! 7.2.1.3, theorem L). Pits are counted from the mover's first to the opponent's last, so the number doesn't depend on
//! which side is South.

use crate::game::ayo::{PITS, SEEDS};

/// The mover's row, followed by the opponent's. Each pit is a byte, starting with the first pit in the lowest byte.
pub type Rows = [u64; 2];

const WALLS: usize = 2 * PITS - 1;
/// The number of terms per wall. This is a power of two so that indices can be masked instead of bounds-checked.
const COLUMNS: usize = 64;

/// The terms that each wall adds to a position's number, indexed by the wall and the number of seeds before it.
static TERMS: [[u64; COLUMNS]; WALLS] = {
    let mut terms = [[0; COLUMNS]; WALLS];
    let mut at = 0;
    while at < WALLS * (SEEDS as usize + 1) {
        let (wall, seeds) = (at % WALLS, at / WALLS);
        terms[wall][seeds] = choose(seeds + wall, wall + 1);
        at += 1;
    }
    terms
};

const fn choose(from: usize, some: usize) -> u64 {
    let mut ways = 1;
    let mut taken = 0;
    while taken < some {
        if from <= taken {
            return 0;
        }
        // Each step yields C(from, taken + 1), which is an integer, so the division leaves no remainder.
        ways = ways * (from - taken) as u64 / (taken as u64 + 1);
        taken += 1;
    }
    ways
}

/// Returns C(seeds + 11, 11), the number of positions with `seeds` seeds on the board. Panics if `seeds` exceeds 48.
pub fn positions(seeds: u8) -> u64 {
    assert!(seeds <= SEEDS, "the game has {SEEDS} seeds");
    choose(usize::from(seeds) + WALLS, WALLS)
}

/// Returns the number of a position among all positions with the same number of seeds.
///
/// ```
/// use mancala::endgame::{rank, unrank};
/// // Three seeds in the mover's first pit and one in the opponent's.
/// assert_eq!(rank([3, 1]), 1238);
/// assert_eq!(unrank(4, 1238), [3, 1]);
/// ```
#[inline]
pub fn rank([mover, other]: Rows) -> u64 {
    // Byte i of the product is the sum of bytes 0 to i.
    let sums = mover.wrapping_mul(0x0101_0101_0101);
    let before = sums >> (8 * (PITS - 1)) & 0xFF;
    let further = other.wrapping_mul(0x0101_0101_0101).wrapping_add(before * 0x0101_0101_0101);
    let term = |wall: usize, sums: u64, pit: usize| {
        let seeds = (sums >> (8 * pit)) as usize;
        TERMS[wall][seeds % COLUMNS]
    };
    let mine: u64 = (0..PITS).map(|pit| term(pit, sums, pit)).sum();
    let theirs: u64 = (0..PITS - 1).map(|pit| term(PITS + pit, further, pit)).sum();
    mine + theirs
}

/// Returns the position with `seeds` seeds and the given number, which must be less than [`positions`].
pub fn unrank(seeds: u8, mut rank: u64) -> Rows {
    debug_assert!(rank < positions(seeds));
    let mut rows = [0; 2];
    // The total number of seeds in all pits up to the current one.
    let mut up_to = usize::from(seeds);
    for wall in (0..WALLS).rev() {
        let mut before = up_to;
        while TERMS[wall][before] > rank {
            before -= 1;
        }
        rank -= TERMS[wall][before];
        put(&mut rows, wall + 1, up_to - before);
        up_to = before;
    }
    put(&mut rows, 0, up_to);
    rows
}

fn put(rows: &mut Rows, pit: usize, seeds: usize) {
    rows[pit / PITS] |= (seeds as u64) << (8 * (pit % PITS));
}

/// Returns the position with the next higher number. The last position is returned unchanged.
#[inline]
pub(super) fn next([mover, other]: Rows) -> Rows {
    // Take one seed from the first occupied pit after pit 0. Put it and all seeds from pit 0 into the pit before.
    let first = mover & 0xFF;
    let rest = mover & !0xFF;
    if rest != 0 {
        let pit = rest.trailing_zeros() & !7;
        let mover = rest - (1 << pit) + ((first + 1) << (pit - 8));
        return [mover, other];
    }
    if other == 0 {
        return [mover, other];
    }
    let pit = other.trailing_zeros() & !7;
    let taken = other - (1 << pit);
    match pit {
        0 => [(first + 1) << (8 * (PITS - 1)), taken],
        _ => [0, taken + ((first + 1) << (pit - 8))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ayo::total;
    use crate::laws::prelude::*;

    #[test]
    fn layers_are_as_large_as_published() {
        // The layer sizes are from Lincke (2002), table 4.1. All layers together have C(60, 12) positions.
        assert_eq!(positions(0), 1);
        assert_eq!(positions(24), 417_225_900);
        assert_eq!(positions(48), 279_871_768_995);
        assert_eq!((0..=18).map(positions).sum::<u64>(), 86_493_225);
        assert_eq!((0..=48).map(positions).sum::<u64>(), choose(60, 12));
    }

    laws! {
        #[test]
        fn rank_inverts_unrank(seeds in 0u8..=48, number: u64) {
            let number = number % positions(seeds);
            let rows = unrank(seeds, number);
            prop_assert_eq!(rows.map(total).iter().sum::<u8>(), seeds);
            prop_assert_eq!(rank(rows), number);
            if number + 1 < positions(seeds) {
                prop_assert_eq!(rank(next(rows)), number + 1);
            }
        }
    }
}
