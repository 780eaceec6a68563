//! When a run stops.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use mancala::progress::Progress;

/// Why training stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every generation asked for has been evaluated.
    Complete,
    /// It was interrupted.
    Interrupted,
    /// It was asked to stop by a file in its folder.
    Stopped,
    /// Its time is up.
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
    lifted: OnceLock<()>,
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

    /// Gives what follows the time that it takes; only an interruption or a stop file ends it.
    pub fn lift_deadline(&self) {
        self.lifted.get_or_init(|| ());
    }

    /// How much of its time is left, and how much it had; `None` without a limit.
    pub fn time_left(&self) -> Option<(Duration, Duration)> {
        let (limit, deadline) = self.limit.filter(|_| self.lifted.get().is_none())?;
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

    fn wanted_since(&self) -> Option<(Instant, End)> {
        let interrupted = self.interrupted.get().map(|&at| (at, End::Interrupted));
        let asked = self.asked.get().map(|&at| (at, End::Stopped));
        let limit = self.limit.filter(|_| self.lifted.get().is_none());
        let late = limit.map(|(_, at)| (at, End::OutOfTime));
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
    pub(crate) fn end(&self) -> End {
        self.stop.wish().unwrap_or(End::Interrupted)
    }

    /// The progress of a generation, which may use up its grace.
    pub fn patiently(&self) -> impl Progress + '_ {
        Patient(*self)
    }

    /// The progress of all else, which ends at once.
    pub fn at_once(&self) -> impl Progress + '_ {
        AtOnce(*self)
    }
}

struct Patient<'a>(Watched<'a>);

impl Progress for Patient<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.0.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        self.0.stop.is_out_of_grace() || self.0.progress.should_stop()
    }
}

struct AtOnce<'a>(Watched<'a>);

impl Progress for AtOnce<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.0.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        self.0.stop.wish().is_some() || self.0.progress.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_is_obeyed() {
        let asked = StopPolicy::new(Some(Duration::ZERO));
        assert_eq!(asked.wish(), Some(End::OutOfTime));
        // Final games know no limit, but can be stopped.
        asked.lift_deadline();
        assert_eq!(asked.wish(), None);
        asked.ask();
        assert_eq!(asked.wish(), Some(End::Stopped));
        // As after an interruption, a generation has its grace.
        assert!(!asked.is_out_of_grace());
        let interrupted = StopPolicy::new(None);
        interrupted.interrupt();
        interrupted.ask();
        assert_eq!(interrupted.wish(), Some(End::Interrupted));
    }
}
