use std::io::Write;
use std::iter::successors;

use clap::Args;
use mancala::endgame::cdg::Situation;
use serde_json::{Map, Value, json};

use super::super::usage;
use super::numbers::joined;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Row of table 3.5: odd, its seeds and the opponent's move; even, one seed more and the move of the
    /// side that captures
    row: u32,
    /// Pits a side
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=99))]
    pits: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn situation(&self) -> anyhow::Result<Situation> {
        Situation::of_row(self.row, self.pits.into()).map_err(usage)
    }
}

/// Draws one row.
pub(super) fn position(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let situation = arguments.situation()?;
    if arguments.json {
        let mut found = json!({ "kind": "cdg-board" });
        found.as_object_mut().into_iter().for_each(|it| it.extend(fields(&situation)));
        writeln!(out, "{found}")?;
        return Ok(());
    }
    let (above, below) = rows(&situation);
    let wide = |row: &[u32]| row.iter().map(|seeds| format!("{seeds:>4}")).collect::<String>();
    writeln!(out, "Y {}", wide(&above.into_iter().rev().collect::<Vec<_>>()))?;
    writeln!(out, "X {}", wide(&below))?;
    let mover = if situation.opponent_moves() { "Y" } else { "X" };
    writeln!(out, "{mover} moves a pit of {}", situation.played())?;
    if let Some(position) = situation.position() {
        writeln!(out, "{position}")?;
    }
    Ok(())
}

/// Lists a row and all that follow.
pub(super) fn play(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let boards: Vec<_> = successors(Some(arguments.situation()?), Situation::next).collect();
    let sequence: Vec<u32> = boards.iter().map(Situation::played).collect();
    if arguments.json {
        let rows: Vec<Value> = boards.iter().map(|it| fields(it).into()).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-boards", "rows": rows, "sequence": sequence }))?;
        return Ok(());
    }
    writeln!(out, "{:>4}  X, nearest to Y last | Y, nearest to X first", "n")?;
    for board in &boards {
        let (y, x) = rows(board);
        writeln!(out, "{:>4}  {} | {}", board.row(), joined(&x, " "), joined(&y, " "))?;
    }
    writeln!(out, "sequence {}", joined(&sequence, ","))?;
    Ok(())
}

/// Y's row and X's, both in the order of sowing.
fn rows(situation: &Situation) -> (Vec<u32>, Vec<u32>) {
    let below: Vec<u32> = situation.vector().iter().rev().copied().collect();
    let at = if situation.opponent_moves() { 0 } else { 1 };
    // A single pit a side has no second one on the board; the theory asks for one.
    let above = (0..below.len().max(2)).map(|pit| u32::from(pit == at)).collect();
    (above, below)
}

fn fields(situation: &Situation) -> Map<String, Value> {
    let (y, x) = rows(situation);
    let fields = [
        ("n", json!(situation.row())),
        ("x", json!(x)),
        ("y", json!(y)),
        ("to_move", json!(if situation.opponent_moves() { "Y" } else { "X" })),
        ("played", json!(situation.played())),
        ("position", json!(situation.position().map(|position| position.to_string()))),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
