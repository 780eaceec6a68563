//! The engine's transposition table, which we keep for a whole game and share between all threads.
//!
//! An entry consists of two words: the data, and the position's [`Key::check`] XORed with the data. If two words were
//! written by different threads, they don't match any position, so we don't need a lock. A position is identified by 64
//! bits in addition to the bits that select its bucket.

mod memory;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use self::memory::Memory;
use super::super::table::{Bound, Entry};
use crate::eval::Score;
use crate::game::{Key, Pit};
use crate::text::Result;

/// The engine's transposition table.
pub struct Table {
    buckets: Memory,
    /// The number of the current game. We ignore entries from other games.
    game: u8,
    /// The number of the current search within the game, modulo 256.
    search: u8,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table of {} entries", SLOTS * self.buckets.len())
    }
}

/// One cache line of slots. A position can be stored in any of them.
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const SLOTS: usize = 4;

/// An encoded entry. All bits of an empty slot are zero.
struct Slot {
    /// The [`Key::check`] of the position, XORed with the data.
    check: AtomicU64,
    data: AtomicU64,
}

/// With each new search, the priority of old entries drops as if they were this many plies shallower.
const AGE: i32 = 2;

impl Table {
    /// Creates a table of this size. Returns an error if there isn't enough memory. We don't fall back to a smaller
    /// table, because that would change the engine's moves.
    pub fn try_with_mebibytes(mebibytes: usize) -> Result<Table> {
        // On 32-bit systems, the size may exceed the address space. We return an error in that case as well.
        Table::try_with_buckets(mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>())
    }

    pub(super) fn try_with_buckets(buckets: usize) -> Result<Table> {
        Ok(Table { buckets: Memory::of(buckets.max(1))?, game: 1, search: 0 })
    }

    pub fn clear(&mut self) {
        self.search = 0;
        self.game = self.game.wrapping_add(1);
        // The counter has wrapped around, so old entries could be mistaken for entries from this game or a later one.
        if self.game == 0 {
            self.game = 1;
            let slots = self.buckets.iter().flat_map(|Bucket(slots)| slots);
            slots.for_each(|slot| slot.data.store(0, Relaxed));
        }
    }

    /// Starts the search for the next move. From now on, entries from earlier searches are replaced first.
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
        data.to_le_bytes()[7] == self.game
    }

    #[inline(always)]
    fn age_of(&self, data: u64) -> u8 {
        self.search.wrapping_sub(data.to_le_bytes()[6])
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        memory::prefetch(self.bucket(key));
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let matches = slot.check.load(Relaxed) ^ data == key.check && self.is_of_game(data);
            matches.then(|| unpacked(data))
        })
    }

    /// Stores an entry. Replaces the position's old entry or, if there is none, the bucket's entry of lowest priority.
    #[inline]
    pub(super) fn put(&self, key: Key, mut entry: Entry) {
        let bucket = self.bucket(key);
        let (mut lowest, mut place) = (i32::MAX, 0);
        for (index, slot) in bucket.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            let priority = if !self.is_of_game(data) {
                i32::MIN
            } else if slot.check.load(Relaxed) ^ data == key.check {
                entry.best = entry.best.or(unpacked(data).best);
                place = index;
                break;
            } else {
                i32::from(unpacked(data).depth) - AGE * i32::from(self.age_of(data))
            };
            if priority < lowest {
                (lowest, place) = (priority, index);
            }
        }
        let data = self.packed(entry);
        bucket[place].data.store(data, Relaxed);
        bucket[place].check.store(key.check ^ data, Relaxed);
    }

    /// Encodes an entry: four bytes for the value, and one each for depth, bound with move, search and game.
    fn packed(&self, entry: Entry) -> u64 {
        let Entry { value, depth, bound, best } = entry;
        let best = best.map_or(0, |pit| pit.index() as u8 + 1);
        let bound = bound as u8 | best << 2;
        let [a, b, c, d] = value.0.to_le_bytes();
        u64::from_le_bytes([a, b, c, d, depth, bound, self.search, self.game])
    }
}

#[inline(always)]
fn unpacked(data: u64) -> Entry {
    let [a, b, c, d, depth, bound, ..] = data.to_le_bytes();
    Entry {
        value: Score(i32::from_le_bytes([a, b, c, d])),
        depth,
        bound: match bound & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        best: (bound >> 2).checked_sub(1).and_then(Pit::new),
    }
}

#[cfg(test)]
mod tests;
