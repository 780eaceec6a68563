use std::io::Write;

use clap::Args;
use serde_json::json;

use crate::cli::game::{Beginning, Task};
use mancala::game::{Notated, Record, perft};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Plies to count; a further move of the same side is a ply of its own
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    #[command(flatten)]
    beginning: Beginning,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Count(u32);

impl Task for Count {
    type Done = u64;

    fn with<G: Notated>(self, record: Record<G>) -> u64 {
        perft(record.game(), record.position(), self.0)
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let nodes = arguments.beginning.run(Count(arguments.depth))?;
    if arguments.json {
        writeln!(out, "{}", json!({ "kind": "perft", "depth": arguments.depth, "nodes": nodes }))?;
    } else {
        writeln!(out, "{nodes}")?;
    }
    Ok(())
}
