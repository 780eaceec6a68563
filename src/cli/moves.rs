use std::io::Write;

use anyhow::{Context, bail};
use arena::player::{self, PlayableGame, Player, SpecError};
use clap::Args;
use mancala::endgame::TablesError;
use mancala::eval::LoadError;
use mancala::game::{line, with_game};

use super::game::Beginning;
use super::{print_json_line, usage};
use crate::results::ChosenMove;
use crate::terminal::interrupt::leave_on_signals;
use crate::terminal::shown;

/// The player if none is named: the usual weights of the game, searched deeper than in training.
pub(super) const DEFAULT_PLAYER: &str = "minimax:depth=9";

/// The player of games and of conversations if none is named: what it plays can be repeated.
pub(super) const DEFAULT_ENGINE: &str = "engine:nodes=2000000,book=builtin";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    beginning: Beginning,
    /// Player that chooses [default: minimax:depth=9 with learned features; with the stores alone in kalah]
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_PLAYER, hide_default_value = true)]
    player: String,
    /// Print why, for players that have other reasons than a score
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    leave_on_signals()?;
    with_game!(arguments.beginning.game()?, game => choose(arguments, game, out))
}

fn choose<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let record = arguments.beginning.record(game)?;
    let mut player = build_player(&arguments.player, game)?;
    if let (Some(ending), Some(verdict)) = (record.ending(), record.verdict()) {
        bail!("{}: the game is over, {verdict} ({ending})", record.position());
    }
    let choice = player.choose(&record, &()).with_context(|| arguments.player.clone())?;
    let found = ChosenMove {
        pit: choice.pit.letter(record.to_move()),
        score: choice.score.map(|score| score.0),
        nodes: choice.nodes,
        pv: line(&player.variation(&record, &choice)),
        explanation: arguments.explain.then(|| player.explanation(&record)),
    };
    if arguments.json {
        return print_json_line(&found, out);
    }
    for reason in found.explanation.iter().flatten() {
        writeln!(out, "{}", shown(reason))?;
    }
    let score = choice.score.map_or("none".into(), |score| score.to_string());
    let ChosenMove { pit, nodes, pv, .. } = found;
    writeln!(out, "move {pit}  score {score}  nodes {nodes}  line {pv}")?;
    Ok(())
}

/// The player of a specification, for some game.
pub(super) fn build_player<G: PlayableGame>(
    spec: &str,
    game: G,
) -> anyhow::Result<Box<dyn Player<G>>> {
    player::build_for(spec, game).map_err(player_error)
}

/// Specifications that cannot be read and tables of other rules are wrong usage. Damaged weights or tables
/// and engines that do not work are failures.
pub(super) fn player_error(error: SpecError) -> anyhow::Error {
    match error {
        SpecError::Weights { error: ref cause, .. } if matches!(**cause, LoadError::Unknown(_)) => {
            usage(error)
        }
        SpecError::Tables { error: TablesError::Rules { .. }, .. } => usage(error),
        SpecError::Weights { .. }
        | SpecError::Tables { .. }
        | SpecError::Memory { .. }
        | SpecError::Engine(_) => error.into(),
        _ => usage(error),
    }
}
