//! What the studies of players of Ayo share: settings, and tables of pairings.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::super::moves::player_error;
use super::super::terminal::{fail, shown};
use super::super::workers::Workers;
use super::watch::{Watch, say_going_on};
use crate::results::Answer;
use crate::study::{Pairing, PairingError, Settled, Unfinished};

#[derive(Debug, Args)]
pub(super) struct Effort {
    /// Games that settle each question, from openings of plies:4
    #[arg(long, value_name = "N", default_value_t = 2028, value_parser = clap::value_parser!(u16).range(2..=2028))]
    games: u16,
    /// Folder that keeps the games until all are played, so that an interrupted study goes on
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
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

    /// The folder of the games of a study.
    pub(super) fn kept(&self, study: &str) -> Kept {
        let kept = Unfinished::below(&self.out, study);
        say_going_on(&kept, self.workers.verbosity());
        Kept(kept)
    }

    pub(super) fn pool(&self) -> anyhow::Result<rayon::ThreadPool> {
        self.workers.pool()
    }
}

/// The folder that has the games of a study as long as not all are played.
pub(super) struct Kept(Unfinished);

impl Kept {
    fn path(&self) -> &Path {
        self.0.folder().expect("it is below one")
    }

    pub(super) fn folder(&self) -> anyhow::Result<&Path> {
        self.0.made()?;
        Ok(self.path())
    }

    /// The same pairings, whose games it keeps.
    pub(super) fn pairings(&self, all: Vec<Pairing>) -> Vec<Pairing> {
        all.into_iter().map(|it| it.kept_in(self.path())).collect()
    }

    /// All are played.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        self.0.remove()?;
        // It may have been made for these games alone. A folder that holds anything stays.
        let _ = self.path().parent().map(fs::remove_dir);
        Ok(())
    }

    /// Says what becomes of a study that was interrupted.
    pub(super) fn interrupted(&self) -> ExitCode {
        fail(format!(
            "interrupted: the same command goes on with the games in {}",
            shown(self.path())
        ));
        ExitCode::from(130)
    }
}

/// What is said of players that did not meet.
pub(super) fn not_met(error: PairingError) -> anyhow::Error {
    match error {
        PairingError::Spec(error) => player_error(error),
        other => other.into(),
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
