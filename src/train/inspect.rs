//! `ayo inspect`: describes a run folder, a checkpoint or a file of weights.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use evolve::optimise::Chromosome;
use evolve::run::{Checkpoint, Draft, RunState, Settings, Summary, Trainer, read_layers};
use mancala::book::{Book, BookFile};
use mancala::eval::{Layer, LayerError, Provenance, Weights};
use mancala::game::{Notated, with_game};
use mancala::store::{self, FrameError};
use serde::Serialize;
use serde_json::{Map, Value};

use super::strength::{AgainstOpponent, Measured, against};
use crate::analyse::eval::load_weights;
use crate::terminal::output::{joined, print_json};
use crate::terminal::{shell, shown};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folder, checkpoint, weights file, file of a layer or opening book
    #[arg(value_name = "DIR|FILE")]
    path: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Describes a damaged run as well, but with the exit code of a failure.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path = &arguments.path;
    let is_framed = path.extension().is_some_and(|ending| ending == "ayo");
    let (json, text, is_damaged) = if path.is_dir() {
        let run = InspectedRun::of(&Summary::of(path)?);
        let json = serde_json::to_value(&run)?;
        (json.clone(), in_order(json, &run), run.error.is_some())
    } else {
        let json = if is_framed {
            inspect_framed(path)?
        } else {
            let weights = load_weights(&path.to_string_lossy())?;
            serde_json::to_value(InspectedWeights::from(&weights))?
        };
        (json.clone(), json, false)
    };
    if arguments.json {
        print_json(&json, out)?;
    } else {
        print(&text, "", out)?;
    }
    Ok(if is_damaged { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A run folder.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "run")]
struct InspectedRun {
    folder: String,
    state: RunState,
    /// Generations on disk.
    generation: u32,
    settings: Map<String, Value>,
    champion: Option<InspectedWeights>,
    /// The last measurement.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
    /// Warnings, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<String>,
    /// Damages.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The command that continues the run.
    resume: String,
}

/// A checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "checkpoint")]
struct InspectedCheckpoint {
    generation: u32,
    games_asked: u64,
    /// Games that were not cached.
    games_played: u64,
    /// The settings without the number of requested generations.
    settings: Map<String, Value>,
    members: Vec<InspectedMember>,
    /// The leader, if it is not a member.
    #[serde(skip_serializing_if = "Option::is_none")]
    leader: Option<InspectedLeader>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct InspectedMember {
    chromosome: String,
    fitness: u64,
    /// The genes.
    weights: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct InspectedLeader {
    chromosome: String,
    /// All weights, including fixed ones.
    weights: Vec<i64>,
}

/// A file of weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "weights")]
pub(crate) struct InspectedWeights {
    name: String,
    signs: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<InspectedLayer>,
    weights: Vec<InspectedWeight>,
    provenance: Option<Provenance>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    strength: Vec<AgainstOpponent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct InspectedWeight {
    feature: String,
    /// The weight in the file.
    weight: i32,
    /// The weight in a search.
    effective: i32,
    meaning: String,
}

/// A layer of learned features.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "layer")]
struct InspectedLayer {
    game: &'static str,
    /// Number of hidden neurons.
    units: usize,
    /// Number of phases of a game with their own output weights.
    phases: usize,
    /// Number of inputs, of which a position activates one per group.
    inputs: usize,
    /// SHA-256.
    hash: String,
}

/// An opening book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "book-file")]
pub(crate) struct InspectedBook {
    /// `rules awari`, `game kalah`.
    pub(crate) game: String,
    /// The player that evaluated the positions.
    player: String,
    /// Value of a seed in the scores.
    seed: u32,
    /// Price of a seed that the player with the book gives away.
    own: u16,
    /// Price of a seed that the opponent gives away.
    opponent: u16,
    /// Number of positions with known moves.
    pub(crate) expanded: usize,
    /// Number of evaluated positions.
    positions: usize,
    /// Checksum, as eight hexadecimal digits.
    checksum: String,
}

impl<G: Notated> From<&Book<G>> for InspectedBook {
    fn from(book: &Book<G>) -> InspectedBook {
        let ((word, text), terms) = (book.game().terms(), book.terms());
        InspectedBook {
            game: format!("{word} {text}"),
            player: terms.player.clone(),
            seed: terms.priorities.ply,
            own: terms.priorities.own,
            opponent: terms.priorities.opponent,
            expanded: book.expanded(),
            positions: book.positions(),
            checksum: format!("{:08x}", book.checksum()),
        }
    }
}

impl From<&Layer> for InspectedLayer {
    fn from(layer: &Layer) -> InspectedLayer {
        InspectedLayer {
            game: layer.game().name(),
            units: layer.units(),
            phases: layer.phases().count(),
            inputs: Layer::inputs(layer.game()),
            hash: layer.hash().into(),
        }
    }
}

impl InspectedRun {
    fn of(run: &Summary) -> InspectedRun {
        InspectedRun {
            folder: run.path.display().to_string(),
            state: run.state,
            generation: run.generation,
            settings: by_name(&run.settings),
            champion: run.champion.as_ref().map(InspectedWeights::from),
            measured: run.measurements().last().map(Measured::from),
            findings: run.findings(),
            error: joined(&run.damages),
            resume: shell::command(&run.next_arguments()),
        }
    }
}

impl From<&Trainer> for InspectedCheckpoint {
    fn from(trainer: &Trainer) -> InspectedCheckpoint {
        let last = trainer.last().expect("a checkpoint holds a generation");
        let mut settings = by_name(trainer.settings());
        settings.shift_remove("generations");
        let encoding = trainer.coding().encoding();
        let member = |(member, &fitness): (&Chromosome, &u64)| InspectedMember {
            chromosome: member.to_hex(),
            fitness,
            weights: encoding.decode(member),
        };
        let leader = trainer.leader().filter(|it| !last.members.contains(&it.candidate));
        InspectedCheckpoint {
            generation: last.generation,
            games_asked: last.games_asked,
            games_played: last.games_played,
            settings,
            members: last.members.iter().zip(&last.fitness).map(member).collect(),
            leader: leader.map(|leader| InspectedLeader {
                chromosome: leader.candidate.to_hex(),
                weights: trainer.coding().decode(&leader.candidate),
            }),
        }
    }
}

impl From<&Weights> for InspectedWeights {
    fn from(weights: &Weights) -> InspectedWeights {
        let features = weights.features().features().iter();
        let each = features.zip(weights.values()).zip(weights.effective());
        let each = each.map(|((feature, &weight), effective)| InspectedWeight {
            feature: feature.name().to_owned(),
            weight,
            effective,
            meaning: feature.meaning().to_owned(),
        });
        InspectedWeights {
            name: weights.name.clone(),
            signs: weights.signs().to_string(),
            layer: weights.features().layer().map(|layer| InspectedLayer::from(&**layer)),
            weights: each.collect(),
            provenance: weights.provenance.clone(),
            strength: against(&weights.strength),
        }
    }
}

/// Returns settings as `run.toml` has them; its values are valid JSON.
fn by_name(settings: &Settings) -> Map<String, Value> {
    let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    settings.entries().into_iter().map(|it| (it.name.to_owned(), value(it.value))).collect()
}

/// Orders the description of a run for people: progress, results, settings that differ from the preset, and last the
/// settings of the preset.
fn in_order(json: Value, run: &InspectedRun) -> Value {
    let Value::Object(mut fields) = json else { unreachable!("a struct") };
    fields.shift_remove("settings");
    let preset = run.settings.get("preset").and_then(Value::as_str).unwrap_or_default();
    let of_preset = Draft::preset(preset).and_then(Draft::finish);
    let of_preset = of_preset.map(|settings| by_name(&settings)).unwrap_or_default();
    let named = run.settings.clone().into_iter().filter(|(name, _)| name != "preset");
    let (own, shared): (Map<_, _>, Map<_, _>) =
        named.partition(|(name, value)| of_preset.get(name) != Some(value));
    // A running or complete run needs no command.
    let resume = fields.shift_remove("resume").filter(|_| run.state == RunState::Stopped);
    fields.extend(resume.map(|it| ("continue with".into(), it)));
    fields.insert("preset".into(), preset.into());
    fields.insert("settings of its own".into(), own.into());
    fields.insert("settings of the preset".into(), shared.into());
    fields.into()
}

/// Describes a framed file: a book, a layer or a checkpoint.
fn inspect_framed(path: &Path) -> anyhow::Result<Value> {
    let bytes = store::read(path)?;
    if BookFile::is_begun_by(&bytes) {
        let file = BookFile::of_bytes(&bytes, path)?;
        let book = with_game!(file.game(), game => InspectedBook::from(&file.book(game)?));
        return Ok(serde_json::to_value(book)?);
    }
    match Layer::decode(&bytes) {
        Ok(layer) => Ok(serde_json::to_value(InspectedLayer::from(&layer))?),
        Err(LayerError::Frame(FrameError::Kind { .. } | FrameError::Magic)) => {
            Ok(serde_json::to_value(inspect_checkpoint(path, &bytes)?)?)
        }
        Err(error) => Err(anyhow!("{}: the file {error}", shown(path))),
    }
}

fn inspect_checkpoint(path: &Path, bytes: &[u8]) -> anyhow::Result<InspectedCheckpoint> {
    let name = shown(path);
    let checkpoint = Checkpoint::decode(bytes);
    let checkpoint = checkpoint.map_err(|error| anyhow!("{name}: the file {error}"))?;
    let mut settings = checkpoint.settings().map_err(|error| anyhow!("{name}: {error}"))?;
    read_layers(path.parent().unwrap_or(Path::new("")), &mut settings)?;
    let trainer = Trainer::restore(settings, checkpoint);
    let trainer = trainer.map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(InspectedCheckpoint::from(&trainer))
}

/// Prints an object as indented lines, and a list of flat objects as a line each.
fn print(value: &Value, indent: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let Value::Object(fields) = value else {
        writeln!(out, "{indent}{}", inline(value))?;
        return Ok(());
    };
    for (name, field) in fields.iter().filter(|(name, _)| !is_interval(name)) {
        match field {
            Value::Object(fields) if fields.is_empty() => writeln!(out, "{indent}{name}: none")?,
            Value::Object(_) => {
                writeln!(out, "{indent}{name}:")?;
                print(field, &format!("{indent}  "), out)?;
            }
            Value::Array(items) if name == "findings" || items.iter().any(Value::is_object) => {
                writeln!(out, "{indent}{name}:")?;
                for item in items {
                    writeln!(out, "{indent}  {}", inline(item))?;
                }
            }
            Value::Null => {}
            _ => writeln!(out, "{indent}{name}: {}", with_interval(name, field, fields))?,
        }
    }
    Ok(())
}

/// Returns whether a field is the interval of another, which is printed after it.
fn is_interval(name: &str) -> bool {
    name.ends_with("_ci95")
}

/// Formats a field with its interval if it has one: `0.871 (0.848 to 0.894)`.
fn with_interval(name: &str, field: &Value, fields: &Map<String, Value>) -> String {
    match fields.get(&format!("{name}_ci95")).and_then(Value::as_array).map(Vec::as_slice) {
        Some([low, high]) => format!("{} ({} to {})", inline(field), inline(low), inline(high)),
        _ => inline(field),
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "none".into(),
        Value::String(text) => shown(text),
        Value::Number(number) if number.is_f64() => as_shown(number.as_f64().unwrap_or_default()),
        Value::Array(items) => items.iter().map(inline).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let own = fields.iter().filter(|(name, _)| !is_interval(name));
            let pairs = own.map(|(name, it)| format!("{name} {}", with_interval(name, it, fields)));
            pairs.collect::<Vec<_>>().join("  ")
        }
        other => other.to_string(),
    }
}

/// Rounds a number to four decimals: `0.8713`, `12.5`, `3.0`.
fn as_shown(figure: f64) -> String {
    let digits = format!("{figure:.4}");
    let short = digits.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_rounded_and_printed_with_its_interval() {
        let run = serde_json::json!({
            "score": 0.871_250_000_000_000_1, "score_ci95": [0.848_351_6, 0.894], "own": {}, "parent": "",
            "strength": [{ "opponent": "greedy", "score": 0.5, "score_ci95": [0.25, 0.75] }],
        });
        let mut out = Vec::new();
        print(&run, "", &mut out).unwrap();
        let expected = "score: 0.8713 (0.8484 to 0.894)\nown: none\nparent: none\nstrength:\n  \
                        opponent greedy  score 0.5 (0.25 to 0.75)\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!([1.0, -2.5, 0.000_01].map(as_shown), ["1.0", "-2.5", "0.0"]);
    }
}
