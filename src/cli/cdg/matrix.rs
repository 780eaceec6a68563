use std::io::Write;

use anyhow::anyhow;
use clap::Args;
use serde_json::{Value, json};

use super::super::usage;
use super::span::Span;
use crate::study::cdg::{Blocks, Law, Payoffs, Reading, blocks, broken};
use mancala::endgame::cdg::Situation;
use mancala::game::ayo::Position;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Rows of table 3.5, 15 or 1..21
    #[arg(value_name = "N..M", required_unless_present = "position", value_parser = Span::up_to::<21>)]
    rows: Option<Span>,
    /// Position: pits A-F and a-f, South's store, North's, side to move, joined by -
    #[arg(long, value_name = "P", conflicts_with = "rows")]
    position: Option<Position>,
    /// Leave moves out that are not legal, and hold captures to the golden rule; without it empty pits pass the turn
    /// and a capture may take the whole row, as in figure 3.11
    #[arg(long)]
    legal: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The payoff of a move and a reply is what the side to move captures, less what its opponent captures after that \
(thesis, 3.4). Figure 3.11 is row 15. Theorem 1 says that such a matrix has no saddle point: a payoff that is the \
least of its row and the most of its column.";

/// Payoff matrices, and whether they have a saddle point.
pub(super) fn matrix(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let reading = if arguments.legal { Reading::Legal } else { Reading::Passing };
    let mut found = Vec::new();
    for position in positions(arguments)? {
        let payoffs = Payoffs::of(&position, reading);
        if !arguments.json {
            print(&position, &payoffs, out)?;
        }
        found.push(json!({
            "position": position.to_string(),
            "payoffs": payoffs.cells,
            "maximin": payoffs.maximin(),
            "minimax": payoffs.minimax(),
            "saddle": payoffs.saddle(),
        }));
    }
    if arguments.json {
        writeln!(out, "{}", json!({ "kind": "cdg-matrix", "matrices": found }))?;
    }
    Ok(())
}

fn positions(arguments: &Arguments) -> anyhow::Result<Vec<Position>> {
    if let Some(position) = arguments.position {
        return Ok(vec![position]);
    }
    let rows = arguments.rows.iter().flat_map(|span| span.numbers());
    let of_row = |row| {
        let position = Situation::of_row(row, 6).map_err(usage)?.position();
        position.ok_or_else(|| anyhow!("row {row} has no position"))
    };
    rows.map(of_row).collect()
}

fn print(position: &Position, payoffs: &Payoffs, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{position}")?;
    for row in payoffs.cells {
        let cell = |cell: Option<i32>| cell.map_or("    ·".into(), |it| format!("{it:>5}"));
        writeln!(out, "{}", row.map(cell).join(""))?;
    }
    let (low, high) = (payoffs.maximin(), payoffs.minimax());
    let saddle = if payoffs.saddle() { "a saddle point" } else { "no saddle point" };
    writeln!(out, "maximin {low}, minimax {high}: {saddle}")?;
    Ok(())
}

#[derive(Debug, Args)]
pub(super) struct BlocksArguments {
    /// Pits a side, 16 or 1..26, at most 200
    #[arg(value_name = "N..M", value_parser = Span::up_to::<200>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The matrix of figure 3.12.
pub(super) fn list_blocks(arguments: &BlocksArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let found: Vec<Blocks> = arguments.pits.numbers().map(blocks).collect();
    if arguments.json {
        let row = |it: &crate::study::cdg::Block| json!({ "pit": it.pit, "times": it.times, "entries": it.entries });
        let of = |it: &Blocks| {
            let rows: Vec<Value> = it.rows.iter().map(row).collect();
            json!({ "n": it.pits, "rows": rows, "x": it.sums() })
        };
        writeln!(
            out,
            "{}",
            json!({ "kind": "cdg-blocks", "boards": found.iter().map(of).collect::<Vec<_>>() })
        )?;
        return Ok(());
    }
    for it in &found {
        writeln!(
            out,
            "n = {}: {} blocks, entries of pit 1 first, times k",
            it.pits,
            it.rows.len()
        )?;
        let line =
            |numbers: &[i64]| numbers.iter().map(|it| format!("{it:>5}")).collect::<String>();
        for block in &it.rows {
            writeln!(out, "k {:>3} {}", block.times, line(&block.entries))?;
        }
        writeln!(out, "x     {}", line(&it.sums()))?;
    }
    Ok(())
}

#[derive(Debug, Args)]
pub(super) struct LawArguments {
    /// Pits a side, 1..200, at most 1000
    #[arg(value_name = "N..M", value_parser = Span::up_to::<1000>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Propositions I to IV, board by board.
pub(super) fn laws(arguments: &LawArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let Span { first, last } = arguments.pits;
    let found = Law::ALL.map(|law| (law, broken(law, first..=last)));
    if arguments.json {
        let row = |(law, broken): &(Law, Option<crate::study::cdg::Broken>)| json!({ "proposition": law.says(), "holds": broken.is_none(), "fails_at": broken.map(|it| it.pits) });
        let rows: Vec<Value> = found.iter().map(row).collect();
        writeln!(
            out,
            "{}",
            json!({ "kind": "cdg-propositions", "checked": [first, last], "rows": rows })
        )?;
        return Ok(());
    }
    for (law, broken) in found {
        let said = broken.map_or("holds".into(), |it| format!("fails for n = {}", it.pits));
        writeln!(out, "{}: {said} for n from {first} to {last}", law.says())?;
    }
    Ok(())
}
