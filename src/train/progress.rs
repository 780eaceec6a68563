//! Progress of a training run, and how it is ended from outside.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use mancala::progress::Progress;
use mancala::store::FileError;

use crate::terminal::interrupt::on_signals;
use crate::terminal::meter::{Meter, Verbosity, coarse, estimate, grouped, rounded, time_left};
use crate::terminal::say_below;
use crate::train::result_training::Done;
use evolve::run::{End, Event, Observer, Part, Precision, Settings, Statistics, StopPolicy};

/// Ends runs safely at the first Ctrl-C or SIGTERM: those under way and those that would follow. The second signal
/// ends the process at once.
#[derive(Clone, Default)]
pub(crate) struct Leaving(Arc<Mutex<Signalled>>);

#[derive(Default)]
struct Signalled {
    /// Policies of the runs under way.
    stops: Vec<Weak<StopPolicy>>,
    has_come: bool,
}

impl Leaving {
    /// Listens for signals from now on, and says `words` at the first.
    pub(crate) fn listen(words: &'static str) -> anyhow::Result<Leaving> {
        let leaving = Leaving::default();
        let heard = leaving.clone();
        on_signals(move || {
            heard.interrupt();
            say_below(format!("{words}; again to leave at once"));
        })?;
        Ok(leaving)
    }

    fn lock(&self) -> MutexGuard<'_, Signalled> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Interrupts the runs under way and all that would follow, as a signal does.
    pub(crate) fn interrupt(&self) {
        let mut state = self.lock();
        state.has_come = true;
        state.stops.iter().filter_map(Weak::upgrade).for_each(|stop| stop.interrupt());
    }

    /// Whether the runs were interrupted.
    pub(crate) fn has_come(&self) -> bool {
        self.lock().has_come
    }

    /// Lets signals interrupt a run from now on. A run that begins after a signal is interrupted already.
    pub(crate) fn guard(&self, stop: StopPolicy) -> Arc<StopPolicy> {
        let stop = Arc::new(stop);
        let mut state = self.lock();
        state.stops.retain(|stop| stop.strong_count() > 0);
        state.stops.push(Arc::downgrade(&stop));
        if state.has_come {
            stop.interrupt();
        }
        stop
    }
}

/// The bar of a run: the share of its games or of its time that is over, the larger of both.
pub(crate) struct Bar {
    stop: Arc<StopPolicy>,
    meter: Meter,
    /// Games in all.
    all: u64,
    /// Games of the generations that are done.
    done: AtomicU64,
    /// Games of the one under way.
    under_way: AtomicU64,
    task: Mutex<Task>,
}

/// What the games are for that are counted.
struct Task {
    part: Part,
    /// Games that it takes.
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

    /// The share of the run that is done, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
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

    /// How far the run is, given how long its generations take: how much of its time is over where time
    /// ends it, and else how long it goes on.
    fn course(&self, generations: Option<Duration>) -> String {
        match self.limit(generations) {
            Some((left, limit)) => {
                format!("{} of {}", coarse(limit.saturating_sub(left)), rounded(limit))
            }
            None => format!("{} left", generations.map_or("?".into(), rounded)),
        }
    }

    /// The time that is left and the time that there was, if that ends the run before its last generation.
    fn limit(&self, generations: Option<Duration>) -> Option<(Duration, Duration)> {
        let time = self.stop.time_left();
        time.filter(|(left, _)| generations.is_none_or(|generations| generations >= *left))
    }
}

impl Progress for Bar {
    fn advance(&self, done: u64, of: u64) {
        let Ok(mut task) = self.task.lock() else { return };
        let what = match task.part {
            Part::Generation(_) => {
                let share = done as f64 / of.max(1) as f64;
                let here = share * self.under_way.load(Ordering::Relaxed) as f64;
                return self.show(self.done.load(Ordering::Relaxed) + here as u64);
            }
            Part::Learning(_) => {
                let left = time_left(task.begun, done, of);
                return self
                    .meter
                    .say(format!("learning features: {} %, {left} left", 100 * done / of.max(1)));
            }
            Part::Measuring => "measuring strength",
            Part::Finals => "choosing the champion",
        };
        if task.of != of {
            (task.of, task.begun) = (of, Instant::now());
        }
        let left = time_left(task.begun, done, of);
        let (played, of) = (grouped(done), grouped(of));
        self.meter.say(format!("{what}: game {played} of {of}, {left} left"));
    }
}

/// Watches a run for the user.
pub(crate) struct Watch {
    bar: Arc<Bar>,
    begun: Instant,
    settings: Settings,
    /// Work done by this process.
    here: Done,
    /// Games of the generations that were done before.
    before: u64,
    done: u32,
    /// The generation that was measured last, its score against the panel and the margin of that.
    strength: Option<(u32, f64, f64)>,
    /// Whether its time was up.
    is_out_of_time: bool,
    /// How near to perfect play, once measured.
    precision: Option<Precision>,
}

impl Watch {
    /// A watch over a run that has evaluated `done` generations.
    pub(crate) fn new(
        stop: &Arc<StopPolicy>,
        settings: &Settings,
        done: u32,
        verbosity: Verbosity,
    ) -> Self {
        let before = settings.work(1..=done);
        let all = before + settings.work(done + 1..=settings.generations);
        let meter = Meter::new(all, verbosity);
        let bar = Bar::new(stop, meter, all, before);
        let whole = if bar.limit(None).is_some() {
            String::new()
        } else {
            format!("/{}", settings.generations)
        };
        bar.meter.begin(format!("generation {done}{whole}"));
        Watch {
            bar: Arc::new(bar),
            begun: Instant::now(),
            settings: settings.clone(),
            here: Done::default(),
            before,
            done,
            strength: None,
            is_out_of_time: false,
            precision: None,
        }
    }

    /// What shows how far each part of the run is.
    pub(crate) fn bar(&self) -> Arc<Bar> {
        Arc::clone(&self.bar)
    }

    /// Says something that stays above the bar.
    pub(crate) fn tell(&self, line: String) {
        self.bar.meter.tell(line);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.meter.finish();
    }

    /// What this process has done.
    pub(crate) fn done(&self) -> Done {
        Done { seconds: self.begun.elapsed().as_secs_f64(), ..self.here }
    }

    /// How long the generations go on that are asked for.
    fn generations_left(&self) -> Option<Duration> {
        let here = self.bar.done.load(Ordering::Relaxed) - self.before;
        estimate(self.begun, here, self.bar.all - self.before)
    }

    /// Whether the run has a limit of time which it meets, as far as can be told, before its last
    /// generation. Then how many generations are asked for says nothing.
    pub(crate) fn is_ended_by_time(&self) -> bool {
        self.is_out_of_time || self.bar.limit(self.generations_left()).is_some()
    }

    fn message(&self, statistics: &Statistics) -> String {
        let left = self.generations_left();
        let whole = match self.bar.limit(left) {
            Some(_) => String::new(),
            None => format!("/{}", self.settings.generations),
        };
        let strength = self.strength.map(|(generation, score, margin)| {
            format!("  strength {score:.2} ±{margin:.2} in {generation}")
        });
        let precision = self.precision.map(|it| format!("  seeds lost {:.3}", it.seeds_lost));
        format!(
            "generation {}{whole}  best {}/{}  mean {:.1}{}{}  {}",
            self.done,
            statistics.best,
            self.settings.best_possible_fitness(self.done),
            statistics.mean,
            strength.unwrap_or_default(),
            precision.unwrap_or_default(),
            self.bar.course(left)
        )
    }
}

impl Observer for Watch {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        let (trainer, statistics, cost) = match event {
            Event::Begins(part) => {
                if let Some(it) = part.generation() {
                    self.bar.under_way.store(self.settings.work(it..=it), Ordering::Relaxed);
                }
                self.bar.begin(*part);
                return Ok(());
            }
            Event::Generation { trainer, statistics, cost } => (trainer, statistics, cost),
            Event::Measured { measurement, .. } if !measurement.is_champion => return Ok(()),
            Event::Measured { measurement, .. } => {
                let (score, margin) = measurement.strength();
                self.strength = Some((measurement.generation, score, margin));
                self.precision = measurement.precision;
                return Ok(());
            }
            Event::End { end, .. } => {
                self.is_out_of_time = *end == End::OutOfTime;
                return Ok(());
            }
        };
        let last = trainer.last().expect("a generation was evaluated");
        self.here.generations += 1;
        self.here.games_played += last.games_played;
        self.here.games_asked += last.games_asked;
        self.here.nodes += cost.nodes;
        self.done = last.generation;
        let games = self.settings.work(self.done..=self.done);
        self.bar.set_done(self.bar.done.load(Ordering::Relaxed) + games);
        self.bar.meter.say(self.message(statistics));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_ends_the_run_under_way_and_those_to_come() {
        let leaving = Leaving::default();
        let [first, second] = [(); 2].map(|()| leaving.guard(StopPolicy::new(None)));
        assert_eq!((first.wish(), second.wish()), (None, None));
        leaving.interrupt();
        assert_eq!([first, second].map(|stop| stop.wish()), [Some(End::Interrupted); 2]);
        assert_eq!(leaving.guard(StopPolicy::new(None)).wish(), Some(End::Interrupted));
    }

    #[test]
    fn what_ends_first_is_the_course() {
        let course = |limit: Option<Duration>| {
            let stop = Arc::new(StopPolicy::new(limit));
            Bar::new(&stop, Meter::new(100, Verbosity::Quiet), 100, 0)
        };
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        assert_eq!(course(None).course(None), "? left");
        assert_eq!(course(None).course(Some(hour)), "1h left");
        assert_eq!(course(Some(hour)).course(Some(minute)), "1m left");
        let short = course(Some(minute));
        assert_eq!(short.course(Some(hour)), "0s of 1m");
        assert_eq!(short.course(None), "0s of 1m");
        // A bar whose time is up is full, whatever was done, and one without a limit shows that.
        for (limit, shown) in [(Some(Duration::ZERO), 100), (None, 7), (Some(hour), 7)] {
            let course = course(limit);
            course.set_done(7);
            assert_eq!(course.meter.position(), shown, "{limit:?}");
        }
    }
}
