//! Progress of long work: a display on standard error, Ctrl-C and a time limit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mancala::progress::Progress;

use crate::terminal::{Interrupt, Meter, Verbosity, time_left};

/// Minimum time between updates in milliseconds. Some work reports its progress every few microseconds.
const INTERVAL: u64 = 100;

/// A function that formats a message from the units done, the total units and the time left.
type Message<'a> = Box<dyn Fn(u64, u64, &str) -> String + Send + Sync + 'a>;

/// Progress shown by a [`Meter`].
pub(crate) struct ShownProgress<'a> {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
    deadline: Option<Instant>,
    /// Units of work that were done before this process started.
    before: u64,
    /// The time of the last update, in milliseconds since `begun`.
    updated: AtomicU64,
    message: Message<'a>,
}

impl<'a> ShownProgress<'a> {
    pub(crate) fn new(
        length: u64,
        verbosity: Verbosity,
        interrupt: &Interrupt,
        message: impl Fn(u64, u64, &str) -> String + Send + Sync + 'a,
    ) -> ShownProgress<'a> {
        ShownProgress {
            meter: Meter::new(length, verbosity),
            interrupt: interrupt.clone(),
            begun: Instant::now(),
            deadline: None,
            before: 0,
            updated: AtomicU64::new(0),
            message: Box::new(message),
        }
    }

    /// Stops the work after `limit`.
    pub(crate) fn with_limit(mut self, limit: Option<Duration>) -> ShownProgress<'a> {
        self.deadline = limit.and_then(|limit| self.begun.checked_add(limit));
        self
    }

    /// Starts the display at `before` units. They are ignored in the estimate of the time left.
    pub(crate) fn starting_at(mut self, before: u64) -> ShownProgress<'a> {
        self.meter.set_position(before);
        self.before = before;
        self
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn finish(&self) {
        self.meter.finish();
    }
}

impl Progress for ShownProgress<'_> {
    fn advance(&self, done: u64, of: u64) {
        let now = self.begun.elapsed().as_millis() as u64;
        let (last, order) = (self.updated.load(Ordering::Relaxed), Ordering::Relaxed);
        if now < last + INTERVAL || self.updated.compare_exchange(last, now, order, order).is_err()
        {
            return;
        }
        let here = done.saturating_sub(self.before);
        let left = time_left(self.begun, here, of.saturating_sub(self.before));
        self.meter.set_length(of);
        self.meter.set_position(done);
        self.meter.say((self.message)(done, of, &left));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop() || self.deadline.is_some_and(|at| Instant::now() >= at)
    }
}
