//! Sowing and capture on rows held as words: pit `i` of a row is byte `i` of its `u64`.
//!
//! A move adds two words from a table, since where the seeds of a pit go depends only on the pit and
//! on how many it holds. No byte overflows: there are 48 seeds.

use super::position::Position;
use super::rules::GrandSlam;
use crate::game::{Pit, PitSet, Side};

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

static SOWN: [[Sown; SEEDS as usize + 1]; PITS] = table();

/// Where `seeds` sown from `pit` go.
#[inline(always)]
pub fn sown(pit: Pit, seeds: u8) -> &'static Sown {
    &SOWN[pit.index()][seeds as usize]
}

const fn table() -> [[Sown; SEEDS as usize + 1]; PITS] {
    let mut table = [[Sown { added: [0; 2], last: 0 }; SEEDS as usize + 1]; PITS];
    let mut pit = 0;
    while pit < PITS {
        let mut seeds = 0;
        while seeds <= SEEDS as usize {
            table[pit][seeds] = walk(pit, seeds);
            seeds += 1;
        }
        pit += 1;
    }
    table
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

/// Which byte of the other row a pit's last seed falls into, and how many seeds its sowing adds there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    shift: u8,
    adds: u8,
}

static TARGETS: [[Target; SEEDS as usize + 1]; PITS] = targets();

const fn targets() -> [[Target; SEEDS as usize + 1]; PITS] {
    // Out of reach: more than any pit that is captured from can hold.
    let mut targets = [[Target { shift: 0, adds: 4 }; SEEDS as usize + 1]; PITS];
    let mut pit = 0;
    while pit < PITS {
        let mut seeds = 0;
        while seeds <= SEEDS as usize {
            let sown = walk(pit, seeds);
            if sown.last as usize >= PITS {
                let shift = 8 * (sown.last - PITS as u8);
                let adds = (sown.added[1] >> shift) as u8;
                targets[pit][seeds] = Target { shift, adds };
            }
            seeds += 1;
        }
        pit += 1;
    }
    targets
}

/// How many seeds lie in the pit of the other row that a sowing ends in; more than three if it ends
/// elsewhere.
#[inline(always)]
pub(crate) fn last_pit_holds(from: u64, to: u64, pit: usize) -> u8 {
    let target = &TARGETS[pit][(from >> (8 * pit)) as u8 as usize];
    (to >> target.shift) as u8 + target.adds
}

/// One in every byte of a row.
const ONES: u64 = 0x0101_0101_0101;

/// A word with the high bit of every byte of `row` that is zero. Bytes must be below 128.
#[inline(always)]
pub(crate) fn zero_bytes(row: u64) -> u64 {
    !(row + 0x7F * ONES) & (0x80 * ONES)
}

/// The pits of a row that hold seeds.
#[inline]
pub(crate) fn occupied(row: u64) -> PitSet {
    let flags = (row + 0x7F * ONES) >> 7 & ONES;
    // The bit at 8i moves to 56 + i; no two products meet in a bit.
    PitSet::from_bits((flags.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8)
}

/// The sum of the bytes of a row.
#[inline(always)]
pub(crate) fn total(row: u64) -> u8 {
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// The position after sowing `pit` of the side to move, with the other side to move.
///
/// Rows are swapped into the mover's view and back by selection: indexing them by side would send them
/// through memory.
#[inline(always)]
pub(crate) fn sow(position: &Position, pit: Pit, slam: GrandSlam) -> Position {
    let mover = position.to_move();
    let [mine, theirs] = seen_by(mover, position.rows);
    let shift = 8 * pit.index();
    let seeds = (mine >> shift) as u8;
    let sown = sown(pit, seeds);
    let mine = (mine & !(0xFF << shift)) + sown.added[0];
    let mut theirs = theirs + sown.added[1];
    let [mut my_store, their_store] = seen_by(mover, position.stores);
    if sown.last as usize >= PITS {
        let taken = captured(theirs, sown.last as usize - PITS);
        // Capturing nothing is no grand slam, even on an empty row, which no last seed leaves.
        if taken != theirs || slam != GrandSlam::CapturesNothing {
            theirs -= taken;
            my_store += total(taken);
        }
    }
    Position {
        rows: seen_by(mover, [mine, theirs]),
        stores: seen_by(mover, [my_store, their_store]),
        to_move: mover.other(),
    }
}

/// South's and North's in the order "mine, theirs" of a side; or back.
#[inline(always)]
fn seen_by<T: Copy>(side: Side, [south, north]: [T; 2]) -> [T; 2] {
    match side {
        Side::South => [south, north],
        Side::North => [north, south],
    }
}

/// The bytes of `row` that a last seed in pit `last` captures: that pit and those before it, as long
/// as each holds two or three.
#[inline(always)]
fn captured(row: u64, last: usize) -> u64 {
    let two_or_three = zero_bytes((row ^ (0x02 * ONES)) & (0xFE * ONES));
    // Bring the flag of the last pit to the top bit: the captures are the run of flags from there.
    let missing = !(two_or_three << (8 * (7 - last))) & 0x8080_8080_8080_8080;
    let run = missing.leading_zeros() / 8;
    let up_to_last = u64::MAX >> (8 * (7 - last));
    row & up_to_last & !(up_to_last >> (8 * run))
}
