//! What `match` and `tournament` share: flags, a bar, and how errors are told.

mod waiting;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;
use arena::Estimate;
use arena::player::PlayableGame;
use clap::Args;

use self::waiting::Beginning;
use super::openings::openings_error;
use super::usage;
use crate::analyse::bestmove::player_error;
use crate::app::contest::{ContestOutcome, ContestProgress, Setup, SetupError, Trouble};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, time_left};
use crate::terminal::workers::Workers;

/// The resources of a contest, and the file that keeps it. Results depend on neither, unless a player is
/// limited by time.
#[derive(Debug, Args)]
pub(super) struct Effort {
    #[command(flatten)]
    workers: Workers,
    /// Keep every game in this file; the same command goes on where it stopped
    #[arg(long, value_name = "FILE")]
    pub(super) games_out: Option<PathBuf>,
}

impl Effort {
    /// Plays a contest, or what its file of games lacks of it, and shows how far it is.
    pub(super) fn play<G: PlayableGame>(&self, setup: &Setup<G>) -> anyhow::Result<ContestOutcome> {
        let (what, pool) = (setup.described(), self.workers.pool()?);
        let (interrupt, meter) = (Interrupt::listen()?, Meter::new(0, self.workers.verbosity()));
        let at_a_time = pool.current_num_threads();
        let beginning = Beginning { meter: &meter, what, games: setup.games() as u64, at_a_time };
        let begun = Instant::now();
        let keep = self.games_out.as_deref();
        let outcome = beginning.during(|first| {
            let mut follow = |reached: ContestProgress| {
                if reached.games > reached.found {
                    first.is_over();
                    show(&meter, begun, reached);
                } else {
                    first.are_found(reached.found as u64);
                }
            };
            pool.install(|| setup.play(keep, &interrupt, &mut follow))
        })?;
        meter.finish();
        // Without a pair there is nothing to report but the trouble.
        if outcome.games.len() < 2 { without_trouble(outcome) } else { Ok(outcome) }
    }
}

fn show(meter: &Meter, begun: Instant, reached: ContestProgress) {
    let ContestProgress { games, of, found, .. } = reached;
    let left = time_left(begun, (games - found) as u64, (of - found) as u64);
    meter.set_length(of as u64);
    meter.set_position(games as u64);
    meter.say(format!("game {games}/{of}{}  {left} left", standing(&reached)));
}

/// How a match stands: what A scores, the Elo difference with its interval, and the test.
fn standing(reached: &ContestProgress) -> String {
    let played = reached.pairs.filter(|pairs| pairs.pairs() > 0);
    let score = played.map(|pairs| {
        let Estimate { score, elo, elo_ci95: (low, high), .. } = pairs.estimate();
        format!("  A {score:.3}  Elo {elo:+.0} ({low:+.0} to {high:+.0})")
    });
    let test =
        reached.llr.map(|(llr, (low, high))| format!("  llr {llr:.2} [{low:.2}, {high:.2}]"));
    score.into_iter().chain(test).collect()
}

/// The outcome, if nothing went wrong. It is asked for after the report, so that the games that were played
/// are shown in any case.
pub(super) fn without_trouble(mut outcome: ContestOutcome) -> anyhow::Result<ContestOutcome> {
    match outcome.trouble.take() {
        Some(Trouble::Player(error)) => Err(anyhow!("{error}; try --threads 1")),
        Some(trouble) => Err(trouble.into()),
        None => Ok(outcome),
    }
}

/// A contest that cannot be played, in terms of the command line.
pub(super) fn setup_error(error: SetupError) -> anyhow::Error {
    match error {
        SetupError::Player(error) => player_error(error),
        SetupError::Openings(error) => openings_error(error),
        SetupError::Twice(_) => usage(error),
    }
}

#[cfg(test)]
mod tests {
    use arena::{PairScore, Pentanomial};

    use super::*;

    #[test]
    fn a_match_says_how_it_stands() {
        let mut pairs = Pentanomial::default();
        let reached = ContestProgress { games: 0, of: 8, found: 0, pairs: Some(pairs), llr: None };
        assert_eq!(standing(&reached), "");
        [PairScore::Ww, PairScore::DdWl].into_iter().for_each(|pair| pairs.add(pair));
        let llr = Some((0.126, (-2.944, 2.944)));
        let said = standing(&ContestProgress { games: 4, pairs: Some(pairs), llr, ..reached });
        assert!(said.starts_with("  A 0.750  Elo +"), "{said}");
        assert!(said.ends_with(")  llr 0.13 [-2.94, 2.94]"), "{said}");
    }
}
