//! Progress and Ctrl-C of a study.

use std::time::Instant;

use super::super::interrupt::Interrupt;
use super::super::meter::{Meter, Verbosity, grouped, time_left};
use mancala::progress::Progress;

/// Shows how many games of a study are played.
pub(super) struct Watch {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
}

impl Watch {
    /// For so many games.
    pub(super) fn new(all: u64, verbosity: Verbosity) -> anyhow::Result<Watch> {
        Ok(Watch {
            meter: Meter::new(all, verbosity),
            interrupt: Interrupt::listen()?,
            begun: Instant::now(),
        })
    }

    /// Takes the progress away.
    pub(super) fn finish(&self) {
        self.meter.finish();
    }
}

impl Progress for Watch {
    fn advance(&self, done: u64, of: u64) {
        let left = time_left(self.begun, done, of);
        self.meter.set_position(done);
        self.meter.say(format!("game {} of {}, {left} left", grouped(done), grouped(of)));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}
