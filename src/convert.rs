//! `ayo convert`: converts positions and games between our own formats and the formats of other programs.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use arena::exchange::{Entry, Format, Terms, difference};
use clap::Args;
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, Notated, Side, with_game};
use mancala::store;

use crate::cli::game::{in_file, named};
use crate::terminal::{Text, counted, leave_on_signals, read_input, shown, usage, warn};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// File with positions or games; - reads standard input
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format of the input [default: by the file's extension]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of the output [default: by the extension of --output, else ayo]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Game, for files in ayo's own formats [default: the game named in a file from "ayo match", else ayo]
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    /// Rules of ayo, for files in its own formats [default: the rules named in a file from "ayo match", else ayo]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

const AFTER_HELP: &str = "\
FORMAT is ayo (.txt: one game per line, as read by \"ayo analyse\"), games (.jsonl: games as in a file from \"ayo match\"), \
fen or pgn (PlayStrategy's Oware), openspiel (.spiel: state strings of oware, and lines of actions), codingame (.cg: \
input and output of Oware Abapa, turn by turn) or kgp (boards and moves of the Kalah Game Protocol).

A warning names every game that another program's rules would end, continue or score differently. Another lists the \
information that the output format cannot contain.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    leave_on_signals()?;
    let from = format_of(arguments.from, Some(&arguments.file), "--from")?;
    let output = arguments.output.as_deref();
    let to = match (arguments.to, output) {
        (None, None) => Format::Ayo,
        (to, output) => format_of(to, output, "--to")?,
    };
    let input = read_input(&arguments.file)?;
    let game = game_of(arguments, from, to, &input)?;
    let text = with_game!(game, game => convert(arguments, game, [from, to], &input))?;
    match output {
        Some(path) => store::write_output(path, text.as_bytes())?,
        None => out.write_all(text.as_bytes())?,
    }
    Ok(())
}

fn format_of(format: Option<Format>, path: Option<&Path>, option: &str) -> Result<Format> {
    let path = path.filter(|_| format.is_none());
    let extension = path.and_then(Path::extension).map(|it| it.to_string_lossy().to_lowercase());
    let found = Format::ALL.into_iter().find(|it| extension.as_deref() == Some(it.extension()));
    format.or(found).ok_or_else(|| {
        let formats = Format::ALL.map(Format::name).join(", ");
        let path = path.map_or("-".into(), shown);
        usage(format!("{path}: unknown file extension: give {option}, one of {formats}"))
    })
}

/// Returns the game of the input. Fails if the options or the output format don't fit this game or its format.
fn game_of(arguments: &Arguments, from: Format, to: Format, input: &Text) -> Result<AnyGame> {
    let Arguments { game, rules, .. } = *arguments;
    let name = &input.name;
    let found = from.game(&input.text).map_err(|error| anyhow!("{name}: {error}"))?;
    let game = in_file(found, game, name)?;
    let is_foreign = |format: Format| format.kind().is_some();
    if let Some(rules) = rules.filter(|_| is_foreign(from) && is_foreign(to)) {
        let [from, to] = [from, to].map(Format::name);
        return Err(usage(format!("--rules {rules}: neither {from} nor {to} uses ayo's rules")));
    }
    if let Some(kind) = to.kind().filter(|kind| *kind != game.kind()) {
        let (to, name) = (to.name(), shown(&arguments.file));
        return Err(usage(format!(
            "--to {to} is a format for {kind}, but {name} contains {game} (see --game)"
        )));
    }
    if is_foreign(from) { Ok(game) } else { named(game, rules) }
}

fn convert<G: Notated + TryFrom<AnyGame> + PartialEq>(
    arguments: &Arguments,
    game: G,
    [from, to]: [Format; 2],
    input: &Text,
) -> Result<String> {
    let name = &input.name;
    let entries = from.read(game, &input.text).map_err(|error| anyhow!("{name}: {error}"))?;
    if entries.is_empty() {
        bail!("{name}: no positions or games");
    }
    let own = to.rules(game.into());
    let rules = arguments.rules.filter(|_| from.kind().is_some());
    let target: G = named(own, rules)?.try_into().ok().expect("rules do not change the game");
    let terms: [Terms<G>; 2] = [Terms { format: from, game }, Terms { format: to, game: target }];
    let (mut text, mut losses) = (String::new(), Vec::new());
    for (number, entry) in (1..).zip(&entries) {
        let what = entry.label.clone().unwrap_or_else(|| number.to_string());
        if let Some(reason) = difference(entry, &terms) {
            warn(format!("game {what}: {reason}"));
        }
        let (written, lost) = to.write(entry, number).map_err(|error| {
            anyhow!("{name}: game {what} cannot be written as {}: {error}", to.name())
        })?;
        text += &written;
        losses.extend(lost);
    }
    losses.sort_unstable();
    for lost in losses.chunk_by(|a, b| a == b) {
        let (places, lost) = (counted(lost.len() as u64, "time"), lost[0]);
        warn(format!("{} cannot contain {lost} ({places})", to.name()));
    }
    let has_stores = |entry: &Entry<G>| {
        Side::BOTH.iter().any(|&side| game.store(entry.record.opening(), side) > 0)
    };
    if from == Format::CodinGame && entries.iter().any(has_stores) {
        warn("codingame does not record captured seeds: each side was given half of them");
    }
    Ok(text)
}
