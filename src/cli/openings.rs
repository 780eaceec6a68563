use std::io::Write;
use std::num::NonZeroUsize;

use arena::{OpeningsError, Suite};
use clap::Args;
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, Notated, with_game};
use serde_json::json;

use super::game::named;
use super::usage;
use crate::app::openings::{OpeningsChoice, OpeningsChoiceError};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// plies:K, random:N,plies=K,seed=S or a file of positions or lines
    #[arg(value_name = "SUITE")]
    suite: Suite,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]
    #[arg(long, value_name = "GAME", default_value_t = AnyGame::default())]
    game: AnyGame,
    /// Rules of ayo: ayo [default], awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    with_game!(named(arguments.game, arguments.rules)?, game => list(arguments, game, out))
}

fn list<G: Notated>(arguments: &Arguments, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
    let suite = arguments.suite.clone();
    let choice = OpeningsChoice { suite, games: None, seed: 0 };
    let openings = choice.load(game).map_err(openings_error)?;
    if arguments.json {
        let positions: Vec<String> = openings.positions().iter().map(|p| p.to_string()).collect();
        let suite = arguments.suite.to_string();
        writeln!(out, "{}", json!({ "kind": "openings", "suite": suite, "positions": positions }))?;
        return Ok(());
    }
    for position in openings.positions() {
        writeln!(out, "{position}")?;
    }
    Ok(())
}

/// The openings that a verb plays from and how many games of them.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// plies:K, random:N,plies=K,seed=S or a file of positions or lines
    #[arg(long, value_name = "SUITE", default_value = "plies:4")]
    openings: Suite,
    /// Games of a match, two an opening; fewer than the suite has are a seeded sample of it
    #[arg(long, value_name = "N")]
    games: Option<NonZeroUsize>,
    /// Seed of that sample
    #[arg(long, value_name = "N", default_value_t = 1, requires = "games")]
    seed: u64,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]
    #[arg(long, value_name = "GAME", default_value_t = AnyGame::default())]
    game: AnyGame,
    /// Rules of ayo: ayo [default], awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

impl Choice {
    /// The game that is played, with its rules.
    pub(crate) fn game(&self) -> anyhow::Result<AnyGame> {
        named(self.game, self.rules)
    }

    /// What was chosen.
    pub(crate) fn chosen(&self) -> OpeningsChoice {
        let (suite, games) = (self.openings.clone(), self.games.map(NonZeroUsize::get));
        OpeningsChoice { suite, games, seed: self.seed }
    }
}

/// A file of openings that cannot be read is a failure, anything else wrong usage.
pub(crate) fn openings_error(error: OpeningsChoiceError) -> anyhow::Error {
    match error {
        OpeningsChoiceError::Suite(OpeningsError::File(_) | OpeningsError::Line { .. }) => {
            error.into()
        }
        OpeningsChoiceError::Suite(error) => usage(error),
        error => usage(format!("--{error}")),
    }
}
