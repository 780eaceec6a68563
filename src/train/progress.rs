//! Shows the progress of a run, and interrupts the run on signals.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use evolve::run::{Event, RunProgress, Settings, StatusPart, StopPolicy};
use mancala::progress::Progress;

use super::report::Done;
use crate::lock;
use crate::terminal::{
    Meter, Verbosity, coarse, grouped, on_signals, remaining, rounded, say_below,
};

/// Interrupts current and future runs on the first Ctrl-C or SIGTERM. The second signal ends the process immediately.
#[derive(Clone, Default)]
pub(super) struct Interruption(Arc<Mutex<Signals>>);

#[derive(Default)]
struct Signals {
    /// The stop policies of all runs that were started so far.
    stops: Vec<Arc<StopPolicy>>,
    is_interrupted: bool,
}

impl Interruption {
    /// Starts listening for signals, and prints `message` on the first one.
    pub(super) fn listen(message: &'static str) -> anyhow::Result<Interruption> {
        let interruption = Interruption::default();
        let handler = interruption.clone();
        on_signals(move || {
            handler.interrupt();
            say_below(format!("{message}; press Ctrl-C again to exit at once"));
        })?;
        Ok(interruption)
    }

    /// Interrupts current and future runs, like a signal.
    pub(super) fn interrupt(&self) {
        let mut state = lock(&self.0);
        state.is_interrupted = true;
        state.stops.iter().for_each(|stop| stop.interrupt());
    }

    pub(super) fn is_interrupted(&self) -> bool {
        lock(&self.0).is_interrupted
    }

    /// Registers a run to be interrupted by signals. If a signal has already arrived, interrupts the run at once.
    pub(super) fn guard(&self, stop: StopPolicy) -> Arc<StopPolicy> {
        let stop = Arc::new(stop);
        let mut state = lock(&self.0);
        state.stops.push(Arc::clone(&stop));
        if state.is_interrupted {
            stop.interrupt();
        }
        stop
    }
}

/// A progress bar for a run. If there is a time limit, then the bar shows the progress of this session instead of the
/// whole run. This type also counts the work that this process has done.
pub(super) struct RunDisplay {
    stop: Arc<StopPolicy>,
    pub(super) meter: Meter,
    state: Mutex<State>,
}

struct State {
    progress: RunProgress,
    work: Done,
    /// A description of the most recently measured strength and accuracy.
    measured: String,
}

impl RunDisplay {
    /// Creates the display for a run that has evaluated `done` generations.
    pub(super) fn new(
        stop: &Arc<StopPolicy>,
        settings: &Settings,
        done: u32,
        verbosity: Verbosity,
    ) -> RunDisplay {
        let progress = RunProgress::new(settings, done);
        let meter = Meter::new(progress.all, verbosity);
        let state = State { progress, work: Done::default(), measured: String::new() };
        let display = RunDisplay { stop: Arc::clone(stop), meter, state: Mutex::new(state) };
        let state = lock(&display.state);
        display.show(state.progress.work(), state.progress.before, state.progress.all);
        display.meter.begin(display.generation(&state.progress, None));
        drop(state);
        display
    }

    /// Returns the completed fraction of the run, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        self.meter.position() as f64 / lock(&self.state).progress.all.max(1) as f64
    }

    /// Updates the bar. With a time limit, the bar shows the completed part of this session, which started at `before`.
    fn show(&self, work: u64, before: u64, all: u64) {
        let position = self.stop.time_left().map_or(work, |(left, limit)| {
            let by_time = 1.0 - left.as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE);
            let by_work = (work - before) as f64 / (all - before).max(1) as f64;
            (by_time.max(by_work) * all as f64) as u64
        });
        self.meter.set_position(position);
    }

    /// If the run will probably reach its time limit, returns how much of that time has passed. Otherwise, returns the
    /// time left, if known. `generations` is the estimated time for the remaining generations.
    fn time(&self, generations: Option<Duration>) -> String {
        match self.limit(generations) {
            Some((left, limit)) => {
                format!(", {} of {}", coarse(limit.saturating_sub(left)), rounded(limit))
            }
            None => remaining(generations),
        }
    }

    /// Returns the time left and the time limit, or `None` if the run won't reach a time limit.
    fn limit(&self, generations: Option<Duration>) -> Option<(Duration, Duration)> {
        let time = self.stop.time_left();
        time.filter(|(left, _)| generations.is_none_or(|generations| generations >= *left))
    }

    pub(super) fn done(&self) -> Done {
        let State { progress, work, .. } = &*lock(&self.state);
        Done { seconds: progress.begun.elapsed().as_secs_f64(), ..*work }
    }

    fn generation(&self, progress: &RunProgress, time_left: Option<Duration>) -> String {
        let done = progress.generation;
        match self.limit(time_left) {
            Some(_) => format!("generation {done}"),
            None => format!("generation {done}/{}", progress.settings.generations),
        }
    }

    pub(super) fn observe(&self, event: &Event) {
        let mut state = lock(&self.state);
        state.progress.observe(event);
        match event {
            Event::Generation { trainer, statistics, cost } => {
                self.show(state.progress.work(), state.progress.before, state.progress.all);
                let last = trainer.last().expect("a generation was evaluated");
                state.work.generations += 1;
                state.work.games_played += last.games_played;
                state.work.games_asked += last.games_asked;
                state.work.nodes += cost.nodes;
                let left = state.progress.generations_left();
                let generation = self.generation(&state.progress, left);
                let possible = trainer.settings().best_possible_fitness(last.generation);
                let fitness = fitness(&generation, statistics.best, possible, statistics.mean);
                self.meter.say(format!("{fitness}{}{}", state.measured, self.time(left)));
            }
            Event::Measured { measurement, .. } if measurement.is_champion => {
                let (score, margin) = measurement.strength();
                state.measured = measured(score, margin, measurement.generation);
                if let Some(accuracy) = measurement.accuracy {
                    state.measured += &format!("  seeds lost {:.3}", accuracy.seeds_lost);
                }
            }
            _ => {}
        }
    }
}

impl Progress for RunDisplay {
    fn advance(&self, done: u64, of: u64) {
        let progress = &mut lock(&self.state).progress;
        progress.advance(done, of);
        self.show(progress.work(), progress.before, progress.all);
        let part = (progress.part, progress.stage);
        if let Some(activity) = activity(part, done, of, progress.stage_left()) {
            self.meter.say(activity);
        }
    }

    fn begin_stage(&self, name: &'static str) {
        lock(&self.state).progress.begin_stage(name);
    }
}

/// Describes the progress of learning, a measurement or the final games. Returns `None` for other parts of a run.
pub(super) fn activity(
    (part, stage): (StatusPart, &str),
    done: u64,
    of: u64,
    left: Option<Duration>,
) -> Option<String> {
    let activity = match part {
        StatusPart::Learning => "learning features",
        StatusPart::Measuring => "measuring strength",
        StatusPart::Finals => "selecting the champion",
        _ => return None,
    };
    let work = match part {
        StatusPart::Learning => format!("{} %", 100 * done / of.max(1)),
        _ if stage.starts_with("positions") => format!("{} of {}", grouped(done), grouped(of)),
        _ => format!("game {} of {}", grouped(done), grouped(of)),
    };
    let stage = if stage.is_empty() { String::new() } else { format!(", {stage}") };
    Some(format!("{activity}{stage}: {work}{}", remaining(left)))
}

pub(super) fn fitness(generation: &str, best: u64, possible: u64, mean: f64) -> String {
    format!("{generation}  best {best}/{possible}  mean {mean:.1}")
}

pub(super) fn measured(score: f64, margin: f64, generation: u32) -> String {
    format!("  strength {score:.2} ±{margin:.2} in {generation}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve::run::{Draft, End};

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
    fn the_display_shows_the_limit_that_ends_the_run_first() {
        let display = |limit: Option<Duration>| {
            let stop = Arc::new(StopPolicy::new(limit));
            let settings = Draft::preset("quick").unwrap().finish().unwrap();
            RunDisplay::new(&stop, &settings, 0, Verbosity { quiet: true })
        };
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        assert_eq!(display(None).time(None), "");
        assert_eq!(display(None).time(Some(hour)), ", 1h left");
        assert_eq!(display(Some(hour)).time(Some(minute)), ", 1m left");
        assert_eq!(display(Some(minute)).time(Some(hour)), ", 0s of 1m");
        assert_eq!(display(Some(minute)).time(None), ", 0s of 1m");
        for (limit, before, position) in
            [(Some(Duration::ZERO), 0, 100), (None, 2, 7), (Some(hour), 0, 7), (Some(hour), 7, 0)]
        {
            let display = display(limit);
            display.show(7, before, 100);
            assert_eq!(display.meter.position(), position, "{limit:?} {before}");
        }
        // Learning features isn't part of a generation, but it counts towards the time limit.
        let display = display(Some(Duration::ZERO));
        display.observe(&Event::Begins(StatusPart::Learning, Some(1)));
        display.advance(1, 100);
        assert_eq!(display.share(), 1.0);
    }
}
