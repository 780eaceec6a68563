//! Encodes ayo positions as inputs of learned layers.

use super::sowing::{PITS, last_pit_holds};
use super::{Ayo, HALF, Position};
use crate::game::{Encoded, Group, MAX_GROUPS, Material, PAIRED, Side, inputs};

/// The number of input rows for each pit: one for each number of seeds up to 22, and one for 23 or more.
pub(crate) const CONTENTS: usize = 24;
/// The number of input rows for each store: one for each number of seeds up to 23, and one for 24 (half) or more.
pub(crate) const STORED: usize = HALF as usize + 1;
pub(crate) const SETS: usize = 1 << PITS;
/// The first input row for the stores.
pub(crate) const STORES: usize = 2 * PITS * CONTENTS;
/// The first input row for the sets of pits that threaten a capture.
pub(crate) const THREATS: usize = STORES + 2 * STORED;
/// The first input row for the pairs of pits.
pub(crate) const PAIRS: usize = THREATS + 4 * SETS;

impl Encoded for Ayo {
    /// Each side has two sets of pits: those whose last seed makes two in the other row, and those that make three.
    fn groups() -> Vec<Group> {
        inputs::groups(PITS, [CONTENTS, STORED], ["make 2", "make 3"], &[0, 2, 4])
    }

    #[inline]
    fn material(position: &Position) -> Material {
        let all = u32::from(2 * HALF);
        let stored: u32 = position.stored().into_iter().map(u32::from).sum();
        Material::new(all.saturating_sub(stored), all)
    }

    #[inline]
    fn mover(position: &Position) -> Side {
        position.to_move()
    }

    #[inline]
    fn active(position: &Position, rows: &mut [u16; MAX_GROUPS]) -> usize {
        let me = position.to_move();
        let sides = [me, me.other()];
        let words = position.rows();
        let mut count = 2 * PITS + 6;
        for (half, word) in words.into_iter().enumerate() {
            for pit in 0..PITS {
                let group = half * PITS + pit;
                let seeds = usize::from((word >> (8 * pit)) as u8);
                rows[group] = (group * CONTENTS + seeds.min(CONTENTS - 1)) as u16;
            }
            let stored = usize::from(position.store(sides[half]));
            rows[2 * PITS + half] = (STORES + half * STORED + stored.min(STORED - 1)) as u16;
            let [two, three] = threats(word, words[1 - half]);
            let first = THREATS + half * 2 * SETS;
            rows[2 * PITS + 2 + 2 * half] = (first + two) as u16;
            rows[2 * PITS + 3 + 2 * half] = (first + SETS + three) as u16;
            for pair in 0..PITS / 2 {
                let held = |pit: usize| usize::from((word >> (8 * pit)) as u8);
                if let Some(row) =
                    pair_row(half * PITS / 2 + pair, held(2 * pair), held(2 * pair + 1))
                {
                    rows[count] = row;
                    count += 1;
                }
            }
        }
        count
    }
}

/// Returns the input row for a pair of pits with these numbers of seeds, or `None` if either number is too large.
pub(crate) fn pair_row(pair: usize, first: usize, second: usize) -> Option<u16> {
    let row = PAIRS + pair * PAIRED * PAIRED + first + PAIRED * second;
    (first < PAIRED && second < PAIRED).then_some(row as u16)
}

/// Returns two bit masks of pits in row `from`: the pits whose last seed would bring a pit in row `to` to two seeds,
/// and the pits whose last seed would bring one to three seeds.
#[inline]
fn threats(from: u64, to: u64) -> [usize; 2] {
    let mut found = [0; 2];
    for pit in 0..PITS {
        let held = last_pit_holds(from, to, pit);
        found[0] |= usize::from(held == 2) << pit;
        found[1] |= usize::from(held == 3) << pit;
    }
    found
}
