use std::io::Write;

use anyhow::bail;
use clap::Args;
use serde_json::{Map, json};

use crate::solve::endgame::tables::{Choice, caution};
use crate::terminal::meter::counted;
use crate::terminal::shown;
use mancala::game::Side;
use mancala::game::ayo::Position;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Position: pits A-F and a-f, South's store, North's, side to move, joined by -
    #[arg(long, value_name = "P")]
    position: Position,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Says what a position and each of its moves bring the side to move.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let tables = arguments.choice.open()?;
    let position = &arguments.position;
    let seeds: u8 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
    tables.check_reached(seeds)?;
    let (Some(value), Some(moves)) = (tables.probe(position), tables.moves(position)) else {
        let (folder, most) = (shown(tables.folder()), tables.most_seeds());
        let there = counted(seeds.into(), "seed");
        bail!(
            "position {position} has {there} on the board, the tables in {folder} at most {most}"
        );
    };
    let side = position.to_move();
    let moves = moves.into_iter().map(|(pit, value)| (pit.letter(side), value));
    if arguments.json {
        let moves: Map<_, _> = moves.map(|(pit, value)| (pit.into(), json!(value))).collect();
        let (rules, proven) = (tables.rules().to_string(), tables.proven());
        let found = json!({ "kind": "probe", "value": value, "moves": moves, "rules": rules, "proven": proven });
        writeln!(out, "{found}")?;
        return Ok(());
    }
    writeln!(out, "rules {}", tables.rules())?;
    if let Some(caution) = caution(&tables) {
        writeln!(out, "{caution}")?;
    }
    writeln!(out, "{side} to move gets {value:+} of the seeds left")?;
    for (pit, value) in moves {
        writeln!(out, "  {pit} {value:>+4}")?;
    }
    Ok(())
}
