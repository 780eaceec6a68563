use std::io::Write;

use anyhow::bail;
use arena::player::PlayableGame;
use clap::Args;
use mancala::book::{BookFile, BookMove};
use mancala::game::{Record, Side, line, with_game};
use serde_json::json;

use crate::solve::book::source::Source;
use crate::terminal::error::usage;
use crate::terminal::shown;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Moves from the start: FfE, of ayo also "4S6, 4N6"
    #[arg(value_name = "LINE")]
    line: Option<String>,
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let file = arguments.source.open()?;
    with_game!(file.game(), game => show(arguments, file, game, out))
}

fn show<G: PlayableGame>(
    arguments: &Arguments,
    file: BookFile,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let book = file.book(game)?;
    let typed = arguments.line.as_deref().unwrap_or("");
    let record = match typed.trim() {
        "" => Ok(Record::new(game, Side::South)),
        text => game.read_line(text, Some(game.start(Side::South))),
    };
    let record =
        record.map_err(|error| usage(format!("invalid value '{typed}' for LINE: {error}")))?;
    let (position, side) = (record.position(), record.to_move());
    let Some(entry) = book.probe(position) else {
        bail!("position {position} is not in {}", shown(arguments.source.path()));
    };
    let best = entry.best();
    let moves = entry.moves();
    if arguments.json {
        let moves: Vec<_> = moves
            .iter()
            .map(|it| {
                let BookMove { pit, value, searched } = *it;
                json!({
                    "move": pit.letter(side),
                    "value": value.0,
                    "searched": searched.0,
                    "line": line(&entry.variation(pit)),
                })
            })
            .collect();
        let found = json!({
            "kind": "book-entry",
            "position": position.to_string(),
            "move": best.pit.letter(side),
            "value": best.value.0,
            "seed": book.terms().priorities.ply,
            "moves": moves,
        });
        writeln!(out, "{found}")?;
        return Ok(());
    }
    writeln!(out, "{position}, {side} to move")?;
    writeln!(out, "{:<6}{:>14}{:>8}{:>14}  line", "move", "value", "seeds", "searched")?;
    for it in moves {
        let (pit, value, searched) = (it.pit.letter(side), it.value.to_string(), it.searched);
        let seeds = f64::from(it.value.0) / f64::from(book.terms().priorities.ply);
        let seeds = if it.value.counts_plies() { String::new() } else { format!("{seeds:+.2}") };
        let line = line(&entry.variation(it.pit));
        writeln!(out, "{pit:<6}{value:>14}{seeds:>8}{:>14}  {line}", searched.to_string())?;
    }
    writeln!(out, "the book plays {}", best.pit.letter(side))?;
    Ok(())
}
