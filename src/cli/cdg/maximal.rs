use std::io::Write;

use clap::Args;
use serde_json::{Value, json};

use super::numbers::joined;
use super::span::Span;
use mancala::endgame::cdg::maximal;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Pits a side, 6 or 1..26, at most 1000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1000>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let found = arguments.pits.numbers().map(|n| (n, maximal(n as usize)));
    if arguments.json {
        let rows: Vec<Value> = found.map(|(n, x)| json!({ "n": n, "x": x })).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-maximal", "rows": rows }))?;
        return Ok(());
    }
    writeln!(out, "{:>4}  x, nearest to the opponent first", "n")?;
    for (n, vector) in found {
        writeln!(out, "{n:>4}  {}", joined(&vector, " "))?;
    }
    Ok(())
}
