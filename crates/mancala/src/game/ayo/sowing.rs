//! Sowing and capture on rows held as words: pit `i` of a row is byte `i` of its `u64`. The two bytes
//! above the pits may hold anything: see [`Position`].
//!
//! A move adds two words from a table, since where the seeds of a pit go depends only on the pit and
//! on how many it holds. No byte overflows: there are 48 seeds.

use super::position::{Position, STORE, store_of};
use super::rules::GrandSlam;
use crate::game::{Pit, PitSet};

/// Pits in a row.
pub const PITS: usize = 6;
/// Seeds in the game.
pub const SEEDS: u8 = 48;

/// Where the seeds of one pit go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sown {
    /// Seeds added to the sower's row and to the opponent's, a byte a pit.
    pub added: [u64; 2],
    /// The pit of the last seed: 0–5 in the sower's row, 6–11 in the opponent's.
    pub last: u8,
}

/// Where `seeds` sown from `pit` go.
pub fn sown(pit: Pit, seeds: u8) -> Sown {
    walk(pit.index(), seeds as usize)
}

/// Where `seeds` sown from `origin` go, found by dropping them one by one; the pit of origin is skipped
/// on every lap.
pub const fn walk(origin: usize, seeds: usize) -> Sown {
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

/// An entry for every pit and every number of seeds in it. Both sizes are rounded up to powers of two, so
/// that a masked index needs no bounds check.
type Table<T> = [[T; 64]; Pit::MAX as usize];

/// What a sowing adds to the sower's row and to the opponent's. The first takes away the seeds sown:
/// it is to be added with wrapping.
static ADDED: Table<[u64; 2]> = {
    let mut table = [[[0; 2]; 64]; Pit::MAX as usize];
    let mut at = 0;
    while at < PITS * (SEEDS as usize + 1) {
        let (pit, seeds) = (at % PITS, at / PITS);
        let [mine, theirs] = walk(pit, seeds).added;
        table[pit][seeds] = [mine.wrapping_sub((seeds as u64) << (8 * pit)), theirs];
        at += 1;
    }
    table
};

/// Where the byte of the pit of the last seed begins in the opponent's row; the top byte, which is
/// never two or three, stands for every pit of the sower's.
static LAST: Table<u8> = {
    let mut table = [[56; 64]; Pit::MAX as usize];
    let mut at = 0;
    while at < PITS * (SEEDS as usize + 1) {
        let (pit, seeds) = (at % PITS, at / PITS);
        let last = walk(pit, seeds).last as usize;
        if last >= PITS {
            table[pit][seeds] = 8 * (last - PITS) as u8;
        }
        at += 1;
    }
    table
};

/// What sowing `seeds` from `pit` adds to the sower's row, with wrapping, and to the opponent's.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn added(pit: Pit, seeds: u8) -> &'static [u64; 2] {
    &ADDED[pit.index() % 8][seeds as usize % 64]
}

/// The rows after sowing `pit` of the first, before captures, and where the byte of the last seed
/// begins in the second.
#[inline(always)]
fn spread(from: u64, to: u64, pit: usize) -> (u64, u64, u32) {
    let seeds = (from >> (8 * pit)) as usize % 64;
    let pit = pit % 8;
    let added = &ADDED[pit][seeds];
    (from.wrapping_add(added[0]), to + added[1], u32::from(LAST[pit][seeds]))
}

/// The seeds in the pit of the other row that a sowing ends in; neither two nor three if it ends in the
/// sower's row.
#[inline(always)]
pub(crate) fn last_pit_holds(from: u64, to: u64, pit: usize) -> u8 {
    let (_, to, last) = spread(from, to, pit);
    (to >> last) as u8
}

/// The pits of a word.
pub(super) const ROW: u64 = (1 << STORE) - 1;
/// One in every byte of a row.
const ONES: u64 = 0x0101_0101_0101;

/// The pits of a row that hold seeds.
#[inline]
pub(crate) fn occupied(row: u64) -> PitSet {
    let flags = (row + 0x7F * ONES) >> 7 & ONES;
    // The bit at 8i moves to 56 + i; no two products meet in a bit.
    PitSet::from_bits((flags.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8)
}

/// The seeds in a row.
#[inline(always)]
pub(crate) fn total(row: u64) -> u8 {
    ((row << 16).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// Whether no pit of a row holds seeds.
#[inline(always)]
pub(crate) fn is_bare(row: u64) -> bool {
    row << 16 == 0
}

/// The position after sowing `pit` of the side to move, with the other side to move.
#[inline(always)]
pub(crate) fn sow(position: &Position, pit: Pit, slam: GrandSlam) -> Position {
    let (mut mine, mut theirs, last) = spread(position.mover, position.other, pit.index());
    if theirs >> last & 0xFE == 2 {
        let taken = captured(theirs, last);
        // Capturing nothing is no grand slam, even on an empty row, which no last seed leaves.
        if slam != GrandSlam::CapturesNothing || !is_bare(theirs - taken) {
            theirs -= taken;
            mine += u64::from(total(taken)) << STORE;
        }
    }
    Position { mover: theirs, other: mine }
}

/// The bytes of `row` that are captured when the last seed falls into the pit at bit `last`, which then
/// holds two or three: that pit and those before it, as long as each holds two or three.
#[inline(always)]
fn captured(row: u64, last: u32) -> u64 {
    let up_to_last = u64::MAX >> (56 - last);
    let others = (row ^ (0x02 * ONES)) & (0xFE * ONES) & up_to_last;
    // Bits up to the top of the highest pit that holds another number.
    let kept = 64 - (others.leading_zeros() & !7);
    row & up_to_last & (u64::MAX << kept)
}

/// The rows after sowing `pit` of the first, and the seeds captured. The row of the opponent, which moves
/// next, comes first. Tables use this, since they keep no stores.
#[inline(always)]
pub(crate) fn sow_rows([mover, other]: [u64; 2], pit: Pit, slam: GrandSlam) -> ([u64; 2], u8) {
    let after = sow(&Position { mover, other }, pit, slam);
    ([after.mover, after.other & ROW], store_of(after.other))
}
