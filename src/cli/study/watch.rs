//! Progress and Ctrl-C of a study.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::super::interrupt::Interrupt;
use super::super::meter::{Meter, Verbosity, grouped, time_left};
use crate::study::Watcher;
use mancala::progress::Progress;

/// Counts the games of a study.
pub(super) struct Watch {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
    played: AtomicU64,
    all: u64,
}

impl Watch {
    /// For so many games.
    pub(super) fn new(all: u64, verbosity: Verbosity) -> anyhow::Result<Watch> {
        Ok(Watch {
            meter: Meter::new(all, verbosity),
            interrupt: Interrupt::listen()?,
            begun: Instant::now(),
            played: AtomicU64::new(0),
            all,
        })
    }

    /// Takes the progress away.
    pub(super) fn finish(&self) {
        self.meter.finish();
    }
}

impl Watcher for Watch {
    fn played(&self, games: u64) {
        let played = self.played.fetch_add(games, Ordering::Relaxed) + games;
        let left = time_left(self.begun, played, self.all);
        self.meter.set_position(played);
        self.meter.say(format!("game {} of {}, {left} left", grouped(played), grouped(self.all)));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}
