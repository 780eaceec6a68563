//! `ayo bestmove`: prints the move that a player chooses in a position.

use std::io::Write;

use anyhow::{Context, Result, bail};
use arena::player::{self, PlayableGame, Player, SpecError};
use clap::Args;
use mancala::game::{line, with_game};
use serde_json::json;

use crate::cli::game::Beginning;
use crate::play::view::in_seeds;
use crate::terminal::{leave_on_signals, print_json_line, shown, usage};

/// The default player. It uses the game's default weights, but it searches deeper than players do in training.
const DEFAULT_PLAYER: &str = "minimax:depth=9";

/// The default player of `ayo play` and `ayo uci`. Its limit is in nodes, not time, so its moves are reproducible.
pub(crate) const DEFAULT_ENGINE: &str = "engine:nodes=2000000,book=builtin";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    beginning: Beginning,
    /// Player that chooses the move [default: minimax:depth=9 with learned features; in kalah, with only the stores]
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_PLAYER, hide_default_value = true)]
    player: String,
    /// Also print the reasons for the move, for players that can explain their choice
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    leave_on_signals()?;
    with_game!(arguments.beginning.choice.game()?, game => choose(arguments, game, out))
}

fn choose<G: PlayableGame>(arguments: &Arguments, game: G, out: &mut dyn Write) -> Result<()> {
    let record = arguments.beginning.record(game)?;
    let mut player = build_player(&arguments.player, game)?;
    if let (Some(ending), Some(verdict)) = (record.ending(), record.verdict()) {
        bail!("{}: the game is over, {verdict} ({ending})", record.position());
    }
    let choice = player.choose(&record, &()).with_context(|| arguments.player.clone())?;
    let (pit, nodes) = (choice.pit.letter(record.to_move()), choice.nodes);
    let pv = line(&player.variation(&record, &choice));
    let explanation = arguments.explain.then(|| player.explanation(&record));
    if arguments.json {
        let score = choice.score.map(|score| score.0);
        let seed = player.seed_value();
        let mut best = json!({
            "kind": "move", "move": pit, "score": score, "seed": seed, "nodes": nodes, "pv": pv,
        });
        if let Some(reasons) = explanation {
            best["explanation"] = reasons.into();
        }
        return print_json_line(&best, out);
    }
    for reason in explanation.iter().flatten() {
        writeln!(out, "{}", shown(reason))?;
    }
    let score = choice.score.map_or("none".into(), |score| {
        // We don't convert the score if it's already in seeds.
        let seeds = in_seeds(score, player.seed_value().filter(|&value| value > 1));
        format!("{score}{}", seeds.map_or(String::new(), |seeds| format!(" ({seeds})")))
    });
    Ok(writeln!(out, "move {pit}  score {score}  nodes {nodes}  line {pv}")?)
}

pub(crate) fn build_player<G: PlayableGame>(spec: &str, game: G) -> Result<Box<dyn Player<G>>> {
    player::build_for(spec, game).map_err(spec_error)
}

/// Converts an error. An invalid specification becomes a usage error, but a damaged file or a failing engine doesn't.
pub(crate) fn spec_error(error: SpecError) -> anyhow::Error {
    if error.is_usage { usage(error) } else { error.into() }
}
