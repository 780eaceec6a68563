//! Options and progress display shared by `ayo match` and `ayo tournament`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use arena::player::PlayableGame;
use arena::{Contest, CopyError, Estimate};
use clap::Args;

use super::contest::{ContestOutcome, ContestProgress, play, title};
use crate::terminal::{Interrupt, Meter, Workers, grouped, rounded, time_left};

/// Options for threads and the games file. Results do not depend on them, unless a player has a time limit.
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
        let (begun, found) = (Instant::now(), AtomicU64::new(0));
        let threads = pool.current_num_threads() as u64;
        let outcome = thread::scope(|scope| {
            // The sender is dropped when the first game ends, or at the end if no game is played.
            let (sender, first_game) = channel::<()>();
            let mut sender = Some(sender);
            scope.spawn(|| show_wait(&meter, contest, threads, &found, first_game));
            let mut follow = |progress: ContestProgress| {
                if progress.games > progress.found {
                    drop(sender.take());
                    show(&meter, begun, progress);
                } else {
                    found.store(progress.found as u64, Ordering::Relaxed);
                }
            };
            let file = self.games_out.as_deref();
            pool.install(|| play(contest, file, &interrupt, &mut follow))
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

/// Shows how many games there are to play, until the first one ends. This may take minutes. If it takes less than a
/// second, nothing is shown. `found` is the number of games read from the file.
fn show_wait<G: PlayableGame>(
    meter: &Meter,
    contest: &Contest<G>,
    threads: u64,
    found: &AtomicU64,
    first_game: Receiver<()>,
) {
    let begun = Instant::now();
    let has_ended = |wait| first_game.recv_timeout(wait) != Err(RecvTimeoutError::Timeout);
    if has_ended(Duration::from_secs(1)) {
        return;
    }
    let left = (contest.len() as u64).saturating_sub(found.load(Ordering::Relaxed));
    let games = grouped(left);
    meter.begin(format!("{}: {games} games to play", title(contest)));
    // Each thread plays one game per round. The first round takes at least as long as it has taken so far, and the
    // later ones are assumed to take as long as the first.
    let rounds = left.div_ceil(threads).saturating_sub(1).try_into().unwrap_or(u32::MAX);
    while !has_ended(Duration::from_millis(250)) {
        let time = rounded(begun.elapsed().saturating_mul(rounds));
        meter.say(format!("no game of {games} finished yet  more than {time} left"));
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
