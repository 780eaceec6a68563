use std::io::Write;

use clap::Args;
use serde_json::{Value, json};

use super::numbers::joined;
use mancala::endgame::cdg::{harvestable, is_cdg, remainder, row};
use mancala::game::Side;
use mancala::game::ayo::Position;

#[derive(Debug, Args)]
#[group(required = true, multiple = false, id = "what")]
pub(super) struct Given {
    /// Position, of which both rows are looked at
    #[arg(long, value_name = "P")]
    position: Option<Position>,
    /// A row of any length, the pit nearest to the opponent first: 2,2,1,3,5,7
    #[arg(long, value_name = "ROW", value_delimiter = ',')]
    vector: Option<Vec<u32>>,
}

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    given: Given,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let rows = rows(&arguments.given);
    if arguments.json {
        let rows: Vec<Value> = rows.iter().map(json).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-distance", "rows": rows }))?;
        return Ok(());
    }
    for (name, row) in &rows {
        let found = remainder(row);
        let left = format!("remainder {}  distance {}", joined(&found.r, " "), found.distance);
        let cdg = if is_cdg(row) { "a CDG vector" } else { "no CDG vector" };
        let pit = harvestable(row).map_or("none".into(), |pit| pit.to_string());
        writeln!(out, "{name}: {}  {left}  {cdg}  pit to harvest {pit}", joined(row, " "))?;
    }
    Ok(())
}

fn rows(given: &Given) -> Vec<(String, Vec<u32>)> {
    let side = |position: &Position, side| (format!("{side}"), row(position, side));
    let both = given.position.iter().flat_map(|p| [side(p, Side::South), side(p, Side::North)]);
    both.chain(given.vector.iter().map(|row| ("row".into(), row.clone()))).collect()
}

fn json((name, row): &(String, Vec<u32>)) -> Value {
    let found = remainder(row);
    json!({
        "name": name,
        "row": row,
        "remainder": found.r,
        "distance": found.distance,
        "cdg": is_cdg(row),
        "harvest": harvestable(row),
    })
}
