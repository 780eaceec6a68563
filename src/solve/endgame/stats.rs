use std::io::Write;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::solve::endgame::tables::{Choice, caution};
use crate::terminal::meter::{counted, grouped};
use mancala::endgame::{Census, Tables, census};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let tables = arguments.choice.open()?;
    let layers = census(&tables)?;
    if arguments.json {
        writeln!(out, "{:#}", json(&tables, &layers))?;
        return Ok(());
    }
    writeln!(out, "rules {}", tables.rules())?;
    if let Some(caution) = caution(&tables) {
        writeln!(out, "{caution}")?;
    }
    for layer in &layers {
        let seeds = counted(layer.seeds.into(), "seed");
        writeln!(out, "\n{seeds}: {}", counted(layer.positions(), "position"))?;
        for &(value, count) in &layer.counts {
            let share = 100.0 * count as f64 / layer.positions() as f64;
            writeln!(out, "  {value:>3} {:>15} {share:>6.2}%", grouped(count))?;
        }
    }
    Ok(())
}

fn json(tables: &Tables, layers: &[Census]) -> Value {
    let layer = |layer: &Census| {
        let counts = layer.counts.iter().map(|(value, count)| (value.to_string(), json!(count)));
        let counts: Map<String, Value> = counts.collect();
        json!({ "seeds": layer.seeds, "positions": layer.positions(), "counts": counts })
    };
    json!({
        "kind": "census",
        "rules": tables.rules().to_string(),
        "proven": tables.proven(),
        "layers": layers.iter().map(layer).collect::<Vec<_>>(),
    })
}
