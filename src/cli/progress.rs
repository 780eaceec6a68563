//! Progress of a training run, and how it is ended from outside.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::interrupt::on_signals;
use super::meter::{Meter, Verbosity, counted, estimate, grouped, rounded, time_left};
use crate::run::{Control, End, Event, Observer, Patience, Precision, Settings, Statistics};
use mancala::progress::Progress;
use mancala::store::FileError;

/// Sub-steps of a generation on the bar.
const STEPS: u64 = 1000;

/// Makes the first Ctrl-C or SIGTERM end a run safely, of which `words` tell, and the second one at once.
pub(super) fn leave_on_signals(
    patience: Patience,
    words: &'static str,
) -> anyhow::Result<Arc<Patience>> {
    let patience = Arc::new(patience);
    let handler = Arc::clone(&patience);
    on_signals(move || {
        handler.interrupt();
        let _ = writeln!(std::io::stderr(), "\n{words}; again to leave at once");
    })?;
    Ok(patience)
}

/// The bar of a run: how much of the generations is done, or of the time, whichever ends first.
struct Course {
    patience: Arc<Patience>,
    meter: Meter,
    /// Sub-steps in all.
    all: u64,
    /// Sub-steps that are done.
    done: AtomicU64,
}

impl Course {
    fn set_done(&self, steps: u64) {
        self.done.store(steps, Ordering::Relaxed);
        let passed = |(left, limit): (Duration, Duration)| {
            1.0 - left.as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE)
        };
        let by_time = self.patience.time_left().map_or(0.0, passed) * self.all as f64;
        self.meter.set_position(steps.max(by_time as u64));
    }

    /// How long the run goes on, given how long its generations take.
    fn left(&self, generations: Option<Duration>) -> String {
        let time = self.patience.time_left().map(|(left, _)| left);
        generations.into_iter().chain(time).min().map_or("?".into(), rounded)
    }
}

/// Watches a run for the user.
pub(super) struct Watch {
    course: Arc<Course>,
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
    /// How near to perfect play, once measured.
    precision: Option<Precision>,
}

impl Watch {
    /// A watch over a run that has evaluated `done` generations.
    pub(super) fn new(
        patience: &Arc<Patience>,
        settings: &Settings,
        done: u32,
        verbosity: Verbosity,
    ) -> Self {
        let all = u64::from(settings.generations) * STEPS;
        let meter = Meter::new(all, verbosity);
        let course = Course { patience: Arc::clone(patience), meter, all, done: AtomicU64::new(0) };
        course.set_done(u64::from(done) * STEPS);
        course.meter.begin(format!("generation {done}/{}", settings.generations));
        Watch {
            course: Arc::new(course),
            begun: Instant::now(),
            first: done,
            generations: settings.generations,
            best_possible: settings.best_possible_fitness(),
            played: 0,
            asked: 0,
            nodes: 0,
            done,
            strength: None,
            precision: None,
        }
    }

    /// What the run is controlled by.
    pub(super) fn control(&self) -> Controls {
        Controls {
            course: Arc::clone(&self.course),
            base: AtomicU64::new(0),
            task: Mutex::new(Task { what: "measuring strength", of: 0, begun: Instant::now() }),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.course.meter.finish();
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
        let precision = self.precision.map(|it| format!("  seeds lost {:.3}", it.seeds_lost));
        format!(
            "generation {}/{}  best {}/{}  mean {:.1}{}{}  {} left",
            self.done,
            self.generations,
            statistics.best,
            self.best_possible,
            statistics.mean,
            strength.unwrap_or_default(),
            precision.unwrap_or_default(),
            self.course.left(estimate(self.begun, here, all_here))
        )
    }
}

impl Observer for Watch {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        let (trainer, statistics, cost) = match event {
            Event::Generation { trainer, statistics, cost } => (trainer, statistics, cost),
            Event::Measured { measurement, .. } => {
                self.strength = Some(measurement.strength());
                self.precision = measurement.precision;
                return Ok(());
            }
            Event::End { .. } => return Ok(()),
        };
        let last = trainer.last().expect("a generation was evaluated");
        self.played += last.games_played;
        self.asked += last.games_asked;
        self.nodes += cost.nodes;
        self.done = last.generation;
        self.course.meter.say(self.message(statistics));
        self.course.set_done(u64::from(self.done) * STEPS);
        Ok(())
    }
}

/// Ends a run when the user's patience does, and moves the bar within a generation.
pub(super) struct Controls {
    course: Arc<Course>,
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

impl Progress for Controls {
    fn should_stop(&self) -> bool {
        self.course.patience.should_stop()
    }
}

impl Control for Controls {
    fn leave(&self) -> Option<End> {
        self.base.store(self.course.done.load(Ordering::Relaxed), Ordering::Relaxed);
        self.course.patience.leave()
    }

    fn games_played(&self, played: u64, of: u64) {
        // The last step is the generation's own.
        let step = played * (STEPS - 1) / of.max(1);
        self.course.set_done(self.base.load(Ordering::Relaxed) + step);
    }

    fn games_measured(&self, played: u64, of: u64) {
        let Ok(mut task) = self.task.lock() else { return };
        if task.of != of {
            (task.of, task.begun) = (of, Instant::now());
        }
        let (what, left) = (task.what, time_left(task.begun, played, of));
        let (played, of) = (grouped(played), grouped(of));
        self.course.meter.say(format!("{what}: game {played} of {of}, {left} left"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_what_ends_first() {
        let course = |limit: Option<Duration>| {
            let patience = Arc::new(Patience::new(limit));
            let (meter, done) = (Meter::new(100, Verbosity::Quiet), AtomicU64::new(0));
            Course { patience, meter, all: 100, done }
        };
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        assert_eq!(course(None).left(None), "?");
        assert_eq!(course(None).left(Some(hour)), "1h");
        assert_eq!(course(Some(hour)).left(Some(minute)), "1m");
        let short = course(Some(minute));
        assert_eq!(short.left(Some(hour)), "1m");
        assert_eq!(short.left(None), "1m");
        // Final games know no limit.
        short.patience.lift_deadline();
        assert_eq!(short.left(Some(hour)), "1h");
        // A bar whose time is up is full, whatever was done, and one without a limit shows that.
        for (limit, shown) in [(Some(Duration::ZERO), 100), (None, 7), (Some(hour), 7)] {
            let course = course(limit);
            course.set_done(7);
            assert_eq!(course.meter.position(), shown, "{limit:?}");
        }
    }
}
