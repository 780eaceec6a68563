//! `status.json`: the progress of the process that trains in a folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use mancala::progress::Progress;
use mancala::store::{self, FileError};
use serde::{Deserialize, Serialize};

use super::event::{Event, Part};
use super::settings::Settings;
use super::stop::{End, Watched};
use super::trainer::Trainer;

/// The progress of a process that trains, or the way its training ended.
///
/// No run depends on the file, which may be a second old. A killed process leaves its last status, so only
/// [`Lock::is_held`](mancala::store::Lock::is_held) tells whether one is at work.
///
/// Times are seconds since the beginning of 1970.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The part under way.
    pub part: StatusPart,
    /// The generation under way, or else the last one that was evaluated.
    pub generation: u32,
    /// Generations requested.
    pub generations: u32,
    /// Work done in the part: games, or steps of learning.
    pub done: u64,
    /// Work of the whole part; 0 while unknown.
    pub of: u64,
    /// Beginning of the part.
    pub began: u64,
    /// Time of this status.
    pub updated: u64,
    /// Deadline, in a run with a time limit.
    pub deadline: Option<u64>,
    /// Estimated seconds to the end of the generations, or of the final games once they have begun, and at most to the
    /// deadline.
    pub seconds_left: Option<u64>,
    /// Games per second in the last generation of this process, without cached games.
    pub games_per_second: Option<f64>,
    /// Whether the final games have begun. No generation is evaluated after that.
    #[serde(default)]
    pub finals_begun: bool,
}

/// A part of a run, or the way its training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusPart {
    /// A generation that begins by learning features.
    Learning,
    /// A generation is being evaluated.
    Generation,
    /// Strength is being measured.
    Measuring,
    /// Final games select the champion.
    Finals,
    /// Training ended with the run complete.
    Complete,
    /// Training ended earlier: by an interruption, a request or an error.
    Stopped,
    /// Training ended because its time was up.
    OutOfTime,
}

impl StatusPart {
    /// Returns the status of a part.
    pub fn of(part: Part) -> StatusPart {
        match part {
            Part::Generation(_) => StatusPart::Generation,
            Part::Learning(_) => StatusPart::Learning,
            Part::Measuring => StatusPart::Measuring,
            Part::Finals => StatusPart::Finals,
        }
    }

    /// Returns the status after training.
    pub fn after(end: End) -> StatusPart {
        match end {
            End::Complete => StatusPart::Complete,
            End::OutOfTime => StatusPart::OutOfTime,
            End::Interrupted | End::Stopped => StatusPart::Stopped,
        }
    }

    /// Returns whether training has ended.
    pub fn is_end(self) -> bool {
        matches!(self, StatusPart::Complete | StatusPart::Stopped | StatusPart::OutOfTime)
    }
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct File<S> {
    kind: String,
    version: u32,
    #[serde(flatten)]
    status: S,
}

const KIND: &str = "status";
const VERSION: u32 = 1;

impl Status {
    /// Name of the file.
    pub const NAME: &'static str = "status.json";

    /// Reads the status in a run folder; `None` if this version cannot read it.
    pub fn read(folder: &Path) -> Option<Status> {
        let text = store::read_document(&folder.join(Status::NAME)).ok()?;
        let file: File<Status> = serde_json::from_str(&text).ok()?;
        (file.kind == KIND && file.version == VERSION).then_some(file.status)
    }

    /// Writes the status in a run folder that this process holds. The file is replaced as a whole, but not flushed to
    /// disk.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        let file = File { kind: KIND.to_owned(), version: VERSION, status: self };
        let mut text = serde_json::to_vec_pretty(&file).expect("a status can be written as JSON");
        text.push(b'\n');
        store::replace_unflushed(&folder.join(Status::NAME), &text)
    }
}

/// The time between two writes while the part is the same.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// Writes the status of a run. An error of writing is ignored.
pub(super) struct StatusObserver<'a> {
    watched: Watched<'a>,
    folder: PathBuf,
    settings: Settings,
    begun: Instant,
    /// Work done in the part under way, and work of the whole part.
    done: AtomicU64,
    of: AtomicU64,
    state: Mutex<State>,
}

struct State {
    part: StatusPart,
    generation: u32,
    began: SystemTime,
    /// Beginning of the part by a monotonic clock.
    began_at: Instant,
    /// Work of the generations that this process has evaluated, and of the one under way.
    work: u64,
    under_way: u64,
    /// Work that was left when this process began.
    all: u64,
    games_per_second: Option<f64>,
    finals_begun: bool,
    /// The part that was written last, and the time.
    written: Option<(StatusPart, Instant)>,
}

impl<'a> StatusObserver<'a> {
    pub(super) fn new(folder: PathBuf, trainer: &Trainer, watched: &Watched<'a>) -> Self {
        let (settings, done) = (trainer.settings().clone(), trainer.generation());
        let is_left = done < settings.generations;
        let all = if is_left { settings.work(done + 1..=settings.generations) } else { 0 };
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
        StatusObserver { watched, folder, settings, begun, done, of, state }
    }

    /// Writes the status, unless the same part was written a moment ago.
    pub(super) fn write(&self) {
        let mut state = self.state();
        let is_recent = |(part, at): (StatusPart, Instant)| {
            part == state.part && at.elapsed() < UPDATE_INTERVAL
        };
        if state.written.is_some_and(is_recent) {
            return;
        }
        state.written = Some((state.part, Instant::now()));
        let status = self.status(&state);
        // The run must not wait for a slow disk.
        drop(state);
        let _ = status.write(&self.folder);
    }

    /// Writes the way training ended.
    pub(super) fn finish(&self, part: StatusPart) {
        self.begin(part, None);
        self.write();
    }

    /// Takes note of an event.
    pub(super) fn note(&self, event: &Event) {
        match event {
            Event::Begins(part) => self.begin(StatusPart::of(*part), part.generation()),
            Event::Generation { trainer, cost, .. } => {
                let mut state = self.state();
                state.work += state.under_way;
                state.under_way = 0;
                let played = trainer.last().map_or(0, |it| it.games_played);
                let speed = played as f64 / cost.seconds;
                state.games_per_second = Some(speed).filter(|it| it.is_finite());
            }
            Event::End { trainer, .. } => self.state().generation = trainer.generation(),
            Event::Measured { .. } | Event::ChampionSelected(_) => {}
        }
    }

    fn begin(&self, part: StatusPart, generation: Option<u32>) {
        let mut state = self.state();
        (state.part, state.began, state.began_at) = (part, SystemTime::now(), Instant::now());
        state.finals_begun |= part == StatusPart::Finals;
        state.generation = generation.unwrap_or(state.generation);
        state.under_way = generation.map_or(0, |it| self.settings.work(it..=it));
        self.set_progress(0, 0);
    }

    fn set_progress(&self, done: u64, of: u64) {
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
            began: unix_seconds(state.began),
            updated: unix_seconds(now),
            deadline: time.and_then(|left| now.checked_add(left)).map(unix_seconds),
            seconds_left: self.time_left(state, done, of, time).map(|it| it.as_secs()),
            games_per_second: state.games_per_second,
            finals_begun: state.finals_begun,
        }
    }

    fn time_left(
        &self,
        state: &State,
        done: u64,
        of: u64,
        limit: Option<Duration>,
    ) -> Option<Duration> {
        let estimate = match state.part {
            part if part.is_end() => return None,
            StatusPart::Finals => remaining(state.began_at, done as f64, of as f64),
            part => {
                let is_generation = part == StatusPart::Generation;
                let share = if is_generation { done as f64 / of.max(1) as f64 } else { 0.0 };
                let work = state.work as f64 + share * state.under_way as f64;
                remaining(self.begun, work, state.all as f64)
            }
        };
        estimate.into_iter().chain(limit).min()
    }
}

/// Estimates the time of the remaining work from the speed since `begun`.
fn remaining(begun: Instant, done: f64, of: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(begun.elapsed().as_secs_f64() * (of - done).max(0.0) / done).ok()
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |it| it.as_secs())
}

impl Progress for StatusObserver<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.set_progress(done, of);
        self.watched.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        self.watched.progress.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn status() -> Status {
        Status {
            part: StatusPart::OutOfTime,
            generation: 7,
            generations: 100,
            done: 3,
            of: 0,
            began: 1_700_000_000,
            updated: 1_700_000_001,
            deadline: Some(1_700_000_002),
            seconds_left: None,
            games_per_second: Some(12.5),
            finals_begun: true,
        }
    }

    #[test]
    fn a_status_reads_back_and_other_files_are_none() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Status::read(folder.path()), None);
        status().write(folder.path()).unwrap();
        assert_eq!(Status::read(folder.path()), Some(status()));
        let file = folder.path().join(Status::NAME);
        let whole = fs::read_to_string(&file).unwrap();
        assert!(whole.starts_with("{\n  \"kind\": \"status\",\n  \"version\": 1,\n"), "{whole}");
        assert!(whole.contains("\"part\": \"out-of-time\""), "{whole}");
        for end in 0..whole.trim_end().len() {
            fs::write(&file, &whole[..end]).unwrap();
            assert_eq!(Status::read(folder.path()), None, "{end}");
        }
        for (of, by) in [("\"version\": 1", "\"version\": 2"), ("\"status\"", "\"weights\"")] {
            fs::write(&file, whole.replace(of, by)).unwrap();
            assert_eq!(Status::read(folder.path()), None, "{by}");
        }
        fs::write(&file, whole.replace("\"out-of-time\"", "\"asleep\"")).unwrap();
        assert_eq!(Status::read(folder.path()), None);
        // A later version may add fields.
        fs::write(&file, whole.replace("\"of\": 0", "\"mood\": 1, \"of\": 0")).unwrap();
        assert_eq!(Status::read(folder.path()), Some(status()));
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!(Status::read(folder.path()), None);
    }
}
