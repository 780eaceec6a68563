//! `ayo eval`: prints the features and the score of a position.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use arena::player::PlayableGame;
use clap::Args;
use mancala::eval::{self, LoadError, Signs, Weights};
use mancala::game::{AnyGame, Feature, GameKind, Side, with_game};
use serde_json::{Value, json};

use crate::cli::game::Beginning;
use crate::terminal::{Text, print_json_line, read_input, shown, usage};
use crate::train::report::print_strength;
use crate::train::strength::against;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    beginning: Beginning,
    /// Named weights, features joined by +, a weights file or a run folder [default: reference; in kalah, stores]
    #[arg(long, value_name = "NAME|FILE|DIR")]
    weights: Option<String>,
    /// Interpret the weights as signed or literal, overriding the file
    #[arg(long)]
    signs: Option<Signs>,
    /// Evaluate the positions in a file, one per line; - reads standard input. Lines starting with # are ignored
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["position", "line"])]
    positions: Option<PathBuf>,
    /// Print JSON, one object per position
    #[arg(long)]
    json: bool,
}

/// The value, weight and product of each feature in a position, from the point of view of the side to move.
struct Evaluation {
    values: Vec<i32>,
    weights: Vec<i32>,
    products: Vec<i32>,
    score: i64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    with_game!(arguments.beginning.choice.game()?, game => show(arguments, game, out))
}

fn show<G: PlayableGame>(arguments: &Arguments, game: G, out: &mut dyn Write) -> Result<()> {
    let kind = Into::<AnyGame>::into(game).kind();
    let weights = weights_of(kind, arguments.weights.as_deref().unwrap_or(G::SHOWN))?;
    let signs = arguments.signs.unwrap_or(weights.signs());
    let weights = weights.with_signs(signs);
    if let Some(file) = &arguments.positions {
        return evaluate_all(&weights, game, file, arguments.json, out);
    }
    let record = arguments.beginning.record(game)?;
    let (position, me) = (record.position(), record.to_move());
    let evaluation = evaluation::<G>(&weights, position, me);
    if arguments.json {
        return print_json_line(&evaluation.json(&weights), out);
    }
    let features = weights.features().features();
    writeln!(out, "{position}, {me} to move, weights {}", shown(&weights.name))?;
    let wide = name_width(features.iter().map(|feature| feature.name()));
    writeln!(out, "{:<wide$}{:>5} {:>8}{:>10}", "", "value", "weight", "product")?;
    for (index, feature) in features.iter().enumerate() {
        let value = evaluation.values[index];
        // Skip pit-count features that are zero, i.e. those whose pit holds a different number of seeds.
        if matches!(feature, Feature::PitCount(_)) && value == 0 {
            continue;
        }
        let (name, meaning) = (feature.name(), feature.meaning());
        let (weight, product) = (evaluation.weights[index], evaluation.products[index]);
        writeln!(out, "{name:<wide$}{value:>5} {weight:>8}{product:>10}  {meaning}")?;
    }
    writeln!(out, "{:<wide$}{:>24}", "score", evaluation.score)?;
    if !weights.strength.is_empty() {
        let generation = weights.provenance.as_ref().map(|it| it.generation);
        let of = generation.map_or("these weights".into(), |it| format!("generation {it}"));
        writeln!(out, "strength of {of} (95 % interval)")?;
    }
    print_strength(&weights.strength, out)
}

fn evaluation<G: PlayableGame>(weights: &Weights, position: &G::Position, me: Side) -> Evaluation {
    let features = weights.features();
    let (values, effective) =
        (features.values::<G>(position, me), weights.effective_in::<G>(position));
    let products: Vec<i32> =
        values.iter().zip(&effective).map(|(value, weight)| value * weight).collect();
    let score = products.iter().map(|&product| i64::from(product)).sum();
    Evaluation { score, values, weights: effective, products }
}

impl Evaluation {
    fn json(&self, weights: &Weights) -> Value {
        let features = weights.features();
        let names: Vec<&str> = features.features().iter().map(|feature| feature.name()).collect();
        let score = self.score;
        let mut json = json!({ "kind": "evaluation", "features": self.values, "names": names, "score": score });
        if let Some(layer) = features.layer() {
            json["layer"] = layer.hash().into();
        }
        if !weights.strength.is_empty() {
            json["strength"] = against(&weights.strength);
        }
        json["weights"] = json!(self.weights);
        json["products"] = json!(self.products);
        json
    }
}

fn evaluate_all<G: PlayableGame>(
    weights: &Weights,
    game: G,
    file: &Path,
    json: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let Text { name, text } = read_input(file)?;
    for (line, number) in text.lines().zip(1..) {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let position =
            game.read_position(text).map_err(|error| anyhow!("{name} line {number}: {error}"))?;
        let evaluation = evaluation::<G>(weights, &position, game.to_move(&position));
        match json {
            true => print_json_line(&evaluation.json(weights), out)?,
            false => writeln!(out, "{position} {}", evaluation.score)?,
        }
    }
    Ok(())
}

pub(crate) fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| name.len() + 1).fold(5, usize::max)
}

/// Loads the weights named by an argument. An unknown name is a usage error.
pub(crate) fn load_weights(name: &str) -> Result<Weights> {
    eval::load(name).map_err(|error| match error {
        LoadError::Unknown(_) => usage(error),
        _ => error.into(),
    })
}

/// Loads weights and checks that they are for this game.
pub(crate) fn weights_of(game: GameKind, name: &str) -> Result<Weights> {
    let weights = load_weights(name)?;
    match weights.features().game() {
        own if own == game => Ok(weights),
        other => Err(usage(format!(
            "{name} has features for {other}, not for {game}: use --game {other}"
        ))),
    }
}
