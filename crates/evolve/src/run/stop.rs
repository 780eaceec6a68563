//! Stops a run when the user interrupts it, when a stop file appears, or at a deadline.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use mancala::progress::Progress;
use mancala::store::{self, FileError};
use serde::Serialize;

/// The reason why training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// All requested generations have been evaluated.
    Complete,
    Interrupted,
    /// A stop file in the run folder requested the stop.
    Stopped,
    #[serde(rename = "time")]
    OutOfTime,
}

/// Determines when a run stops: when it is interrupted, when a [stop file](StopFile) is found, or at a deadline. The
/// current generation then has the time [`StopPolicy::GRACE`] to finish, except after a deadline if time is reserved
/// for final games. All other work is stopped immediately.
#[derive(Debug, Default)]
pub struct StopPolicy {
    /// The time when the run was interrupted or asked to stop (whichever came first), and which of them it was.
    stopped: OnceLock<(Instant, End)>,
    /// The time limit and the resulting deadline.
    limit: Option<(Duration, Instant)>,
    /// The time before the deadline that is reserved for the final games, in milliseconds.
    reserve: AtomicU64,
}

impl StopPolicy {
    /// The time that the current generation gets to finish.
    pub const GRACE: Duration = Duration::from_secs(5);

    /// Creates a policy whose deadline is `limit` from now, or a policy without a deadline.
    pub fn new(limit: Option<Duration>) -> Self {
        let limit = limit.and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        StopPolicy { limit, ..StopPolicy::default() }
    }

    /// Stops the run as if the user had interrupted it from the keyboard.
    pub fn interrupt(&self) {
        self.stopped.get_or_init(|| (Instant::now(), End::Interrupted));
    }

    /// Stops the run as if a [`StopFile`] had been found.
    pub fn request(&self) {
        self.stopped.get_or_init(|| (Instant::now(), End::Stopped));
    }

    /// Reserves time before the deadline for the final games, up to a quarter of the time limit.
    pub fn reserve(&self, time: Duration) {
        let most = self.limit.map_or(Duration::ZERO, |(limit, _)| limit / 4);
        self.reserve.store(time.min(most).as_millis() as u64, Ordering::Relaxed);
    }

    /// Returns the time until the deadline, and the time limit.
    pub fn time_left(&self) -> Option<(Duration, Duration)> {
        let (limit, deadline) = self.limit?;
        Some((deadline.saturating_duration_since(Instant::now()), limit))
    }

    /// Returns why the run has to stop before the next generation, or `None` if it can continue.
    pub fn end(&self) -> Option<End> {
        self.since().map(|(_, end)| end)
    }

    fn is_grace_over(&self) -> bool {
        let has_reserve = self.reserve.load(Ordering::Relaxed) > 0;
        self.since().is_some_and(|(at, end)| {
            at.elapsed() >= StopPolicy::GRACE || (has_reserve && end == End::OutOfTime)
        })
    }

    /// Returns the deadline for training. It's earlier than the run's deadline if time is reserved for the final games.
    fn deadline_of_generations(&self) -> Option<Instant> {
        let reserve = Duration::from_millis(self.reserve.load(Ordering::Relaxed));
        self.limit.and_then(|(_, deadline)| deadline.checked_sub(reserve))
    }

    fn since(&self) -> Option<(Instant, End)> {
        let late = self.deadline_of_generations().filter(|&at| Instant::now() >= at);
        self.stopped.get().copied().or(late.map(|at| (at, End::OutOfTime)))
    }
}

/// The progress observer of a run and the policy that stops the run.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Receives the progress of the current part. It can also stop the run.
    pub progress: &'a dyn Progress,
    pub stop: &'a StopPolicy,
}

impl Watched<'_> {
    /// Returns why the run ends. This should only be called after a part of the run was stopped.
    pub fn end(&self) -> End {
        self.stop.end().unwrap_or(End::Interrupted)
    }

    /// Returns the progress observer for a generation. It grants a grace period when the run has to stop.
    pub fn patiently(&self) -> impl Progress + '_ {
        Bounded(self.progress, || self.stop.is_grace_over())
    }

    /// Returns the progress observer for other work, which ends immediately when the run has to stop.
    pub fn at_once(&self) -> impl Progress + '_ {
        Bounded(self.progress, || self.stop.end().is_some())
    }

    /// Returns the progress observer for work after training. It has no deadline, but can be interrupted or stopped.
    pub fn after_end(&self) -> impl Progress + '_ {
        Bounded(self.progress, || self.stop.stopped.get().is_some())
    }
}

/// Returns a progress observer that also stops the work after the given time.
pub fn for_at_most(progress: &dyn Progress, time: Duration) -> impl Progress + '_ {
    let end = Instant::now() + time;
    Bounded(progress, move || Instant::now() >= end)
}

struct Bounded<'a, F>(&'a dyn Progress, F);

impl<F: Fn() -> bool + Sync> Progress for Bounded<'_, F> {
    fn advance(&self, done: u64, of: u64) {
        self.0.advance(done, of);
    }

    fn begin_stage(&self, name: &'static str) {
        self.0.begin_stage(name);
    }

    fn should_stop(&self) -> bool {
        let Bounded(progress, is_over) = self;
        is_over() || progress.should_stop()
    }
}

/// A file in a run folder, or next to a games file, that asks a process to stop. The process
/// removes this file after it takes its lock, and again before it releases the lock.
#[derive(Debug, Clone)]
pub struct StopFile(PathBuf);

impl StopFile {
    /// The name of the file in a run folder.
    pub const NAME: &'static str = "stop";

    pub fn of(folder: &Path) -> StopFile {
        StopFile(folder.join(StopFile::NAME))
    }

    /// Returns the stop file for a games file, which is the name of that file with `.stop` appended.
    pub fn beside(games: &Path) -> StopFile {
        let mut name = games.as_os_str().to_owned();
        name.push(".");
        name.push(StopFile::NAME);
        StopFile(name.into())
    }

    /// Returns whether the file exists. A folder of this name does not count, because it could not be removed.
    pub fn exists(&self) -> bool {
        fs::symlink_metadata(&self.0).is_ok_and(|metadata| !metadata.is_dir())
    }

    pub fn create(&self) -> Result<(), FileError> {
        store::create_empty(&self.0)
    }

    pub fn remove(&self) -> Result<(), FileError> {
        if !self.exists() {
            return Ok(());
        }
        match store::remove(&self.0) {
            // This is not an error, because another process has already removed the file.
            Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// The interval between calls of `on_tick`. After every [`TICKS_PER_CHECK`] calls, we look for the stop file.
const TICK: Duration = Duration::from_millis(100);
const TICKS_PER_CHECK: u32 = 5;

/// Runs `work`. Another thread calls `on_tick` regularly, and `request_stop` once the stop file appears.
pub fn watch_stop_file<T>(
    file: &StopFile,
    request_stop: impl Fn() + Send,
    on_tick: impl Fn() + Send,
    work: impl FnOnce() -> T,
) -> T {
    let watch = move |is_over: Receiver<()>| {
        for tick in 1u32.. {
            on_tick();
            // The sender is dropped when the work ends.
            if is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            if tick.is_multiple_of(TICKS_PER_CHECK) && file.exists() {
                request_stop();
            }
        }
    };
    thread::scope(|scope| {
        let (at_work, is_over) = mpsc::channel();
        scope.spawn(move || watch(is_over));
        let result = work();
        drop(at_work);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts_and_a_request_has_grace() {
        let asked = StopPolicy::new(Some(Duration::ZERO));
        assert_eq!(asked.end(), Some(End::OutOfTime));
        asked.request();
        assert_eq!(asked.end(), Some(End::Stopped));
        // The generation gets the same grace period as after an interruption.
        assert!(!asked.is_grace_over());
        let interrupted = StopPolicy::new(None);
        interrupted.interrupt();
        interrupted.request();
        assert_eq!(interrupted.end(), Some(End::Interrupted));
    }

    #[test]
    fn a_reserve_is_a_quarter_of_the_limit_at_most() {
        let hour = Duration::from_secs(3600);
        let limited = StopPolicy::new(Some(hour));
        let deadline = limited.deadline_of_generations().unwrap();
        for (reserve, kept) in [(0, 0), (60, 60), (1800, 900)] {
            limited.reserve(Duration::from_secs(reserve));
            assert!(!limited.is_grace_over());
            assert_eq!(
                deadline - limited.deadline_of_generations().unwrap(),
                Duration::from_secs(kept)
            );
        }
        // The time shown to the user includes the reserve.
        assert!(limited.time_left().unwrap().0 > hour / 2);
        let unlimited = StopPolicy::new(None);
        unlimited.reserve(hour);
        assert_eq!(unlimited.end(), None);
        // If time is reserved for final games, a generation gets no grace period after the deadline.
        let late = StopPolicy::new(Some(Duration::ZERO));
        assert!(!late.is_grace_over());
        late.reserve.store(1, Ordering::Relaxed);
        assert!(late.is_grace_over());
    }
}
