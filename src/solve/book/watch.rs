use std::time::{Duration, Instant};

use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, Verbosity, grouped, time_left};
use mancala::progress::Progress;

/// Progress, Ctrl-C and a limit of time.
pub(crate) struct Watch {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
    deadline: Option<Instant>,
    /// What was done before.
    before: u64,
}

impl Watch {
    /// Of work that goes from so many positions to so many.
    pub(crate) fn new(
        [before, all]: [u64; 2],
        limit: Option<Duration>,
        verbosity: Verbosity,
    ) -> anyhow::Result<Watch> {
        let begun = Instant::now();
        let meter = Meter::new(all, verbosity);
        meter.set_position(before);
        Ok(Watch {
            meter,
            interrupt: Interrupt::listen()?,
            begun,
            deadline: limit.and_then(|limit| begun.checked_add(limit)),
            before,
        })
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.interrupt.should_stop()
    }

    pub(crate) fn finish(&self) {
        self.meter.finish();
    }
}

impl Progress for Watch {
    fn advance(&self, done: u64, of: u64) {
        let here = done.saturating_sub(self.before);
        let left = time_left(self.begun, here, of.saturating_sub(self.before));
        self.meter.set_position(done);
        self.meter.say(format!("{} of {} positions  {left} left", grouped(done), grouped(of)));
    }

    fn should_stop(&self) -> bool {
        self.interrupted() || self.deadline.is_some_and(|at| Instant::now() >= at)
    }
}
