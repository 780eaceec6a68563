//! Sowing and capturing. A row is packed into a `u64`, with pit `i` in byte `i`. The two highest bytes may have any
//! value (see [`Position`]).
//!
//! To sow, we add a word to each row. The words come from a table indexed by the pit and its number of seeds. No byte
//! overflows, because there are only 48 seeds.

use super::position::{Position, STORE, store_of};
use super::rules::GrandSlam;
use crate::game::{Pit, PitSet};

pub const PITS: usize = 6;
pub const SEEDS: u8 = 48;

/// The effect of sowing, before any captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sown {
    /// The seeds added to the sower's row and to the opponent's row, with one byte per pit.
    pub added: [u64; 2],
    /// The pit in which the last seed lands (0–5 in the sower's row, 6–11 in the opponent's).
    pub last: u8,
}

pub fn sown(pit: Pit, seeds: u8) -> Sown {
    walk(pit.index(), seeds as usize)
}

/// Sows seed by seed, skipping the origin pit.
const fn walk(origin: usize, seeds: usize) -> Sown {
    let mut added = [0; 2];
    let mut at = origin;
    let mut left = seeds;
    while left > 0 {
        at = (at + 1) % (2 * PITS);
        if at == origin {
            continue;
        }
        added[at / PITS] += 1 << (8 * (at % PITS));
        left -= 1;
    }
    Sown { added, last: at as u8 }
}

/// One entry per pit and number of seeds. The sizes are powers of two, so masking the indices avoids bounds checks.
type Table<T> = [[T; 64]; Pit::MAX as usize];

/// The words to add to the sower's row and to the opponent's row, and the bit offset of the pit in the opponent's row
/// where the last seed lands.
///
/// Adding the first word wraps around, which empties the origin pit. If the last seed lands in the sower's own row, the
/// offset points to the highest byte, which is never two or three.
static SOWN: (Table<[u64; 2]>, Table<u8>) = {
    let mut added = [[[0; 2]; 64]; Pit::MAX as usize];
    let mut offsets = [[56; 64]; Pit::MAX as usize];
    let mut at = 0;
    while at < PITS * (SEEDS as usize + 1) {
        let (pit, seeds) = (at % PITS, at / PITS);
        let Sown { added: [mine, theirs], last } = walk(pit, seeds);
        added[pit][seeds] = [mine.wrapping_sub((seeds as u64) << (8 * pit)), theirs];
        if last as usize >= PITS {
            offsets[pit][seeds] = 8 * (last - PITS as u8);
        }
        at += 1;
    }
    (added, offsets)
};

/// Returns the words to add to the sower's row (with wrapping) and to the opponent's row.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn added(pit: Pit, seeds: u8) -> &'static [u64; 2] {
    &SOWN.0[pit.index() % 8][seeds as usize % 64]
}

/// Sows from `pit` in `from` without capturing. Returns both rows and the bit offset in `to` where the last seed lands.
#[inline(always)]
fn spread(from: u64, to: u64, pit: usize) -> (u64, u64, u32) {
    let seeds = (from >> (8 * pit)) as usize % 64;
    let pit = pit % 8;
    let added = &SOWN.0[pit][seeds];
    (from.wrapping_add(added[0]), to + added[1], u32::from(SOWN.1[pit][seeds]))
}

/// If the last seed lands in the other row, returns the number of seeds in the pit where it lands. Otherwise, returns a
/// number that is neither two nor three.
#[inline(always)]
pub(crate) fn last_pit_holds(from: u64, to: u64, pit: usize) -> u8 {
    let (_, to, last) = spread(from, to, pit);
    (to >> last) as u8
}

pub(super) const ROW: u64 = (1 << STORE) - 1;
const ONES: u64 = 0x0101_0101_0101;

#[inline]
pub(crate) fn occupied(row: u64) -> PitSet {
    let flags = (row + 0x7F * ONES) >> 7 & ONES;
    // The multiplication moves bit 8i to bit 56 + i without carries.
    PitSet::from_bits((flags.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8)
}

#[inline(always)]
pub(crate) fn total(row: u64) -> u8 {
    ((row << 16).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

#[inline(always)]
pub(crate) fn is_bare(row: u64) -> bool {
    row << 16 == 0
}

#[inline(always)]
pub(crate) fn sow(position: &Position, pit: Pit, slam: GrandSlam) -> Position {
    let (mut mine, mut theirs, last) = spread(position.mover, position.other, pit.index());
    if theirs >> last & 0xFE == 2 {
        let taken = captured(theirs, last);
        // The last seed is in the opponent's row, so a capture that empties this row is a grand slam.
        if slam != GrandSlam::CapturesNothing || !is_bare(theirs - taken) {
            theirs -= taken;
            mine += u64::from(total(taken)) << STORE;
        }
    }
    Position { mover: theirs, other: mine }
}

/// Returns the captured bytes of `row`, i.e. the unbroken run of pits with two or three seeds that ends at bit `last`.
#[inline(always)]
fn captured(row: u64, last: u32) -> u64 {
    let up_to_last = u64::MAX >> (56 - last);
    let others = (row ^ (0x02 * ONES)) & (0xFE * ONES) & up_to_last;
    // Find the highest pit up to the last seed that isn't captured. It and all pits below it stay on the board.
    let kept = 64 - (others.leading_zeros() & !7);
    row & up_to_last & (u64::MAX << kept)
}

/// Plays a move, ignoring the stores. Returns the rows (the new mover's row first) and the number of seeds captured.
#[inline(always)]
pub(crate) fn sow_rows([mover, other]: [u64; 2], pit: Pit, slam: GrandSlam) -> ([u64; 2], u8) {
    let after = sow(&Position { mover, other }, pit, slam);
    ([after.mover, after.other & ROW], store_of(after.other))
}
