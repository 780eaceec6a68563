//! `ayo inspect`: describes a run folder, a checkpoint, weights, a layer or an opening book.

use std::cmp::Reverse;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use evolve::optimise::Chromosome;
use evolve::run::{
    Checkpoint, Draft, RunState, Settings, Summary, Trainer, against_panel, read_layers,
};
use mancala::book::{Book, BookFile};
use mancala::eval::{Layer, LayerError, SecondLayer, Weights};
use mancala::game::{Notated, with_game};
use mancala::store::{self, FrameError};
use serde_json::{Map, Value, json};

use super::strength::{Score, against, measured_json};
use crate::analyse::eval::load_weights;
use crate::terminal::{counted, print_json, shell, shown, without_empty};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folder, checkpoint, weights file, layer file or opening book
    #[arg(value_name = "DIR|FILE")]
    path: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Describes a file or folder. Damaged runs are described as well, but the exit code is nonzero.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path = &arguments.path;
    let mut is_damaged = false;
    let (json, mut text) = if path.is_dir() {
        let run = Summary::of(path)?;
        is_damaged = !run.damages.is_empty();
        let json = run_json(&run);
        (json.clone(), in_order(json, &run))
    } else {
        let is_framed = path.extension().is_some_and(|ending| ending == "ayo");
        let json = match is_framed {
            true => inspect_framed(path)?,
            false => weights_json(&load_weights(&path.to_string_lossy())?),
        };
        (json.clone(), json)
    };
    if arguments.json {
        print_json(&json, out)?;
    } else {
        let champion = if text["champion"].is_object() { &mut text["champion"] } else { &mut text };
        if let Some(Value::Array(weights)) = champion.get_mut("weights") {
            leave_out_small_units(weights);
        }
        print(&text, "", out)?;
    }
    Ok(if is_damaged { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

const SHOWN_UNITS: usize = 15;

/// Removes all hidden neurons (units) except those with the largest weights, and adds the number of those removed.
fn leave_out_small_units(weights: &mut Vec<Value>) {
    let is_unit = |it: &Value| it["meaning"].as_str().is_some_and(|it| it.starts_with("unit "));
    let (mut units, others): (Vec<_>, Vec<_>) = weights.drain(..).partition(is_unit);
    if units.len() > SHOWN_UNITS {
        units.sort_by_key(|it| Reverse(it["effective"].as_i64().map(i64::abs)));
        let rest = counted(units.split_off(SHOWN_UNITS).len() as u64, "smaller unit");
        units.push(rest.into());
    }
    weights.extend(units.into_iter().chain(others));
}

fn run_json(run: &Summary) -> Value {
    let json = json!({
        "kind": "run",
        "folder": run.path.display().to_string(),
        "state": run.state,
        "generation": run.generation,
        "settings": by_name(&run.settings),
        "champion": run.champion.as_ref().map(weights_json),
        "measured": run.measurements().last().map(measured_json),
        "findings": run.findings(&shell::quoted(&run.argument())),
        "error": run.error(),
        "resume": shell::command(&run.next_arguments()),
    });
    without_empty(json, &["measured", "findings", "error"])
}

/// Describes a checkpoint. The champion is included if it isn't a member of the population. `generations` is omitted,
/// because it doesn't affect the population.
fn checkpoint_json(trainer: &Trainer) -> Value {
    let last = trainer.last().expect("a checkpoint holds a generation");
    let mut settings = by_name(trainer.settings());
    settings.shift_remove("generations");
    let coding = trainer.settings().coding();
    let member = |(member, fitness): (&Chromosome, &u64)| {
        let weights = coding.encoding.decode(member);
        json!({ "chromosome": member.to_hex(), "fitness": fitness, "weights": weights })
    };
    let members: Vec<Value> = last.members.iter().zip(&last.fitness).map(member).collect();
    let leader = trainer.current_champion().filter(|it| !last.members.contains(&it.chromosome));
    let leader = leader.map(|it| {
        json!({ "chromosome": it.chromosome.to_hex(), "weights": coding.decode(&it.chromosome) })
    });
    let json = json!({
        "kind": "checkpoint",
        "generation": last.generation,
        "games_asked": last.games_asked,
        "games_played": last.games_played,
        "settings": settings,
        "members": members,
        "leader": leader,
    });
    without_empty(json, &["leader"])
}

/// Describes weights: the stored values and the values that a search uses.
pub(crate) fn weights_json(weights: &Weights) -> Value {
    let features = weights.features();
    let each = features.features().iter().zip(weights.values()).zip(weights.effective());
    let each = each.map(|((feature, weight), effective)| {
        let (name, meaning) = (feature.name(), feature.meaning());
        json!({ "feature": name, "weight": weight, "effective": effective, "meaning": meaning })
    });
    let score = Score::mean(against_panel(&weights.strength));
    let json = json!({
        "kind": "weights",
        "name": weights.name,
        "signs": weights.signs().to_string(),
        "layer": features.layer().map(|layer| layer_json(layer)),
        "weights": each.collect::<Vec<_>>(),
        "provenance": weights.provenance,
        "score": score.map(|it| it.score),
        "score_ci95": score.map(|it| it.score_ci95),
        "strength": against(&weights.strength),
    });
    without_empty(json, &["layer", "score", "score_ci95", "strength"])
}

/// Describes a layer of learned features, in which each position activates one input per group.
fn layer_json(layer: &Layer) -> Value {
    let json = json!({
        "kind": "layer",
        "game": layer.game().name(),
        "units": layer.units(),
        "second_layer": layer.second_layer().map(SecondLayer::neurons),
        "phases": layer.phases().count(),
        "inputs": Layer::inputs(layer.game()),
        "hash": layer.hash(),
    });
    without_empty(json, &["second_layer"])
}

/// Describes an opening book, including the costs that determine which lines it contains.
fn book_json<G: Notated>(book: &Book<G>) -> Value {
    let ((word, text), terms) = (book.game().description(), book.settings());
    json!({
        "kind": "book-file",
        "game": format!("{word} {text}"),
        "player": terms.player,
        "seed": terms.priorities.ply,
        "own": terms.priorities.own,
        "opponent": terms.priorities.opponent,
        "expanded": book.expanded(),
        "positions": book.positions(),
        "checksum": format!("{:08x}", book.checksum()),
    })
}

/// Returns the settings by name. Values in `run.toml` also happen to be valid JSON, so we parse them as such.
fn by_name(settings: &Settings) -> Map<String, Value> {
    let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    settings.entries().into_iter().map(|it| (it.name.to_owned(), value(it.value))).collect()
}

/// Moves the settings to the end of a run's description. Settings that differ from the preset come before the others.
fn in_order(json: Value, run: &Summary) -> Value {
    let Value::Object(mut fields) = json else { unreachable!("a run is an object") };
    fields.shift_remove("settings");
    let preset = &run.settings.preset;
    let of_preset = Draft::preset(preset).and_then(Draft::finish);
    let of_preset = of_preset.map(|settings| by_name(&settings)).unwrap_or_default();
    let named = by_name(&run.settings).into_iter().filter(|(name, _)| name != "preset");
    let (own, shared): (Map<_, _>, Map<_, _>) =
        named.partition(|(name, value)| of_preset.get(name) != Some(value));
    // A running or complete run needs no command to resume it.
    let needs_command = matches!(run.state, RunState::Stopped | RunState::Damaged);
    let next = fields.shift_remove("resume").filter(|_| needs_command);
    fields.extend(next.map(|it| ("next".into(), it)));
    fields.insert("preset".into(), preset.as_str().into());
    fields.insert("settings of its own".into(), own.into());
    fields.insert("settings of the preset".into(), shared.into());
    fields.into()
}

fn inspect_framed(path: &Path) -> anyhow::Result<Value> {
    let bytes = store::read(path)?;
    if BookFile::is_book(&bytes) {
        let file = BookFile::of_bytes(&bytes, path)?;
        return with_game!(file.game(), game => Ok(book_json(&file.book(game)?)));
    }
    match Layer::decode(&bytes) {
        Ok(layer) => Ok(layer_json(&layer)),
        Err(LayerError::Frame(FrameError::Kind { .. } | FrameError::Magic)) => {
            inspect_checkpoint(path, &bytes)
        }
        Err(error) => Err(anyhow!("{}: the file {error}", shown(path))),
    }
}

fn inspect_checkpoint(path: &Path, bytes: &[u8]) -> anyhow::Result<Value> {
    let name = shown(path);
    let checkpoint = Checkpoint::decode(bytes);
    let checkpoint = checkpoint.map_err(|error| anyhow!("{name}: the file {error}"))?;
    let mut settings = checkpoint.settings().map_err(|error| anyhow!("{name}: {error}"))?;
    read_layers(path.parent().unwrap_or(Path::new("")), &mut settings)?;
    let trainer = Trainer::restore(settings, checkpoint);
    let trainer = trainer.map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(checkpoint_json(&trainer))
}

/// Prints an object as indented lines, and a list of flat objects with one line per object.
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

/// Returns whether a field is the confidence interval of another field. We print the two together.
fn is_interval(name: &str) -> bool {
    name.ends_with("_ci95")
}

/// Formats a field with its interval (if it has one), e.g. `0.871 (0.848 to 0.894)`.
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
