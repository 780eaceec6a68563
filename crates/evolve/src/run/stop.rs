//! Stopping a run: by the user, by a file, or at a deadline.

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

/// The reason why training ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Every requested generation has been evaluated.
    Complete,
    /// It was interrupted.
    Interrupted,
    /// A file in its folder requested it.
    Stopped,
    /// Its time is up.
    #[serde(rename = "time")]
    OutOfTime,
}

/// The conditions that stop a run: an interruption, a [request](StopFile) or a deadline.
///
/// A generation under way may then take [`StopPolicy::GRACE`] longer before it is dropped. Other work ends at once,
/// since it is repeated in any case.
#[derive(Debug, Default)]
pub struct StopPolicy {
    interrupted: OnceLock<Instant>,
    requested: OnceLock<Instant>,
    /// The time limit, and the deadline.
    limit: Option<(Duration, Instant)>,
    /// Milliseconds before the deadline that are reserved for the final games.
    reserve: AtomicU64,
}

impl StopPolicy {
    /// Time for a generation under way to finish.
    pub const GRACE: Duration = Duration::from_secs(5);

    /// Creates a policy with a deadline after `limit` from now, or without a deadline.
    pub fn new(limit: Option<Duration>) -> Self {
        let limit = limit.and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        StopPolicy { limit, ..StopPolicy::default() }
    }

    /// Stops the run, as the user does at the keyboard.
    pub fn interrupt(&self) {
        self.interrupted.get_or_init(Instant::now);
    }

    /// Stops the run, as a [`StopFile`] does.
    pub fn request(&self) {
        self.requested.get_or_init(Instant::now);
    }

    /// Reserves time before the deadline for the final games, at most a quarter of the limit.
    pub fn reserve(&self, time: Duration) {
        let most = self.limit.map_or(Duration::ZERO, |(limit, _)| limit / 4);
        self.reserve.store(time.min(most).as_millis() as u64, Ordering::Relaxed);
    }

    /// Returns the time to the deadline, including the reserve, and the limit; `None` without a limit.
    pub fn time_left(&self) -> Option<(Duration, Duration)> {
        let (limit, deadline) = self.limit?;
        Some((deadline.saturating_duration_since(Instant::now()), limit))
    }

    /// Returns the reason to stop before the next generation, if there is one.
    pub fn end(&self) -> Option<End> {
        self.since().map(|(_, end)| end)
    }

    /// Returns whether to drop a generation that is under way.
    fn is_grace_over(&self) -> bool {
        self.since().is_some_and(|(at, _)| at.elapsed() >= StopPolicy::GRACE)
    }

    /// Returns the deadline without the reserve.
    fn deadline_of_generations(&self) -> Option<Instant> {
        let reserve = Duration::from_millis(self.reserve.load(Ordering::Relaxed));
        self.limit.and_then(|(_, deadline)| deadline.checked_sub(reserve))
    }

    fn since(&self) -> Option<(Instant, End)> {
        let interrupted = self.interrupted.get().map(|&at| (at, End::Interrupted));
        let requested = self.requested.get().map(|&at| (at, End::Stopped));
        let late = self.deadline_of_generations().map(|at| (at, End::OutOfTime));
        interrupted.or(requested).or(late.filter(|&(at, _)| Instant::now() >= at))
    }
}

/// The progress of a run and the policy that stops it.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Receives the progress of the part under way. It may stop the run as well.
    pub progress: &'a dyn Progress,
    pub stop: &'a StopPolicy,
}

impl Watched<'_> {
    /// Returns the reason why the run ends after a part of it was stopped.
    pub fn end(&self) -> End {
        self.stop.end().unwrap_or(End::Interrupted)
    }

    /// Returns the progress of a generation, which may use its grace period.
    pub fn patiently(&self) -> impl Progress + '_ {
        Bounded(*self, || self.stop.is_grace_over())
    }

    /// Returns the progress of work that ends at once.
    pub fn at_once(&self) -> impl Progress + '_ {
        Bounded(*self, || self.stop.end().is_some())
    }

    /// Returns the progress of work after the stop, which has a time limit.
    pub fn for_at_most(&self, time: Duration) -> impl Progress + '_ {
        let end = Instant::now() + time;
        Bounded(*self, move || Instant::now() >= end)
    }
}

/// The progress of a part of a run, with a condition that stops it.
struct Bounded<'a, F>(Watched<'a>, F);

impl<F: Fn() -> bool + Sync> Progress for Bounded<'_, F> {
    fn advance(&self, done: u64, of: u64) {
        self.0.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        let Bounded(watched, is_over) = self;
        is_over() || watched.progress.should_stop()
    }
}

/// A file whose presence asks the process that holds a lock to stop. A process removes the file when it takes the lock
/// and before it releases it.
///
/// For a run the file is in its folder, for a match next to its file of games.
#[derive(Debug, Clone)]
pub struct StopFile(PathBuf);

impl StopFile {
    /// Name of the file in a run folder.
    pub const NAME: &'static str = "stop";

    /// Returns the stop file of a run folder.
    pub fn of(folder: &Path) -> StopFile {
        StopFile(folder.join(StopFile::NAME))
    }

    /// Returns the stop file of a file of games: its name followed by `.stop`.
    pub fn beside(games: &Path) -> StopFile {
        let mut name = games.as_os_str().to_owned();
        name.push(".");
        name.push(StopFile::NAME);
        StopFile(name.into())
    }

    /// Returns whether the file exists. A folder of that name is no request, since it could not be removed.
    pub fn exists(&self) -> bool {
        fs::symlink_metadata(&self.0).is_ok_and(|metadata| !metadata.is_dir())
    }

    /// Creates the file if it does not exist.
    pub fn create(&self) -> Result<(), FileError> {
        store::create_empty(&self.0)
    }

    /// Removes the file if it exists.
    pub fn remove(&self) -> Result<(), FileError> {
        if !self.exists() {
            return Ok(());
        }
        match store::remove(&self.0) {
            // Another process has removed it.
            Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// The time between two calls of `on_tick`, and the number of these after which the stop file is checked.
const TICK: Duration = Duration::from_millis(100);
const TICKS_PER_CHECK: u32 = 5;

/// Does work in a run folder or on a file of games that this process holds. Calls `request_stop` once its stop file
/// appears, and `on_tick` again and again. This needs a thread: searches check so often whether to stop that even the
/// clock would cost.
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
        // As after an interruption, a generation has its grace.
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
            assert_eq!(
                deadline - limited.deadline_of_generations().unwrap(),
                Duration::from_secs(kept)
            );
        }
        // The time that is shown includes it.
        assert!(limited.time_left().unwrap().0 > hour / 2);
        let unlimited = StopPolicy::new(None);
        unlimited.reserve(hour);
        assert_eq!(unlimited.end(), None);
    }
}
