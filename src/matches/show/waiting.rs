//! What is said of a contest before its first game is over, which may take minutes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::terminal::meter::{Meter, grouped, rounded};

/// A contest that is over by then needs no words.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is looked whether the first game is over.
const STEP: Duration = Duration::from_millis(250);

/// A contest as it begins.
pub(crate) struct Beginning<'a> {
    pub(crate) meter: &'a Meter,
    /// Who plays.
    pub(crate) what: String,
    /// Its games, those in its file among them.
    pub(crate) games: u64,
    /// Games that are played at the same time, at least one.
    pub(crate) at_a_time: usize,
}

/// Whether a game is over that was not found in a file.
#[derive(Default)]
pub(crate) struct First {
    is_over: AtomicBool,
    found: AtomicU64,
}

impl First {
    pub(crate) fn is_over(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// So many games need not be played.
    pub(crate) fn are_found(&self, games: u64) {
        self.found.store(games, Ordering::Relaxed);
    }
}

impl Beginning<'_> {
    /// Does the work, which says when its first game is over, and meanwhile says what it is.
    pub(crate) fn during<T>(&self, work: impl FnOnce(&First) -> T) -> T {
        let first = First::default();
        thread::scope(|scope| {
            let (working, over): (Sender<()>, _) = channel();
            scope.spawn(|| self.speak(&first, over));
            let done = work(&first);
            drop(working);
            done
        })
    }

    fn speak(&self, first: &First, over: Receiver<()>) {
        let begun = Instant::now();
        if over.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let left = self.games.saturating_sub(first.found.load(Ordering::Relaxed));
        let games = grouped(left);
        self.meter.begin(format!("{}: {games} games to play", self.what));
        while !first.is_over.load(Ordering::Relaxed) {
            let left = rounded(least_left(begun.elapsed(), left, self.at_a_time));
            self.meter.say(format!("no game of {games} is over yet  more than {left} left"));
            if over.recv_timeout(STEP) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    }
}

/// The least time that the games take, of which `at_a_time` are played together, if the first ones take longer than
/// `passed`.
fn least_left(passed: Duration, games: u64, at_a_time: usize) -> Duration {
    let rounds = games.div_ceil(at_a_time as u64);
    passed.saturating_mul(rounds.saturating_sub(1).try_into().unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_by_the_games_that_are_not_over() {
        let passed = Duration::from_secs(3);
        assert_eq!(least_left(passed, 100, 2), Duration::from_secs(147));
        assert_eq!(least_left(passed, 2, 4), Duration::ZERO);
    }
}
