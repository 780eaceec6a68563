use std::io::Write;

use clap::Args;
use serde_json::json;

use super::opening::Opening;
use crate::game::perft;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Plies to count
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    #[command(flatten)]
    opening: Opening,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let record = arguments.opening.record()?;
    let nodes = perft(record.game(), record.position(), arguments.depth);
    if arguments.json {
        writeln!(out, "{}", json!({ "depth": arguments.depth, "nodes": nodes }))?;
    } else {
        writeln!(out, "{nodes}")?;
    }
    Ok(())
}
