//! Progress of a training run, and how it is ended from outside.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::interrupt::on_signals;
use super::meter::{Meter, Verbosity, counted, grouped, rounded, time_left};
use crate::evolve::{Control, End, Event, Observer, Patience, Settings, Statistics};
use crate::search::Monitor;
use crate::store::FileError;

/// Sub-steps of a generation on the bar.
const STEPS: u64 = 1000;

/// Makes the first Ctrl-C or SIGTERM end a run safely and the second one at once.
pub(super) fn leave_on_signals(patience: Patience) -> anyhow::Result<Arc<Patience>> {
    let patience = Arc::new(patience);
    let handler = Arc::clone(&patience);
    on_signals(move || {
        handler.interrupt();
        let grace = Patience::GRACE.as_secs();
        let _ = writeln!(
            std::io::stderr(),
            "\nfinishing the generation if that takes at most {grace} s; again to leave at once"
        );
    })?;
    Ok(patience)
}

/// Watches a run for the user.
pub(super) struct Watch {
    patience: Arc<Patience>,
    meter: Arc<Meter>,
    begun: Instant,
    first: u32,
    generations: u32,
    best_possible: u64,
    played: u64,
    asked: u64,
    nodes: u64,
    done: u32,
    /// Score against the panel and its margin, once measured.
    strength: Option<(f64, f64)>,
}

impl Watch {
    /// A watch over a run that has evaluated `done` generations.
    pub(super) fn new(
        patience: &Arc<Patience>,
        settings: &Settings,
        done: u32,
        verbosity: Verbosity,
    ) -> Self {
        let meter = Meter::new(u64::from(settings.generations) * STEPS, verbosity);
        meter.set_position(u64::from(done) * STEPS);
        meter.begin(format!("generation {done}/{}", settings.generations));
        Watch {
            patience: Arc::clone(patience),
            meter: Arc::new(meter),
            begun: Instant::now(),
            first: done,
            generations: settings.generations,
            best_possible: settings.best_possible_fitness(),
            played: 0,
            asked: 0,
            nodes: 0,
            done,
            strength: None,
        }
    }

    /// What the run is controlled by.
    pub(super) fn control(&self) -> Controls {
        Controls {
            patience: Arc::clone(&self.patience),
            meter: Arc::clone(&self.meter),
            base: AtomicU64::new(0),
            task: Mutex::new(Task { what: "measuring strength", of: 0, begun: Instant::now() }),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.meter.finish();
    }

    /// What this process has done.
    pub(super) fn totals(&self) -> String {
        format!(
            "{} in {}: {} asked for, {} played, {:.0} million positions searched",
            counted((self.done - self.first).into(), "generation"),
            rounded(self.begun.elapsed()),
            counted(self.asked, "game"),
            grouped(self.played),
            self.nodes as f64 / 1e6
        )
    }

    fn message(&self, statistics: &Statistics) -> String {
        let here = u64::from(self.done - self.first);
        let all_here = u64::from(self.generations - self.first);
        let strength =
            self.strength.map(|(score, margin)| format!("  strength {score:.2} ±{margin:.2}"));
        format!(
            "generation {}/{}  best {}/{}  mean {:.1}{}  {} left",
            self.done,
            self.generations,
            statistics.best,
            self.best_possible,
            statistics.mean,
            strength.unwrap_or_default(),
            time_left(self.begun, here, all_here)
        )
    }
}

impl Observer for Watch {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        let (trainer, statistics, cost) = match event {
            Event::Generation { trainer, statistics, cost } => (trainer, statistics, cost),
            Event::Measured { measurement, .. } => {
                self.strength = Some(measurement.strength());
                return Ok(());
            }
            Event::End { .. } => return Ok(()),
        };
        let last = trainer.last().expect("a generation was evaluated");
        self.played += last.games_played;
        self.asked += last.games_asked;
        self.nodes += cost.nodes;
        self.done = last.generation;
        self.meter.say(self.message(statistics));
        self.meter.set_position(u64::from(self.done) * STEPS);
        Ok(())
    }
}

/// Ends a run when the user's patience does, and moves the bar within a generation.
pub(super) struct Controls {
    patience: Arc<Patience>,
    meter: Arc<Meter>,
    base: AtomicU64,
    task: Mutex<Task>,
}

/// What is done beside training.
struct Task {
    what: &'static str,
    /// Games that it takes.
    of: u64,
    begun: Instant,
}

impl Controls {
    /// Calls what is measured from now on by another name.
    pub(super) fn about(&self, what: &'static str) {
        if let Ok(mut task) = self.task.lock() {
            *task = Task { what, of: 0, begun: Instant::now() };
        }
    }
}

impl Monitor for Controls {
    fn should_stop(&self) -> bool {
        self.patience.should_stop()
    }
}

impl Control for Controls {
    fn leave(&self) -> Option<End> {
        self.base.store(self.meter.position(), Ordering::Relaxed);
        self.patience.leave()
    }

    fn games_played(&self, played: u64, of: u64) {
        // The last step is the generation's own.
        let step = played * (STEPS - 1) / of.max(1);
        self.meter.set_position(self.base.load(Ordering::Relaxed) + step);
    }

    fn games_measured(&self, played: u64, of: u64) {
        let Ok(mut task) = self.task.lock() else { return };
        if task.of != of {
            (task.of, task.begun) = (of, Instant::now());
        }
        let (what, left) = (task.what, time_left(task.begun, played, of));
        let (played, of) = (grouped(played), grouped(of));
        self.meter.say(format!("{what}: game {played} of {of}, {left} left"));
    }
}
