//! Progress reports and cancellation for long computations.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Observes a computation and can cancel it.
///
/// Several threads may report at the same time, so calls can arrive out of order. An observer can stop a computation,
/// but it never affects the result of a computation that finishes. See [`Part`] for an example.
pub trait Progress: Sync {
    /// Reports that `done` out of `of` units of work, such as games, positions or openings, have been completed.
    fn advance(&self, _done: u64, _of: u64) {}

    /// Reports that the next stage has begun. Progress then starts again from zero.
    fn begin_stage(&self, _name: &'static str) {}

    /// Returns whether to cancel the work. Partial results are then discarded, unless documented otherwise.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Estimates the remaining time from the speed so far. Returns `None` if `of` is 0, or if it's too early for an
/// estimate, i.e. before two seconds have passed and two per cent of the work is done.
pub fn time_left(begun: Instant, done: u64, of: u64) -> Option<Duration> {
    if done >= of {
        return (of > 0).then_some(Duration::ZERO);
    }
    let elapsed = begun.elapsed();
    if elapsed < Duration::from_secs(2) || done.saturating_mul(50) < of {
        return None;
    }
    let rest = (of - done) as f64 / done as f64;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest).ok()
}

/// Ignores reports and never cancels.
impl Progress for () {}

/// Observes one part of a computation, and reports the progress of the whole computation to the observer `whole`.
///
/// ```
/// use mancala::progress::{Part, Progress};
/// struct Whole;
/// impl Progress for Whole {
///     fn advance(&self, done: u64, of: u64) {
///         assert_eq!((done, of), (12, 30));
///     }
/// }
/// Part { whole: &Whole, before: 10, of: 30 }.advance(2, 5);
/// ```
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub whole: &'a dyn Progress,
    /// The number of units done before this part started.
    pub before: u64,
    /// The total number of units in the whole computation.
    pub of: u64,
}

impl Progress for Part<'_> {
    fn advance(&self, done: u64, _of: u64) {
        self.whole.advance(self.before + done, self.of);
    }

    fn should_stop(&self) -> bool {
        self.whole.should_stop()
    }
}

/// Cancels when the wrapped observer does, but doesn't report any progress to it.
#[derive(Clone, Copy)]
pub struct Silent<'a>(pub &'a dyn Progress);

impl Progress for Silent<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

/// Cancels once the flag is set.
impl Progress for AtomicBool {
    fn should_stop(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Adds up the progress of several threads and reports the total.
pub(crate) struct Counter<'a> {
    progress: &'a dyn Progress,
    done: AtomicU64,
    of: u64,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(progress: &'a dyn Progress, of: u64) -> Counter<'a> {
        Counter { progress, done: AtomicU64::new(0), of }
    }

    pub(crate) fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.progress.advance(done, self.of);
    }

    pub(crate) fn should_stop(&self) -> bool {
        self.progress.should_stop()
    }
}
