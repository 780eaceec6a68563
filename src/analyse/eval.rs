use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use arena::player::PlayableGame;
use clap::Args;
use mancala::eval::{self, LoadError, Signs, Weights};
use mancala::game::{AnyGame, Feature, GameKind, Side, with_game};

use crate::analyse::position::Evaluation;
use crate::cli::champion::say_strength;
use crate::cli::game::Beginning;
use crate::results::against;
use crate::terminal::error::usage;
use crate::terminal::input::{Text, read};
use crate::terminal::output::print_json_line;
use crate::terminal::shown;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    beginning: Beginning,
    /// Named weights, features joined by +, a weights file or a run folder [default: reference; in kalah
    /// stores]
    #[arg(long, value_name = "NAME|FILE|DIR")]
    weights: Option<String>,
    /// Read the weights as signed or literal, whatever they say themselves
    #[arg(long)]
    signs: Option<Signs>,
    /// Value every position of a file, one a line, in place of one; - reads standard input. Lines that begin with # are
    /// ignored
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["position", "line"])]
    positions: Option<PathBuf>,
    /// Print JSON, an object a position
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    with_game!(arguments.beginning.game()?, game => show(arguments, game, out))
}

fn show<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let kind = Into::<AnyGame>::into(game).kind();
    let weights = weights_of(kind, arguments.weights.as_deref().unwrap_or(G::SHOWN))?;
    let signs = arguments.signs.unwrap_or(weights.signs());
    let weights = weights.with_signs(signs);
    if let Some(file) = &arguments.positions {
        return value_all(&weights, game, file, arguments.json, out);
    }
    let record = arguments.beginning.record(game)?;
    let (position, me) = (record.position(), record.to_move());
    let evaluation = evaluation::<G>(&weights, position, me);
    if arguments.json {
        return print_json_line(&evaluation, out);
    }
    let Evaluation { features: values, weights: effective, score, .. } = evaluation;
    let features = weights.features().features();
    writeln!(out, "{position}, {me} to move, weights {}", shown(&weights.name))?;
    let wide = name_width(features.iter().map(|feature| feature.name()));
    writeln!(out, "{:<wide$}{:<38}{:>5} {:>8}{:>10}", "", "", "value", "weight", "product")?;
    // Of what a pit may hold, what it does hold is of interest.
    let idle = |feature: &Feature, value| matches!(feature, Feature::Holds(_)) && value == 0;
    let terms = features.iter().zip(values).zip(effective);
    for ((feature, value), weight) in terms.filter(|((it, value), _)| !idle(it, *value)) {
        let (name, meaning, product) = (feature.name(), feature.meaning(), value * weight);
        writeln!(out, "{name:<wide$}{meaning:<38}{value:>5} {weight:>8}{product:>10}")?;
    }
    writeln!(out, "{:<wide$}{:<38}{:>24}", "", "score", score)?;
    if !weights.strength.is_empty() {
        let generation = weights.provenance.as_ref().map(|it| it.generation);
        let of = generation.map_or("these weights".into(), |it| format!("generation {it}"));
        writeln!(out, "strength of {of} (95 % interval)")?;
    }
    say_strength(&against(&weights.strength), out)
}

/// What weights make of a position, from the view of one side.
fn evaluation<G: PlayableGame>(weights: &Weights, position: &G::Position, me: Side) -> Evaluation {
    let features = weights.features();
    let (values, effective) =
        (features.values::<G>(position, me), weights.effective_in::<G>(position));
    let products: Vec<i32> =
        values.iter().zip(&effective).map(|(value, weight)| value * weight).collect();
    Evaluation {
        score: products.iter().sum(),
        features: values,
        names: features.features().iter().map(|feature| feature.name().to_owned()).collect(),
        layer: features.layer().map(|layer| layer.hash().to_owned()),
        strength: against(&weights.strength),
        weights: effective,
        products,
    }
}

/// Prints a line for every position of a file: the position and its score, or an object.
fn value_all<G: PlayableGame>(
    weights: &Weights,
    game: G,
    file: &Path,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Text { name, text } = read(file)?;
    for (line, number) in text.lines().zip(1..) {
        let written = line.trim();
        if written.is_empty() || written.starts_with('#') {
            continue;
        }
        let position = game
            .read_position(written)
            .map_err(|error| anyhow!("{name} line {number}: {error}"))?;
        let evaluation = evaluation::<G>(weights, &position, game.to_move(&position));
        match json {
            true => print_json_line(&evaluation, out)?,
            false => writeln!(out, "{position} {}", evaluation.score)?,
        }
    }
    Ok(())
}

/// The width of a column of features' names.
pub(crate) fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    const USUAL: usize = 5;
    names.map(|name| name.len() + 1).fold(USUAL, usize::max)
}

/// Weights that the user named. An unknown name is wrong usage, a file that cannot be read a failure.
pub(crate) fn load_weights(name: &str) -> anyhow::Result<Weights> {
    eval::load(name).map_err(|error| match error {
        LoadError::Unknown(_) => usage(error),
        _ => error.into(),
    })
}

/// As [`load_weights`], of features of this game.
pub(crate) fn weights_of(game: GameKind, name: &str) -> anyhow::Result<Weights> {
    let weights = load_weights(name)?;
    match weights.features().game() {
        of if of == game => Ok(weights),
        other => Err(usage(format!("{name} weighs features of {other}, not of {game}"))),
    }
}
