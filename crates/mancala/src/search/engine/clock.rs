//! When the threads of a search are to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::progress::Progress;

/// What all threads of a search know of its end.
pub(super) struct Clock<'a> {
    progress: &'a dyn Progress,
    begun: Instant,
    deadline: Option<Instant>,
    is_over: AtomicBool,
    /// Positions that helping threads have entered.
    helped: AtomicU64,
}

impl<'a> Clock<'a> {
    /// A clock that runs from now on.
    pub(super) fn new(progress: &'a dyn Progress, time: Option<Duration>) -> Self {
        let begun = Instant::now();
        Clock {
            progress,
            begun,
            deadline: time.and_then(|time| begun.checked_add(time)),
            is_over: AtomicBool::new(false),
            helped: AtomicU64::new(0),
        }
    }

    /// Whether the time is up or the search was stopped. One thread asks this; what it is told holds for all.
    pub(super) fn asked(&self) -> bool {
        let is_late = || self.deadline.is_some_and(|at| Instant::now() >= at);
        if !self.is_over() && (self.progress.should_stop() || is_late()) {
            self.stop();
        }
        self.is_over()
    }

    /// Whether that is known already.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// Ends the search of all threads.
    pub(super) fn stop(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Whether a quarter of the time is over, if it is limited.
    pub(super) fn is_well_advanced(&self) -> bool {
        let quarter = |at: Instant| at.saturating_duration_since(self.begun) / 4;
        self.deadline.is_some_and(|at| self.elapsed() >= quarter(at))
    }

    /// The time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Counts positions that a helping thread has entered.
    pub(super) fn count(&self, nodes: u64) {
        self.helped.fetch_add(nodes, Relaxed);
    }

    /// Positions that helping threads have entered so far.
    pub(super) fn helped(&self) -> u64 {
        self.helped.load(Relaxed)
    }
}
