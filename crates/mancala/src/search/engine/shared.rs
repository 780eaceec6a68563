//! State shared by the threads of a search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::game::Key;
use crate::progress::Progress;

/// Tells all threads when to stop searching.
pub(in crate::search) struct Clock<'a> {
    progress: &'a dyn Progress,
    begun: Instant,
    deadline: Option<Instant>,
    is_over: AtomicBool,
    /// The number of positions visited by helper threads.
    pub(super) helper_nodes: AtomicU64,
}

impl<'a> Clock<'a> {
    pub(in crate::search) fn new(progress: &'a dyn Progress, time: Option<Duration>) -> Self {
        let begun = Instant::now();
        Clock {
            progress,
            begun,
            deadline: time.and_then(|time| begun.checked_add(time)),
            is_over: AtomicBool::new(false),
            helper_nodes: AtomicU64::new(0),
        }
    }

    /// Checks the deadline and `progress`, and returns whether the search is over. Only the main thread calls this.
    pub(in crate::search) fn check(&self) -> bool {
        let is_late = || self.deadline.is_some_and(|at| Instant::now() >= at);
        if !self.is_over() && (self.progress.should_stop() || is_late()) {
            self.stop();
        }
        self.is_over()
    }

    /// Returns whether the search is over, but doesn't check the deadline or `progress`.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    pub(super) fn stop(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Returns whether there is a time limit and we've used up at least a quarter of it.
    pub(super) fn is_well_advanced(&self) -> bool {
        let quarter = |at: Instant| at.saturating_duration_since(self.begun) / 4;
        self.deadline.is_some_and(|at| self.elapsed() >= quarter(at))
    }

    pub(in crate::search) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

impl Progress for Clock<'_> {
    fn should_stop(&self) -> bool {
        self.check()
    }
}

/// Marks the positions that threads are currently searching. If a move leads to a marked position, other threads defer
/// the move and find its value in the table later (J.-C. Weill, "The ABDADA distributed minimax search algorithm", ICCA
/// Journal 19(1), 1996). We store marks outside the table, as in T. Kerrigan's "Simplified ABDADA".
///
/// If two positions share a slot, one of them looks unmarked. That costs time but doesn't affect values.
pub(super) struct AbdadaMarks(Box<[AtomicU64]>);

/// The number of slots. A few suffice, because a thread only marks positions on its current line.
const SLOTS: usize = 1 << 12;

impl AbdadaMarks {
    pub(super) fn new() -> AbdadaMarks {
        AbdadaMarks((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Returns a position's slot, and the value that the slot contains while the position is being searched to `depth`.
    #[inline]
    pub(super) fn slot(&self, key: Key, depth: u32) -> (&AtomicU64, u64) {
        let slot = &self.0[(key.place >> (u64::BITS - SLOTS.ilog2())) as usize];
        (slot, key.check ^ u64::from(depth))
    }
}
