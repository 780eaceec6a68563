use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, Verbosity, time_left};
use mancala::progress::Progress;

/// Progress and Ctrl-C.
pub(crate) struct Watch {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
    /// Layers done.
    layers: AtomicU8,
    /// When something was shown last, in milliseconds from the beginning.
    shown: AtomicU64,
}

/// Often enough for an eye.
const INTERVAL: u64 = 100;

impl Watch {
    /// Of work that looks at so many positions.
    pub(crate) fn new(all: u64, verbosity: Verbosity) -> anyhow::Result<Watch> {
        Ok(Watch {
            meter: Meter::new(all, verbosity),
            interrupt: Interrupt::listen()?,
            begun: Instant::now(),
            layers: AtomicU8::new(0),
            shown: AtomicU64::new(0),
        })
    }

    /// The layer with so many seeds is done.
    pub(crate) fn layer_done(&self, seeds: u8) {
        self.layers.store(seeds + 1, Ordering::Relaxed);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn finish(&self) {
        self.meter.finish();
    }

    fn show(&self, done: u64, all: u64) {
        let left = time_left(self.begun, done, all);
        let percent = 100 * done.min(all) / all.max(1);
        self.meter.set_position(done);
        let seeds = self.layers.load(Ordering::Relaxed);
        self.meter.say(format!("{seeds} seeds  {percent}%  {left} left"));
    }
}

impl Progress for Watch {
    fn advance(&self, done: u64, of: u64) {
        let now = self.begun.elapsed().as_millis() as u64;
        let shown = self.shown.load(Ordering::Relaxed);
        let order = Ordering::Relaxed;
        let due = now >= shown + INTERVAL;
        if due && self.shown.compare_exchange(shown, now, order, order).is_ok() {
            self.show(done, of);
        }
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}
