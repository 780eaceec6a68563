use std::io::Write;

use clap::Args;
use serde_json::{Value, json};

use super::numbers::joined;
use super::span::Span;
use mancala::endgame::cdg::pattern;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Numbers of seeds, 8 or 1..21, at most 1000000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1_000_000>)]
    seeds: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let found = arguments.seeds.numbers().map(|seeds| (seeds, pattern(seeds)));
    if arguments.json {
        let row = |(seeds, found): (u32, mancala::endgame::cdg::Pattern)| {
            let matching = found.beyond == 0;
            json!({ "seeds": seeds, "matching": matching, "periods": found.periods })
        };
        let rows: Vec<Value> = found.map(row).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-matching", "rows": rows }))?;
        return Ok(());
    }
    for (seeds, found) in found {
        match found.beyond {
            0 => writeln!(out, "{seeds:>5}  matching group number {}", found.group)?,
            _ => writeln!(out, "{seeds:>5}  period {}", joined(&found.periods, " or "))?,
        }
    }
    Ok(())
}
