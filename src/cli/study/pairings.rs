//! What the studies of players of Ayo share: settings, and tables of pairings.

use std::io::Write;

use clap::Args;

use super::super::moves::player_error;
use super::super::workers::Workers;
use super::watch::Watch;
use crate::results::Answer;
use crate::study::{PairingError, Settled};

#[derive(Debug, Args)]
pub(super) struct Effort {
    /// Games that settle each question, from openings of plies:4
    #[arg(long, value_name = "N", default_value_t = 2028, value_parser = clap::value_parser!(u16).range(2..=2028))]
    games: u16,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Effort {
    pub(super) fn games(&self) -> usize {
        self.games.into()
    }

    pub(super) fn watch(&self, games: usize) -> anyhow::Result<Watch> {
        Watch::new(games as u64, self.workers.verbosity())
    }

    pub(super) fn pool(&self) -> anyhow::Result<rayon::ThreadPool> {
        self.workers.pool()
    }
}

/// What is said of players that did not meet.
pub(super) fn not_met(error: PairingError) -> anyhow::Error {
    match error {
        PairingError::Spec(error) => player_error(error),
        PairingError::Games(error) => error.into(),
    }
}

/// Prints pairings, two lines each: the question and the players, and what came of it.
pub(super) fn print(settled: &[Settled], out: &mut dyn Write) -> anyhow::Result<()> {
    for Settled { pairing, tally } in settled {
        let e = tally.pairs.estimate();
        let ([a, b], (low, high)) = (&pairing.players, e.elo_ci95);
        writeln!(out, "  {}: {a} v. {b}", pairing.question)?;
        let (score, from, to) = (e.score, e.score_ci95.0, e.score_ci95.1);
        writeln!(
            out,
            "    score {score:.3} ({from:.3} to {to:.3})  Elo {:+.0} ({low:+.0} to {high:+.0})  {} games",
            e.elo,
            tally.games(),
        )?;
    }
    Ok(())
}

/// What pairings say to their questions.
pub(super) fn answers(settled: &[Settled]) -> Vec<Answer> {
    settled.iter().map(Answer::from).collect()
}
