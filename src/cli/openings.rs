use std::io::Write;
use std::num::NonZeroUsize;

use clap::Args;
use serde_json::json;

use super::usage;
use crate::arena::{Openings, OpeningsError, Suite};
use crate::game::ayo::{Ayo, Rules};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// plies:K, random:N,plies=K,seed=S or a file of positions or lines
    #[arg(value_name = "SUITE")]
    suite: Suite,
    /// Rules: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME", default_value_t = Rules::default())]
    rules: Rules,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let openings = load(&arguments.suite, arguments.rules)?;
    if arguments.json {
        let positions: Vec<String> = openings.positions().iter().map(|p| p.to_string()).collect();
        let suite = arguments.suite.to_string();
        writeln!(out, "{}", json!({ "suite": suite, "positions": positions }))?;
        return Ok(());
    }
    for position in openings.positions() {
        writeln!(out, "{position}")?;
    }
    Ok(())
}

/// The openings that a verb plays from and how many games of them.
#[derive(Debug, Args)]
pub(super) struct Choice {
    /// plies:K, random:N,plies=K,seed=S or a file of positions or lines
    #[arg(long, value_name = "SUITE", default_value = "plies:4")]
    pub(super) openings: Suite,
    /// Games of a match, two an opening; fewer than the suite has are a seeded sample of it
    #[arg(long, value_name = "N")]
    pub(super) games: Option<NonZeroUsize>,
    /// Seed of that sample
    #[arg(long, value_name = "N", default_value_t = 1, requires = "games")]
    pub(super) seed: u64,
    /// Rules: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME", default_value_t = Rules::default())]
    pub(super) rules: Rules,
}

impl Choice {
    /// The openings that are played.
    pub(super) fn load(&self) -> anyhow::Result<Openings> {
        let all = load(&self.openings, self.rules)?;
        let Some(games) = self.games.map(NonZeroUsize::get) else {
            return Ok(all);
        };
        let available = 2 * all.positions().len();
        if !games.is_multiple_of(2) {
            return Err(usage(format!(
                "--games is {games}: every opening is played twice, give an even number"
            )));
        }
        if games > available {
            let suite = &self.openings;
            return Err(usage(format!("--games is {games}: {suite} has openings for {available}")));
        }
        Ok(all.sample(games / 2, self.seed))
    }

    /// What was chosen, in words that differ where the openings do.
    pub(super) fn describe(&self) -> String {
        match self.games {
            None => self.openings.to_string(),
            Some(games) => {
                format!("{}, {games} games drawn with seed {}", self.openings, self.seed)
            }
        }
    }
}

fn load(suite: &Suite, rules: Rules) -> anyhow::Result<Openings> {
    suite.openings(Ayo { rules }).map_err(|error| match error {
        OpeningsError::File(_) | OpeningsError::Line { .. } => error.into(),
        _ => usage(error),
    })
}
