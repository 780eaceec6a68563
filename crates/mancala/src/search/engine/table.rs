//! The transposition table of an engine: it lives as long as a game, and threads share it.
//!
//! An entry is two words, one of which is the check of the position mixed with the other. An entry that two
//! threads have written half each fits neither position, so nothing has to be locked. A position is told from
//! others by 64 bits beside those that say where it belongs.

mod memory;

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use self::memory::Memory;
use super::super::table::{Bound, from_here, from_root};
use crate::eval::Score;
use crate::game::{Key, Pit};
use crate::memory::MemoryError;

/// What an engine remembers of positions, for as long as a game lasts.
pub struct Table {
    buckets: Memory,
    /// Entries of other games are as good as none.
    game: u16,
    /// Counts the searches of the game, as far as a byte does.
    search: u8,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table of {} entries", SLOTS * self.buckets.len())
    }
}

/// A cache line of entries. A position may be in any of them.
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const SLOTS: usize = 4;

/// An entry. All bits are 0 in an empty one.
struct Slot {
    /// The check of the position, exclusive or the data.
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    fn clear(&self) {
        self.check.store(0, Relaxed);
        self.data.store(0, Relaxed);
    }
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// For the side to move; plies are counted from the position.
    pub(super) value: Score,
    /// Plies that were searched below it.
    pub(super) depth: u32,
    pub(super) bound: Bound,
    /// The move that was best, or cut the search short.
    pub(super) best: Option<Pit>,
}

impl Known {
    /// What was found of a position `ply` plies from the root.
    pub(super) fn new(
        value: Score,
        bound: Bound,
        depth: u32,
        ply: u32,
        best: Option<Pit>,
    ) -> Known {
        Known { value: from_here(value, ply), depth, bound, best }
    }

    /// Its value `ply` plies from the root.
    pub(super) fn at(&self, ply: u32) -> Score {
        from_root(self.value, ply)
    }
}

/// Plies that an entry has to be deeper by than one of a search later, to be kept instead of it.
const AGE: i32 = 2;

impl Table {
    /// A table of some mebibytes, at least one bucket.
    ///
    /// # Errors
    /// If there is less memory. A smaller table would play other moves.
    pub fn try_with_mebibytes(mebibytes: usize) -> Result<Table, MemoryError> {
        // With 32 bits it may be more than there are addresses, which is refused as well.
        Table::try_with_buckets(mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>())
    }

    /// A table of a few mebibytes. Without memory for it the program ends, as for any small allocation.
    pub fn with_mebibytes(mebibytes: usize) -> Table {
        Table::try_with_mebibytes(mebibytes).unwrap_or_else(|_| {
            let layout = Layout::array::<u8>(mebibytes << 20);
            handle_alloc_error(layout.unwrap_or(Layout::new::<Bucket>()))
        })
    }

    pub(super) fn try_with_buckets(buckets: usize) -> Result<Table, MemoryError> {
        Ok(Table { buckets: Memory::of(buckets.max(1))?, game: 1, search: 0 })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.search = 0;
        self.game = self.game.wrapping_add(1);
        // Once in so many games entries would seem to be of this one.
        if self.game == 0 {
            self.game = 1;
            let slots = self.buckets.iter().flat_map(|Bucket(slots)| slots);
            slots.for_each(Slot::clear);
        }
    }

    /// Begins the search of another move. What the searches before have left gives way first.
    pub fn age(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &[Slot; SLOTS] {
        let place = (u128::from(key.place) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize].0
    }

    #[inline(always)]
    fn is_of_game(&self, data: u64) -> bool {
        data >> GAME == u64::from(self.game)
    }

    #[inline(always)]
    fn age_of(&self, data: u64) -> u8 {
        self.search.wrapping_sub((data >> SEARCH) as u8)
    }

    /// Has the processor fetch what is known of a position, which will be asked for soon.
    #[inline(always)]
    pub(super) fn fetch(&self, key: Key) {
        memory::fetch(self.bucket(key));
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Known> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let fits = slot.check.load(Relaxed) ^ data == key.check && self.is_of_game(data);
            fits.then(|| unpacked(data))
        })
    }

    /// Keeps what was found of a position in place of what was known of it, or of what is worth least.
    #[inline]
    pub(super) fn put(&self, key: Key, mut known: Known) {
        let bucket = self.bucket(key);
        let (mut least, mut place) = (i32::MAX, 0);
        for (index, slot) in bucket.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            let worth = if !self.is_of_game(data) {
                i32::MIN
            } else if slot.check.load(Relaxed) ^ data == key.check {
                known.best = known.best.or(unpacked(data).best);
                place = index;
                break;
            } else {
                unpacked(data).depth as i32 - AGE * i32::from(self.age_of(data))
            };
            if worth < least {
                (least, place) = (worth, index);
            }
        }
        let data = self.packed(known);
        bucket[place].data.store(data, Relaxed);
        bucket[place].check.store(key.check ^ data, Relaxed);
    }

    fn packed(&self, known: Known) -> u64 {
        let Known { value, depth, bound, best } = known;
        let bound = match bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        let best = best.map_or(0, |pit| pit.index() as u64 + 1);
        u64::from((value.0 + BIAS) as u32)
            | u64::from(depth) << DEPTH
            | bound << BOUND
            | best << BEST
            | u64::from(self.search) << SEARCH
            | u64::from(self.game) << GAME
    }
}

// Where the parts of the data begin. The value takes the lowest bits, the game the highest.
const DEPTH: u32 = 26;
const BOUND: u32 = 33;
const BEST: u32 = 35;
const SEARCH: u32 = 40;
const GAME: u32 = 48;
/// Makes a value a number without a sign.
const BIAS: i32 = 1 << 25;

/// The part of data that begins at a bit and is so many long.
#[inline(always)]
fn part(data: u64, begins: u32, bits: u32) -> u32 {
    (data >> begins) as u32 & ((1 << bits) - 1)
}

#[inline(always)]
fn unpacked(data: u64) -> Known {
    Known {
        value: Score(part(data, 0, DEPTH) as i32 - BIAS),
        depth: part(data, DEPTH, BOUND - DEPTH),
        bound: match part(data, BOUND, BEST - BOUND) {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        best: match part(data, BEST, SEARCH - BEST) {
            0 => None,
            pit => Pit::new(pit as u8 - 1),
        },
    }
}

#[cfg(test)]
mod tests;
