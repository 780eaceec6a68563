//! The progress of a process that trains in a folder, for `status.json` and the terminal.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use mancala::progress::{Progress, time_left};
use mancala::store::{self, FileError};
use serde::{Deserialize, Serialize};

use super::{End, Event, Settings, Trainer, Watched};

/// The progress of a training process, or how its training ended. Times are in seconds since the
/// Unix epoch. A killed process leaves its last status behind, so only
/// [`Lock::is_held`](mancala::store::Lock::is_held) shows reliably whether a process is training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    pub part: StatusPart,
    /// The name of the current stage, such as `gate`, or an empty string before the first stage.
    #[serde(default)]
    pub stage: String,
    /// The current generation, or the last evaluated generation if none is in progress.
    pub generation: u32,
    pub generations: u32,
    /// The work done in the current stage, in games. While features are learned, it's in positions or steps.
    pub done: u64,
    /// The total work in the current stage, or 0 while it is unknown.
    pub of: u64,
    pub began: u64,
    pub updated: u64,
    /// The deadline, if the run has a time limit.
    pub deadline: Option<u64>,
    /// The time limit in seconds.
    #[serde(default)]
    pub limit: Option<u64>,
    /// The estimated seconds until all generations are evaluated or the final games end, capped at the deadline.
    pub seconds_left: Option<u64>,
    /// The number of games per second in the last generation of this process, not counting cached games.
    pub games_per_second: Option<f64>,
    /// Whether the final games have started. No generations are evaluated after that.
    #[serde(default)]
    pub finals_begun: bool,
    /// Why training failed.
    #[serde(default)]
    pub error: Option<String>,
}

/// The part of a run that is in progress, or how its training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatusPart {
    /// A generation that starts by learning features.
    Learning,
    Generation,
    Measuring,
    Finals,
    Complete,
    /// Training ended early because of an interruption, a stop request or an error.
    Stopped,
    OutOfTime,
}

impl StatusPart {
    /// Returns the status after training has ended.
    pub fn after(end: End) -> StatusPart {
        match end {
            End::Complete => StatusPart::Complete,
            End::OutOfTime => StatusPart::OutOfTime,
            End::Interrupted | End::Stopped => StatusPart::Stopped,
        }
    }

    pub fn is_end(self) -> bool {
        matches!(self, StatusPart::Complete | StatusPart::Stopped | StatusPart::OutOfTime)
    }
}

/// The progress that this process has made in a run.
#[derive(Debug, Clone)]
pub struct RunProgress {
    pub settings: Settings,
    pub begun: Instant,
    pub part: StatusPart,
    /// The generation that is being evaluated, if any.
    current: Option<u32>,
    /// The name of the current stage, or an empty string before the first stage.
    pub stage: &'static str,
    pub stage_begun: Instant,
    /// The work done in the current stage, in games. While features are learned, it's in positions or steps.
    pub done: u64,
    /// The total work in the current stage, or 0 while it is unknown.
    pub of: u64,
    /// The time of the first report in the current stage, and the work done by then. It may include stored results.
    first: Option<(Instant, u64)>,
    pub generation: u32,
    /// The work done in generations before this process started. `evaluated` adds the generations since then.
    pub before: u64,
    evaluated: u64,
    /// The total work of all generations of the run, including those not evaluated yet.
    pub all: u64,
    /// The number of games per second in the last generation of this process, not counting cached games.
    pub games_per_second: Option<f64>,
    pub finals_begun: bool,
}

impl RunProgress {
    /// Returns the initial progress of a run in which this many generations have been evaluated.
    pub fn new(settings: &Settings, generation: u32) -> RunProgress {
        let [before, left] =
            [1..=generation, generation + 1..=settings.generations].map(|it| settings.work(it));
        RunProgress {
            settings: settings.clone(),
            begun: Instant::now(),
            part: StatusPart::Generation,
            current: None,
            stage: "",
            stage_begun: Instant::now(),
            done: 0,
            of: 0,
            first: None,
            generation,
            before,
            evaluated: before,
            all: before + left,
            games_per_second: None,
            finals_begun: false,
        }
    }

    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::Begins(part, generation) => self.begin(*part, *generation),
            Event::Generation { trainer, cost, .. } => {
                self.begin(StatusPart::Generation, None);
                self.generation = trainer.generation();
                self.evaluated += self.settings.work(self.generation..=self.generation);
                let played = trainer.last().map_or(0, |it| it.games_played);
                let speed = played as f64 / cost.seconds;
                self.games_per_second = Some(speed).filter(|it| it.is_finite());
            }
            Event::Measured { .. } | Event::ChampionSelected(_) | Event::End { .. } => {}
        }
    }

    fn begin(&mut self, part: StatusPart, generation: Option<u32>) {
        (self.part, self.current) = (part, generation);
        self.begin_stage("");
        self.finals_begun |= part == StatusPart::Finals;
    }

    pub fn begin_stage(&mut self, name: &'static str) {
        (self.stage, self.stage_begun, self.done, self.of) = (name, Instant::now(), 0, 0);
        self.first = None;
    }

    pub fn advance(&mut self, done: u64, of: u64) {
        (self.done, self.of) = (done, of);
        self.first.get_or_insert_with(|| (Instant::now(), done));
    }

    /// Returns the work done, including the completed fraction of the current generation.
    pub fn work(&self) -> u64 {
        let number = self.current.filter(|_| self.part == StatusPart::Generation);
        let Some(number) = number else { return self.evaluated };
        let share = self.done as f64 / self.of.max(1) as f64;
        self.evaluated + (share * self.settings.work(number..=number) as f64) as u64
    }

    pub fn generations_left(&self) -> Option<Duration> {
        time_left(self.begun, self.work() - self.before, self.all - self.before)
    }

    /// Estimates the remaining time of the stage from the work that was done since the first report.
    pub fn stage_left(&self) -> Option<Duration> {
        let (at, before) = self.first?;
        time_left(at, self.done.saturating_sub(before), self.of.saturating_sub(before))
    }
}

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
    pub const NAME: &'static str = "status.json";

    /// Reads the status from a run folder. Returns `None` if there is no status that this version can read.
    pub fn read(folder: &Path) -> Option<Status> {
        let text = store::read_document(&folder.join(Status::NAME)).ok()?;
        let file: File<Status> = serde_json::from_str(&text).ok()?;
        (file.kind == KIND && file.version == VERSION).then_some(file.status)
    }

    /// Writes the status to a run folder that this process has locked, without flushing it to disk.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        let file = File { kind: KIND.to_owned(), version: VERSION, status: self };
        let mut text = serde_json::to_vec_pretty(&file).expect("a status can be written as JSON");
        text.push(b'\n');
        store::replace_unflushed(&folder.join(Status::NAME), &text)
    }
}

const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// An observer that writes the status of a run. Write errors are ignored.
pub(super) struct StatusObserver<'a> {
    watched: Watched<'a>,
    folder: PathBuf,
    state: Mutex<State>,
}

struct State {
    progress: RunProgress,
    written: Option<(StatusPart, Instant)>,
    error: Option<String>,
}

impl<'a> StatusObserver<'a> {
    pub(super) fn new(folder: PathBuf, trainer: &Trainer, watched: &Watched<'a>) -> Self {
        let progress = RunProgress::new(trainer.settings(), trainer.generation());
        let state = Mutex::new(State { progress, written: None, error: None });
        StatusObserver { watched: *watched, folder, state }
    }

    /// Writes the status, unless it was written recently and the part of the run is still the same.
    pub(super) fn write(&self) {
        let mut state = self.state();
        let part = state.progress.part;
        let is_recent = |(written, at): (StatusPart, Instant)| {
            written == part && at.elapsed() < UPDATE_INTERVAL
        };
        if state.written.is_some_and(is_recent) {
            return;
        }
        state.written = Some((part, Instant::now()));
        let status = self.status(&state);
        // Release the lock. Otherwise, the run would have to wait for a slow disk.
        drop(state);
        if status.write(&self.folder).is_err() && part.is_end() {
            // If the disk is full, removing the old status may free enough space for the new one.
            let _ = fs::remove_file(self.folder.join(Status::NAME));
            let _ = status.write(&self.folder);
        }
    }

    pub(super) fn finish(&self, end: &Result<End, impl Display>) {
        let mut state = self.state();
        let part = end.as_ref().map_or(StatusPart::Stopped, |&end| StatusPart::after(end));
        state.progress.begin(part, None);
        state.error = end.as_ref().err().map(ToString::to_string);
        drop(state);
        self.write();
    }

    pub(super) fn note(&self, event: &Event) {
        self.state().progress.observe(event);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status(&self, State { progress, error, .. }: &State) -> Status {
        let (now, part) = (SystemTime::now(), progress.part);
        let limit = self.watched.stop.time_left();
        let until_deadline = limit.map(|(left, _)| left);
        let estimate = match part {
            StatusPart::Finals => progress.stage_left(),
            _ => progress.generations_left(),
        };
        let left = estimate.into_iter().chain(until_deadline).min().filter(|_| !part.is_end());
        Status {
            part,
            stage: progress.stage.into(),
            generation: progress.current.unwrap_or(progress.generation),
            generations: progress.settings.generations,
            done: progress.done,
            of: progress.of,
            began: unix_seconds(now - progress.stage_begun.elapsed()),
            updated: unix_seconds(now),
            deadline: until_deadline.and_then(|left| now.checked_add(left)).map(unix_seconds),
            limit: limit.map(|(_, limit)| limit.as_secs()),
            seconds_left: left.map(|it| it.as_secs()),
            games_per_second: progress.games_per_second,
            finals_begun: progress.finals_begun,
            error: error.clone(),
        }
    }
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |it| it.as_secs())
}

impl Progress for StatusObserver<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.state().progress.advance(done, of);
        self.watched.progress.advance(done, of);
    }

    fn begin_stage(&self, name: &'static str) {
        self.state().progress.begin_stage(name);
        self.watched.progress.begin_stage(name);
    }

    fn should_stop(&self) -> bool {
        self.watched.progress.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::changed;

    fn status() -> Status {
        Status {
            part: StatusPart::OutOfTime,
            stage: "gate".into(),
            generation: 7,
            generations: 100,
            done: 3,
            of: 0,
            began: 1_700_000_000,
            updated: 1_700_000_001,
            deadline: Some(1_700_000_002),
            limit: Some(60),
            seconds_left: None,
            games_per_second: Some(12.5),
            finals_begun: true,
            error: Some("no space".into()),
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
        for (of, by) in [
            ("\"version\": 1", "\"version\": 2"),
            ("\"status\"", "\"weights\""),
            ("\"out-of-time\"", "\"asleep\""),
        ] {
            fs::write(&file, whole.replace(of, by)).unwrap();
            assert_eq!(Status::read(folder.path()), None, "{by}");
        }
        // Later versions may add fields.
        fs::write(&file, whole.replace("\"of\": 0", "\"mood\": 1, \"of\": 0")).unwrap();
        assert_eq!(Status::read(folder.path()), Some(status()));
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert_eq!(Status::read(folder.path()), None);
    }

    #[test]
    fn stored_results_do_not_shorten_the_time_left() {
        let mut progress = RunProgress::new(&changed("quick", ""), 0);
        progress.begin_stage("finals");
        progress.advance(900, 1000);
        progress.first = progress.first.map(|(at, done)| (at - Duration::from_secs(10), done));
        progress.advance(910, 1000);
        assert_eq!(progress.stage_left().map(|it| it.as_secs()), Some(90));
    }
}
