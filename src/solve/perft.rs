//! `ayo perft`: counts the lines of play to a given depth.

use std::io::Write;

use clap::Args;
use mancala::game::{perft, with_game};
use serde_json::json;

use crate::cli::game::Beginning;
use crate::terminal::print_json_line;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Depth in plies; when a side moves again, each of its moves counts as a ply
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    #[command(flatten)]
    beginning: Beginning,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let Arguments { depth, ref beginning, json } = *arguments;
    let nodes = with_game!(beginning.choice.game()?, game => {
        perft(&game, beginning.record(game)?.position(), depth)
    });
    if json {
        return print_json_line(&json!({ "kind": "perft", "depth": depth, "nodes": nodes }), out);
    }
    Ok(writeln!(out, "{nodes}")?)
}
