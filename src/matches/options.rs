//! Options and progress display shared by `ayo match` and `ayo tournament`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use arena::player::PlayableGame;
use arena::{Contest, CopyError, Estimate};
use clap::Args;

use super::contest::{ContestOutcome, ContestProgress, play, title};
use crate::terminal::{Interrupt, Meter, Workers, grouped, rounded, time_left};

/// Options for threads and the file of games. Results do not depend on them unless a player has a time limit.
#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    workers: Workers,
    /// Save every game to this file; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    pub(super) games_out: Option<PathBuf>,
}

impl Options {
    /// Plays a contest and displays its progress.
    pub(super) fn play<G: PlayableGame>(
        &self,
        contest: &Contest<G>,
    ) -> anyhow::Result<ContestOutcome> {
        let pool = self.workers.pool()?;
        let (interrupt, meter) = (Interrupt::listen()?, Meter::new(0, self.workers.verbosity()));
        let begun = Instant::now();
        let wait = Wait {
            meter: &meter,
            title: title(contest),
            games: contest.len() as u64,
            at_once: pool.current_num_threads() as u64,
            found: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        };
        let mut follow = |progress: ContestProgress| {
            if progress.games > progress.found {
                wait.is_over.store(true, Ordering::Relaxed);
                show(&meter, begun, progress);
            } else {
                wait.found.store(progress.found as u64, Ordering::Relaxed);
            }
        };
        let outcome = thread::scope(|scope| {
            let (working, ended) = channel();
            scope.spawn(|| wait.show(ended));
            let file = self.games_out.as_deref();
            let outcome = pool.install(|| play(contest, file, &interrupt, &mut follow));
            drop(working);
            outcome
        })?;
        meter.finish();
        // Without a complete pair, there is nothing to report except the error.
        if outcome.games.len() < 2 { check(outcome) } else { Ok(outcome) }
    }
}

fn show(meter: &Meter, begun: Instant, progress: ContestProgress) {
    let ContestProgress { games, of, found, .. } = progress;
    let left = time_left(begun, (games - found) as u64, (of - found) as u64);
    meter.set_length(of as u64);
    meter.set_position(games as u64);
    meter.say(format!("game {games}/{of}{}  {left} left", standing(&progress)));
}

/// Returns A's score so far, the Elo difference with its interval, and the log-likelihood ratio of the test.
fn standing(progress: &ContestProgress) -> String {
    let played = progress.pairs.filter(|pairs| pairs.pairs() > 0);
    let score = played.map(|pairs| {
        let Estimate { score, elo, elo_ci95: (low, high), .. } = pairs.estimate();
        format!("  A {score:.3}  Elo {elo:+.0} ({low:+.0} to {high:+.0})")
    });
    let llr =
        progress.llr.map(|(llr, (low, high))| format!("  llr {llr:.2} [{low:.2}, {high:.2}]"));
    score.into_iter().chain(llr).collect()
}

/// Progress display until the first game ends, which may take minutes.
struct Wait<'a> {
    meter: &'a Meter,
    title: String,
    games: u64,
    /// Number of games played concurrently.
    at_once: u64,
    /// Number of games read from a file.
    found: AtomicU64,
    /// Whether the first game has ended.
    is_over: AtomicBool,
}

impl Wait<'_> {
    /// Shows the display until a game or the contest ends. Shows nothing if that takes less than a second.
    fn show(&self, ended: Receiver<()>) {
        let begun = Instant::now();
        let has_ended = |wait| ended.recv_timeout(wait) != Err(RecvTimeoutError::Timeout);
        if has_ended(Duration::from_secs(1)) {
            return;
        }
        let left = self.games.saturating_sub(self.found.load(Ordering::Relaxed));
        let games = grouped(left);
        self.meter.begin(format!("{}: {games} games to play", self.title));
        while !self.is_over.load(Ordering::Relaxed) {
            // The first games take at least the time elapsed so far, and each later round is assumed to take as long.
            let rounds = left.div_ceil(self.at_once).saturating_sub(1);
            let time = begun.elapsed().saturating_mul(rounds.try_into().unwrap_or(u32::MAX));
            let time = rounded(time);
            self.meter.say(format!("no game of {games} finished yet  more than {time} left"));
            if has_ended(Duration::from_millis(250)) {
                return;
            }
        }
    }
}

/// Returns the outcome's error, if any. Call it after printing the report, which shows the games before the error.
pub(super) fn check(mut outcome: ContestOutcome) -> anyhow::Result<ContestOutcome> {
    match outcome.error.take() {
        Some(error) if error.is::<CopyError>() => anyhow::bail!("{error}; try --threads 1"),
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}
