//! What writes `status.json` while a run trains.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use evolve::run::{End, Event, Observer, Settings, Status, StatusPart, Trainer, Watched};
use mancala::progress::Progress;
use mancala::store::FileError;

/// How long a status stands as long as the part of the run is the same.
const UPDATE: Duration = Duration::from_secs(1);

/// Writes how far a run is, whatever else watches it. What cannot be written is let be.
pub(crate) struct Reporter<'a> {
    watched: Watched<'a>,
    folder: PathBuf,
    settings: Settings,
    begun: Instant,
    /// What is done of the part under way, and how much it takes.
    done: AtomicU64,
    of: AtomicU64,
    state: Mutex<State>,
}

/// What is known of the run.
struct State {
    part: StatusPart,
    generation: u32,
    began: SystemTime,
    /// When the part began, by a clock that nobody sets.
    began_at: Instant,
    /// Work of generations that this process has done, and of the one under way.
    work: u64,
    under_way: u64,
    /// Work that there was to do when it began.
    all: u64,
    games_per_second: Option<f64>,
    finals_begun: bool,
    /// The part that was written last, and when.
    written: Option<(StatusPart, Instant)>,
}

impl<'a> Reporter<'a> {
    /// Of a run in `folder` that stands where `trainer` does.
    pub(crate) fn new(folder: PathBuf, trainer: &Trainer, watched: &Watched<'a>) -> Self {
        let (settings, done) = (trainer.settings().clone(), trainer.generation());
        let all = if done < settings.generations {
            settings.work(done + 1..=settings.generations)
        } else {
            0
        };
        let begun = Instant::now();
        let state = State {
            part: StatusPart::Generation,
            generation: done,
            began: SystemTime::now(),
            began_at: begun,
            work: 0,
            under_way: 0,
            all,
            games_per_second: None,
            finals_begun: false,
            written: None,
        };
        let [done, of] = [(); 2].map(|()| AtomicU64::new(0));
        let (watched, state) = (*watched, Mutex::new(state));
        Reporter { watched, folder, settings, begun, done, of, state }
    }

    /// Writes how far the run is, if that was not written a moment ago.
    pub(crate) fn report(&self) {
        let mut state = self.state();
        let is_known =
            |(part, at): (StatusPart, Instant)| part == state.part && at.elapsed() < UPDATE;
        if state.written.is_some_and(is_known) {
            return;
        }
        state.written = Some((state.part, Instant::now()));
        let status = self.status(&state);
        // A disk may be slow, and the run waits for nobody.
        drop(state);
        // It goes on without it, too.
        let _ = status.write(&self.folder);
    }

    /// Writes how training ended.
    pub(crate) fn end(&self, part: StatusPart) {
        self.begin(part, None);
        self.report();
    }

    /// A part begins, of a generation or of none.
    fn begin(&self, part: StatusPart, generation: Option<u32>) {
        let mut state = self.state();
        (state.part, state.began, state.began_at) = (part, SystemTime::now(), Instant::now());
        state.finals_begun |= part == StatusPart::Finals;
        state.generation = generation.unwrap_or(state.generation);
        state.under_way = generation.map_or(0, |it| self.settings.work(it..=it));
        self.advanced(0, 0);
    }

    fn advanced(&self, done: u64, of: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status(&self, state: &State) -> Status {
        let now = SystemTime::now();
        let [done, of] = [&self.done, &self.of].map(|it| it.load(Ordering::Relaxed));
        let time = self.watched.stop.time_left().map(|(left, _)| left);
        Status {
            part: state.part,
            generation: state.generation,
            generations: self.settings.generations,
            done,
            of,
            began: seconds(state.began),
            updated: seconds(now),
            deadline: time.and_then(|left| now.checked_add(left)).map(seconds),
            seconds_left: self.left(state, done, of, time).map(|it| it.as_secs()),
            games_per_second: state.games_per_second,
            finals_begun: state.finals_begun,
        }
    }

    /// How long the run goes on.
    fn left(&self, state: &State, done: u64, of: u64, time: Option<Duration>) -> Option<Duration> {
        if state.part.is_end() {
            return None;
        }
        if state.part == StatusPart::Finals {
            let finals = rest(state.began_at, done as f64, of as f64);
            return finals.into_iter().chain(time).min();
        }
        let share = match state.part {
            StatusPart::Generation => done as f64 / of.max(1) as f64,
            _ => 0.0,
        };
        let work = state.work as f64 + share * state.under_way as f64;
        let generations = rest(self.begun, work, state.all as f64);
        generations.into_iter().chain(time).min()
    }
}

/// How long the rest of something takes if it goes on as since `begun`.
fn rest(begun: Instant, done: f64, of: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(begun.elapsed().as_secs_f64() * (of - done).max(0.0) / done).ok()
}

/// Since the beginning of 1970.
fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |it| it.as_secs())
}

impl Progress for Reporter<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.advanced(done, of);
        self.watched.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        self.watched.progress.should_stop()
    }
}

/// Lets a run be heard by the reporter and by another observer.
pub(crate) struct Told<'a> {
    pub(crate) reporter: &'a Reporter<'a>,
    pub(crate) observer: &'a mut dyn Observer,
}

impl Observer for Told<'_> {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        match event {
            Event::Begins(part) => {
                self.reporter.begin(StatusPart::of(*part), part.generation());
            }
            Event::Generation { trainer, cost, .. } => {
                let mut state = self.reporter.state();
                state.work += state.under_way;
                state.under_way = 0;
                let played = trainer.last().map_or(0, |it| it.games_played);
                let speed = played as f64 / cost.seconds;
                state.games_per_second = Some(speed).filter(|it| it.is_finite());
            }
            Event::End { trainer, .. } => self.reporter.state().generation = trainer.generation(),
            Event::Measured { .. } => {}
        }
        self.observer.observe(event)
    }
}

/// How training ended, of which a failure is no other end than a stop for whoever watches.
pub(crate) fn ending(end: &Result<End, FileError>) -> StatusPart {
    end.as_ref().map_or(StatusPart::Stopped, |&end| StatusPart::after(end))
}
