//! The progress display of a run, and its interruption by signals.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use evolve::run::{End, Event, Part, Settings, Statistics, StopPolicy};
use mancala::progress::Progress;

use super::report::Done;
use crate::terminal::interrupt::on_signals;
use crate::terminal::meter::{Meter, Verbosity, coarse, estimate, grouped, rounded, time_left};
use crate::terminal::say_below;

/// Interrupts runs at the first Ctrl-C or SIGTERM: those under way and those that would follow. The second signal ends
/// the process at once.
#[derive(Clone, Default)]
pub(super) struct Interruption(Arc<Mutex<Signals>>);

#[derive(Default)]
struct Signals {
    /// Policies of the runs that have begun.
    stops: Vec<Arc<StopPolicy>>,
    is_interrupted: bool,
}

impl Interruption {
    /// Listens for signals from now on, and prints `message` at the first.
    pub(super) fn listen(message: &'static str) -> anyhow::Result<Interruption> {
        let interruption = Interruption::default();
        let handler = interruption.clone();
        on_signals(move || {
            handler.interrupt();
            say_below(format!("{message}; again to leave at once"));
        })?;
        Ok(interruption)
    }

    fn lock(&self) -> MutexGuard<'_, Signals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Interrupts the runs under way and those that would follow, as a signal does.
    pub(super) fn interrupt(&self) {
        let mut state = self.lock();
        state.is_interrupted = true;
        state.stops.iter().for_each(|stop| stop.interrupt());
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.lock().is_interrupted
    }

    /// Lets signals interrupt a run from now on. A run that begins after a signal is interrupted at once.
    pub(super) fn guard(&self, stop: StopPolicy) -> Arc<StopPolicy> {
        let stop = Arc::new(stop);
        let mut state = self.lock();
        state.stops.push(Arc::clone(&stop));
        if state.is_interrupted {
            stop.interrupt();
        }
        stop
    }
}

/// The progress bar of a run: the share of its games or of its time, whichever is larger.
pub(super) struct Bar {
    stop: Arc<StopPolicy>,
    pub(super) meter: Meter,
    /// Games of all generations.
    all: u64,
    /// Games of the evaluated generations.
    done: AtomicU64,
    /// Games of the generation under way.
    under_way: AtomicU64,
    task: Mutex<Task>,
}

/// The part of the run under way.
struct Task {
    part: Part,
    /// Games of the part.
    of: u64,
    begun: Instant,
}

impl Bar {
    fn new(stop: &Arc<StopPolicy>, meter: Meter, all: u64, done: u64) -> Bar {
        let task = Task { part: Part::Measuring, of: 0, begun: Instant::now() };
        let bar = Bar {
            stop: Arc::clone(stop),
            meter,
            all,
            done: AtomicU64::new(done),
            under_way: AtomicU64::new(0),
            task: Mutex::new(task),
        };
        bar.show(done);
        bar
    }

    /// Returns the share of the run that is done, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        self.meter.position() as f64 / self.all.max(1) as f64
    }

    fn set_done(&self, games: u64) {
        self.done.store(games, Ordering::Relaxed);
        self.show(games);
    }

    fn show(&self, games: u64) {
        let passed = |(left, limit): (Duration, Duration)| {
            1.0 - left.as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE)
        };
        let by_time = self.stop.time_left().map_or(0.0, passed) * self.all as f64;
        self.meter.set_position(games.max(by_time as u64));
    }

    fn begin(&self, part: Part) {
        if let Ok(mut task) = self.task.lock() {
            *task = Task { part, of: 0, begun: Instant::now() };
        }
    }

    /// Describes the time: how much of a time limit has passed if it ends the run, or else how much is left, given the
    /// estimated time of the generations.
    fn time(&self, generations: Option<Duration>) -> String {
        match self.limit(generations) {
            Some((left, limit)) => {
                format!("{} of {}", coarse(limit.saturating_sub(left)), rounded(limit))
            }
            None => format!("{} left", generations.map_or("?".into(), rounded)),
        }
    }

    /// Returns the time left and the limit if the limit ends the run before its last generation.
    fn limit(&self, generations: Option<Duration>) -> Option<(Duration, Duration)> {
        let time = self.stop.time_left();
        time.filter(|(left, _)| generations.is_none_or(|generations| generations >= *left))
    }
}

impl Progress for Bar {
    fn advance(&self, done: u64, of: u64) {
        let Ok(mut task) = self.task.lock() else { return };
        let activity = match task.part {
            Part::Generation(_) => {
                let share = done as f64 / of.max(1) as f64;
                let games = share * self.under_way.load(Ordering::Relaxed) as f64;
                return self.show(self.done.load(Ordering::Relaxed) + games as u64);
            }
            Part::Learning(_) => {
                let left = time_left(task.begun, done, of);
                let percent = 100 * done / of.max(1);
                return self.meter.say(format!("learning features: {percent} %, {left} left"));
            }
            Part::Measuring => "measuring strength",
            Part::Finals => "choosing the champion",
        };
        if task.of != of {
            (task.of, task.begun) = (of, Instant::now());
        }
        let left = time_left(task.begun, done, of);
        let (played, of) = (grouped(done), grouped(of));
        self.meter.say(format!("{activity}: game {played} of {of}, {left} left"));
    }
}

/// Shows the progress of a run, and counts the work of this process.
pub(super) struct RunDisplay {
    /// Shows the progress of each part of the run.
    pub(super) bar: Arc<Bar>,
    begun: Instant,
    settings: Settings,
    /// Work of this process.
    work: Done,
    /// Games of the generations that were evaluated before.
    before: u64,
    generation: u32,
    /// The strength and accuracy that were measured last.
    measured: String,
    is_out_of_time: bool,
}

impl RunDisplay {
    /// Creates the display of a run that has evaluated `done` generations.
    pub(super) fn new(
        stop: &Arc<StopPolicy>,
        settings: &Settings,
        done: u32,
        verbosity: Verbosity,
    ) -> Self {
        let before = settings.work(1..=done);
        let all = before + settings.work(done + 1..=settings.generations);
        let bar = Bar::new(stop, Meter::new(all, verbosity), all, before);
        let display = RunDisplay {
            bar: Arc::new(bar),
            begun: Instant::now(),
            settings: settings.clone(),
            work: Done::default(),
            before,
            generation: done,
            measured: String::new(),
            is_out_of_time: false,
        };
        display.bar.meter.begin(display.generation_of(None));
        display
    }

    /// Returns the work of this process.
    pub(super) fn done(&self) -> Done {
        Done { seconds: self.begun.elapsed().as_secs_f64(), ..self.work }
    }

    /// Estimates the time of the remaining generations.
    fn generations_left(&self) -> Option<Duration> {
        let games = self.bar.done.load(Ordering::Relaxed) - self.before;
        estimate(self.begun, games, self.bar.all - self.before)
    }

    /// Returns whether the run probably ends by its time limit. The number of requested generations then means nothing.
    pub(super) fn ends_by_time(&self) -> bool {
        self.is_out_of_time || self.bar.limit(self.generations_left()).is_some()
    }

    fn generation_of(&self, time_left: Option<Duration>) -> String {
        let done = self.generation;
        match self.bar.limit(time_left) {
            Some(_) => format!("generation {done}"),
            None => format!("generation {done}/{}", self.settings.generations),
        }
    }

    fn message(&self, statistics: &Statistics) -> String {
        let left = self.generations_left();
        format!(
            "{}  best {}/{}  mean {:.1}{}  {}",
            self.generation_of(left),
            statistics.best,
            self.settings.best_possible_fitness(self.generation),
            statistics.mean,
            self.measured,
            self.bar.time(left)
        )
    }

    pub(super) fn observe(&mut self, event: &Event) {
        match event {
            Event::Begins(part) => {
                if let Some(it) = part.generation() {
                    self.bar.under_way.store(self.settings.work(it..=it), Ordering::Relaxed);
                }
                self.bar.begin(*part);
            }
            Event::Generation { trainer, statistics, cost } => {
                let last = trainer.last().expect("a generation was evaluated");
                self.work.generations += 1;
                self.work.games_played += last.games_played;
                self.work.games_asked += last.games_asked;
                self.work.nodes += cost.nodes;
                self.generation = last.generation;
                let games = self.settings.work(self.generation..=self.generation);
                self.bar.set_done(self.bar.done.load(Ordering::Relaxed) + games);
                self.bar.meter.say(self.message(statistics));
            }
            Event::Measured { measurement, .. } => {
                if measurement.is_champion {
                    let (score, margin) = measurement.strength();
                    let generation = measurement.generation;
                    self.measured = format!("  strength {score:.2} ±{margin:.2} in {generation}");
                    if let Some(accuracy) = measurement.accuracy {
                        self.measured += &format!("  seeds lost {:.3}", accuracy.seeds_lost);
                    }
                }
            }
            Event::End { end, .. } => self.is_out_of_time = *end == End::OutOfTime,
            Event::ChampionSelected(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_interrupts_current_and_later_runs() {
        let interruption = Interruption::default();
        let [first, second] = [(); 2].map(|()| interruption.guard(StopPolicy::new(None)));
        assert_eq!((first.end(), second.end()), (None, None));
        interruption.interrupt();
        assert_eq!([first, second].map(|stop| stop.end()), [Some(End::Interrupted); 2]);
        assert_eq!(interruption.guard(StopPolicy::new(None)).end(), Some(End::Interrupted));
    }

    #[test]
    fn the_bar_shows_the_limit_that_ends_the_run_first() {
        let bar = |limit: Option<Duration>| {
            let stop = Arc::new(StopPolicy::new(limit));
            Bar::new(&stop, Meter::new(100, Verbosity::Quiet), 100, 0)
        };
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        assert_eq!(bar(None).time(None), "? left");
        assert_eq!(bar(None).time(Some(hour)), "1h left");
        assert_eq!(bar(Some(hour)).time(Some(minute)), "1m left");
        assert_eq!(bar(Some(minute)).time(Some(hour)), "0s of 1m");
        assert_eq!(bar(Some(minute)).time(None), "0s of 1m");
        for (limit, position) in [(Some(Duration::ZERO), 100), (None, 7), (Some(hour), 7)] {
            let bar = bar(limit);
            bar.set_done(7);
            assert_eq!(bar.meter.position(), position, "{limit:?}");
        }
    }
}
