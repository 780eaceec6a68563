//! Which positions the threads of a search are looking at.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::game::Key;

/// The positions that threads are searching. One that comes to a position of another thread looks at its other
/// moves first, and finds the value in the table when it comes back (J.-C. Weill, "The ABDADA distributed minimax
/// search algorithm", ICCA Journal 19(1), 1996; positions are marked outside the table, as in T. Kerrigan's
/// "Simplified ABDADA").
///
/// Two positions may share a place. Then one is taken for free, which costs time and changes no value.
pub(super) struct Busy(Box<[AtomicU64]>);

/// Each of some threads searches a few positions at a time, one below the other.
const PLACES: usize = 1 << 12;

const FREE: u64 = 0;

impl Busy {
    pub(super) fn new() -> Busy {
        Busy((0..PLACES).map(|_| AtomicU64::new(FREE)).collect())
    }

    /// The search of a position to a depth.
    #[inline]
    pub(super) fn of(&self, key: Key, depth: u32) -> Task<'_> {
        let place = &self.0[(key.place >> (u64::BITS - PLACES.ilog2())) as usize];
        Task { place, mark: key.check ^ u64::from(depth) }
    }
}

/// The search of a position to a depth, which any of the threads may do.
pub(super) struct Task<'a> {
    place: &'a AtomicU64,
    mark: u64,
}

impl<'a> Task<'a> {
    /// Whether a thread is at it.
    #[inline]
    pub(super) fn is_taken(&self) -> bool {
        self.place.load(Relaxed) == self.mark
    }

    /// Tells the others that this thread is at it, until what is returned is dropped.
    #[inline]
    pub(super) fn take(self) -> Taken<'a> {
        self.place.store(self.mark, Relaxed);
        Taken(self.place)
    }
}

/// A search that this thread is at.
pub(super) struct Taken<'a>(&'a AtomicU64);

impl Drop for Taken<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(FREE, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_taken_until_it_is_done() {
        let busy = Busy::new();
        let key = Key { place: u64::MAX, check: 7 };
        let taken = busy.of(key, 6).take();
        assert!(busy.of(key, 6).is_taken());
        assert!(!busy.of(key, 7).is_taken());
        assert!(!busy.of(Key { check: 8, ..key }, 6).is_taken());
        assert!(!busy.of(Key { place: 0, ..key }, 6).is_taken());
        drop(taken);
        assert!(!busy.of(key, 6).is_taken());
    }
}
