//! What writes `status.json` while a run trains.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::run::{End, Event, Observer, Part, Settings, Status, StatusPart, Trainer, Watched};
use mancala::progress::Progress;
use mancala::store::FileError;

/// How long a status stands, in milliseconds; one of another part, so that a run of small parts does not write
/// files instead.
const UPDATE: u64 = 1000;
const NEW_PART: u64 = 100;

/// Writes how far a run is, whatever else watches it. What cannot be written is let be.
pub(super) struct Reporter<'a> {
    watched: Watched<'a>,
    folder: PathBuf,
    settings: Settings,
    begun: Instant,
    /// Milliseconds after `begun` from which the status is written again.
    due: AtomicU64,
    state: Mutex<State>,
}

/// What is known of the run.
struct State {
    part: StatusPart,
    generation: u32,
    began: SystemTime,
    /// When the games began that are counted.
    counted_from: Instant,
    /// Work of generations that this process has done, and of the one under way.
    work: u64,
    under_way: u64,
    /// Work that there was to do when it began.
    all: u64,
    games_per_second: Option<f64>,
    /// The part that was written last, and when, in milliseconds after the reporter began.
    written: Option<(StatusPart, u64)>,
}

impl<'a> Reporter<'a> {
    /// Of a run in `folder` that stands where `trainer` does.
    pub(super) fn new(folder: PathBuf, trainer: &Trainer, watched: &Watched<'a>) -> Self {
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
            counted_from: begun,
            work: 0,
            under_way: 0,
            all,
            games_per_second: None,
            written: None,
        };
        let (due, state) = (AtomicU64::new(0), Mutex::new(state));
        Reporter { watched: *watched, folder, settings, begun, due, state }
    }

    /// Writes how training ended.
    pub(super) fn end(&self, part: StatusPart) {
        let mut state = self.state();
        (state.part, state.began) = (part, SystemTime::now());
        self.write(&mut state, 0, 0);
    }

    fn begin(&self, part: Part) {
        let mut state = self.state();
        (state.part, state.began) = (StatusPart::of(part), SystemTime::now());
        state.counted_from = Instant::now();
        state.under_way = 0;
        if let Part::Generation(it) | Part::Learning(it) = part {
            state.generation = it;
            state.under_way = self.settings.work(it..=it);
        }
        if let Some((part, at)) = state.written {
            let after = if part == state.part { UPDATE } else { NEW_PART };
            self.due.store(at + after, Ordering::Relaxed);
        }
        if self.is_due() {
            self.write(&mut state, 0, 0);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    fn is_due(&self) -> bool {
        self.now() >= self.due.load(Ordering::Relaxed)
    }

    fn write(&self, state: &mut State, done: u64, of: u64) {
        let now = SystemTime::now();
        let time = self.watched.stop.time_left().map(|(left, _)| left);
        let status = Status {
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
        };
        // A run goes on without it.
        let _ = status.write(&self.folder);
        let at = self.now();
        state.written = Some((state.part, at));
        self.due.store(at + UPDATE, Ordering::Relaxed);
    }

    /// How long the run goes on.
    fn left(&self, state: &State, done: u64, of: u64, time: Option<Duration>) -> Option<Duration> {
        if state.part.is_end() {
            return None;
        }
        if state.part == StatusPart::Finals {
            return rest(state.counted_from, done as f64, of as f64);
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
        self.watched.progress.advance(done, of);
        // Another thread that is at it already writes what is as true.
        if self.is_due()
            && let Ok(mut state) = self.state.try_lock()
            && self.is_due()
        {
            self.write(&mut state, done, of);
        }
    }

    fn should_stop(&self) -> bool {
        self.watched.progress.should_stop()
    }
}

/// Lets a run be heard by the reporter and by another observer.
pub(super) struct Told<'a> {
    pub(super) reporter: &'a Reporter<'a>,
    pub(super) observer: &'a mut dyn Observer,
}

impl Observer for Told<'_> {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        match event {
            Event::Begins(part) => self.reporter.begin(*part),
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
pub(super) fn ending(end: &Result<End, FileError>) -> StatusPart {
    end.as_ref().map_or(StatusPart::Stopped, |&end| StatusPart::after(end))
}
