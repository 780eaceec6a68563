//! Progress and Ctrl-C of a study.

use std::sync::Mutex;
use std::time::Instant;

use super::super::interrupt::Interrupt;
use super::super::meter::{Meter, Verbosity, grouped, time_left};
use super::super::terminal::{say, shown};
use crate::study::Unfinished;
use mancala::progress::Progress;

/// Says that a study goes on, if it does.
pub(super) fn say_going_on(kept: &Unfinished, verbosity: Verbosity) {
    if let (Some(folder), Verbosity::Shown) = (kept.begun(), verbosity) {
        say(format!("goes on with the games in {}", shown(folder)));
    }
}

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

/// Shows where studies are that are done one after the other.
pub(super) struct StudyWatch {
    meter: Meter,
    interrupt: Interrupt,
    all: usize,
    now: Mutex<Now>,
}

struct Now {
    done: usize,
    name: &'static str,
    begun: Instant,
}

impl StudyWatch {
    /// For so many studies.
    pub(super) fn new(all: usize, verbosity: Verbosity) -> anyhow::Result<StudyWatch> {
        let now = Now { done: 0, name: "", begun: Instant::now() };
        Ok(StudyWatch {
            meter: Meter::new(all as u64, verbosity),
            interrupt: Interrupt::listen()?,
            all,
            now: Mutex::new(now),
        })
    }

    /// The next one begins.
    pub(super) fn begin(&self, name: &'static str) {
        let mut now = self.now.lock().unwrap_or_else(|it| it.into_inner());
        *now = Now { done: now.done + 1, name, begun: Instant::now() };
        self.meter.set_position(0);
        self.meter.begin(format!("study {} of {}, {name}", now.done, self.all));
    }

    /// The next one is there already.
    pub(super) fn skip(&self) {
        self.now.lock().unwrap_or_else(|it| it.into_inner()).done += 1;
    }

    /// Takes the progress away.
    pub(super) fn finish(&self) {
        self.meter.finish();
    }
}

impl Progress for StudyWatch {
    fn advance(&self, done: u64, of: u64) {
        let now = self.now.lock().unwrap_or_else(|it| it.into_inner());
        let left = time_left(now.begun, done, of);
        self.meter.set_length(of);
        self.meter.set_position(done);
        let (study, all, name) = (now.done, self.all, now.name);
        let (done, of) = (grouped(done), grouped(of));
        self.meter.say(format!("study {study} of {all}, {name}: {done} of {of}, {left} left"));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}
