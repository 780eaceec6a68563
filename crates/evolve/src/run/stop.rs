//! When a run stops.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mancala::progress::Progress;
use serde::Serialize;

/// Why training stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Every generation asked for has been evaluated.
    Complete,
    /// It was interrupted.
    Interrupted,
    /// It was asked to stop by a file in its folder.
    Stopped,
    /// Its time is up.
    #[serde(rename = "time")]
    OutOfTime,
}

/// When to stop: once the run is interrupted or [asked](super::StopFile) to stop, or its time is up. A generation that is under way may then take
/// [`StopPolicy::GRACE`] longer before it is dropped; all else ends at once, since what it would be given
/// to finish would be lost on games that are played again anyway.
#[derive(Debug, Default)]
pub struct StopPolicy {
    interrupted: OnceLock<Instant>,
    asked: OnceLock<Instant>,
    /// How much time there is, and when it is up.
    limit: Option<(Duration, Instant)>,
    /// Milliseconds before the deadline that are reserved for the final games.
    reserve: AtomicU64,
}

impl StopPolicy {
    /// How long a generation under way may go on.
    pub const GRACE: Duration = Duration::from_secs(5);

    /// Stops after so long from now; never without a limit.
    pub fn new(limit: Option<Duration>) -> Self {
        let limit = limit.and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        StopPolicy { limit, ..StopPolicy::default() }
    }

    /// Asks to stop, as the user does at the keyboard.
    pub fn interrupt(&self) {
        self.interrupted.get_or_init(Instant::now);
    }

    /// Asks to stop, by a [`StopFile`](super::StopFile).
    pub fn ask(&self) {
        self.asked.get_or_init(Instant::now);
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

    /// Whether to stop before the next generation, and why.
    pub fn wish(&self) -> Option<End> {
        self.wanted_since().map(|(_, end)| end)
    }

    /// Whether to drop a generation that is under way.
    fn is_out_of_grace(&self) -> bool {
        self.wanted_since().is_some_and(|(at, _)| at.elapsed() >= StopPolicy::GRACE)
    }

    /// The deadline without the reserve.
    fn end_of_time(&self) -> Option<Instant> {
        let reserve = Duration::from_millis(self.reserve.load(Ordering::Relaxed));
        self.limit.and_then(|(_, deadline)| deadline.checked_sub(reserve))
    }

    fn wanted_since(&self) -> Option<(Instant, End)> {
        let interrupted = self.interrupted.get().map(|&at| (at, End::Interrupted));
        let asked = self.asked.get().map(|&at| (at, End::Stopped));
        let late = self.end_of_time().map(|at| (at, End::OutOfTime));
        interrupted.or(asked).or(late.filter(|&(at, _)| Instant::now() >= at))
    }
}

/// How a run is watched and stopped: what is told how far it is, and what says when to stop.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Told how far the part under way is. It may stop the run too.
    pub progress: &'a dyn Progress,
    /// Says when to stop.
    pub stop: &'a StopPolicy,
}

impl Watched<'_> {
    /// Why the run ends after something in it was stopped.
    pub fn end(&self) -> End {
        self.stop.wish().unwrap_or(End::Interrupted)
    }

    /// The progress of a generation, which may use up its grace.
    pub fn patiently(&self) -> impl Progress + '_ {
        Bounded(*self, Bound::Grace)
    }

    /// The progress of all else, which ends at once.
    pub fn at_once(&self) -> impl Progress + '_ {
        Bounded(*self, Bound::Wish)
    }

    /// The progress of work after the stop, which ends after a time.
    pub fn for_at_most(&self, time: Duration) -> impl Progress + '_ {
        Bounded(*self, Bound::Until(Instant::now() + time))
    }
}

/// The condition that stops a part of a run.
enum Bound {
    Wish,
    Grace,
    Until(Instant),
}

struct Bounded<'a>(Watched<'a>, Bound);

impl Progress for Bounded<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.0.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        let Bounded(Watched { progress, stop }, bound) = self;
        let is_over = match bound {
            Bound::Wish => stop.wish().is_some(),
            Bound::Grace => stop.is_out_of_grace(),
            Bound::Until(end) => Instant::now() >= *end,
        };
        is_over || progress.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_is_obeyed() {
        let asked = StopPolicy::new(Some(Duration::ZERO));
        assert_eq!(asked.wish(), Some(End::OutOfTime));
        asked.ask();
        assert_eq!(asked.wish(), Some(End::Stopped));
        // As after an interruption, a generation has its grace.
        assert!(!asked.is_out_of_grace());
        let interrupted = StopPolicy::new(None);
        interrupted.interrupt();
        interrupted.ask();
        assert_eq!(interrupted.wish(), Some(End::Interrupted));
    }

    #[test]
    fn a_reserve_is_a_quarter_of_the_limit_at_most() {
        let hour = Duration::from_secs(3600);
        let limited = StopPolicy::new(Some(hour));
        let deadline = limited.end_of_time().unwrap();
        for (reserve, kept) in [(0, 0), (60, 60), (1800, 900)] {
            limited.reserve(Duration::from_secs(reserve));
            assert_eq!(deadline - limited.end_of_time().unwrap(), Duration::from_secs(kept));
        }
        // The time that is shown includes it.
        assert!(limited.time_left().unwrap().0 > hour / 2);
        let unlimited = StopPolicy::new(None);
        unlimited.reserve(hour);
        assert_eq!(unlimited.wish(), None);
    }
}
