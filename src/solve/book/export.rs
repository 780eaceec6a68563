use std::io::Write;

use arena::player::PlayableGame;
use clap::{Args, ValueEnum};
use mancala::book::{Book, BookFile, Entry};
use mancala::game::{line, with_game};
use serde_json::{Map, json};

use crate::solve::book::source::Source;
use crate::terminal::output::print_json;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Format
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Json,
}

/// Writes the positions in the order in which they were expanded.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let file = arguments.source.open()?;
    with_game!(file.game(), game => export(arguments, file, game, out))
}

fn export<G: PlayableGame>(
    arguments: &Arguments,
    file: BookFile,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let book = file.book(game)?;
    match arguments.format {
        Format::Csv => csv(&book, out),
        Format::Json => json(&book, out),
    }
}

fn csv<G: PlayableGame>(book: &Book<G>, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "line,position,move,value,searched,best")?;
    for entry in book.entries() {
        let (position, best, line) = (entry.position(), entry.best().pit, line(&entry.line()));
        for it in entry.moves() {
            let pit = it.pit.letter(book.game().to_move(position));
            let (value, searched, best) = (it.value.0, it.searched.0, u8::from(it.pit == best));
            writeln!(out, "{line},{position},{pit},{value},{searched},{best}")?;
        }
    }
    Ok(())
}

fn json<G: PlayableGame>(book: &Book<G>, out: &mut dyn Write) -> anyhow::Result<()> {
    let position = |entry: Entry<'_, G>| {
        let side = book.game().to_move(entry.position());
        let moves = entry.moves().into_iter();
        let moves: Map<_, _> =
            moves.map(|it| (it.pit.letter(side).into(), json!(it.value.0))).collect();
        let best = entry.best().pit.letter(side);
        let (line, position) = (line(&entry.line()), entry.position().to_string());
        json!({ "line": line, "position": position, "best": best, "moves": moves })
    };
    let (word, text) = book.game().terms();
    let terms = book.terms();
    let (player, seed) = (&terms.player, terms.priorities.ply);
    let positions: Vec<_> = book.entries().map(position).collect();
    print_json(
        &json!({ "kind": "book", word: text, "player": player, "seed": seed, "positions": positions }),
        out,
    )
}
