//! Openings for games, and `ayo openings`, which lists them.

use std::fmt;
use std::io::Write;
use std::num::NonZeroUsize;

use arena::Suite;
use clap::Args;
use mancala::game::{Notated, with_game};
use serde_json::json;

use crate::analyse::bestmove::spec_error;
use crate::cli::game::GameChoice;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// plies:K, random:N,plies=K,seed=S or a file of positions or lines
    #[arg(value_name = "SUITE")]
    suite: Suite,
    #[command(flatten)]
    game: GameChoice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let suite = &arguments.suite;
    let game = arguments.game.game()?;
    let positions: Vec<String> = with_game!(game, game => {
        let positions = suite.openings(game).map_err(spec_error)?;
        positions.iter().map(ToString::to_string).collect()
    });
    if arguments.json {
        let suite = suite.to_string();
        writeln!(out, "{}", json!({ "kind": "openings", "suite": suite, "positions": positions }))?;
        return Ok(());
    }
    for position in positions {
        writeln!(out, "{position}")?;
    }
    Ok(())
}

/// A suite of openings, or a sample from it. Selections with equal texts always yield the same openings.
#[derive(Debug, Clone, Args)]
pub struct OpeningsChoice {
    /// plies:K, random:N,plies=K,seed=S or a file of positions or lines
    #[arg(long = "openings", value_name = "SUITE", default_value = "plies:4")]
    pub suite: Suite,
    /// Number of games in a match, two per opening; if the suite has more openings, a seeded sample is used
    #[arg(long, value_name = "N")]
    pub games: Option<NonZeroUsize>,
    /// Seed for the sample of openings that --games selects
    #[arg(long, value_name = "N", default_value_t = 1, requires = "games")]
    pub seed: u64,
}

impl OpeningsChoice {
    pub fn load<G: Notated>(&self, game: G) -> anyhow::Result<Vec<G::Position>> {
        self.suite.for_games(game, self.games, self.seed).map_err(spec_error)
    }
}

impl fmt::Display for OpeningsChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OpeningsChoice { suite, games, seed } = self;
        match games {
            None => write!(f, "{suite}"),
            Some(games) => write!(f, "{suite}, {games} games drawn with seed {seed}"),
        }
    }
}
