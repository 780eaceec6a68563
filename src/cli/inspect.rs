use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use serde_json::{Map, Value};

use super::print_json;
use crate::analyse::eval::load_weights;
use crate::results::{
    InspectedBook, InspectedCheckpoint, InspectedLayer, InspectedRun, InspectedWeights, Inspection,
    settings_of_preset,
};
use crate::terminal::{shell, shown};
use evolve::run::{Checkpoint, Summary, Trainer, read_layers};
use mancala::book::BookFile;
use mancala::eval::{Layer, LayerError};
use mancala::game::with_game;
use mancala::store::{self, FrameError};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folder, checkpoint, weights file, file of a layer or opening book
    #[arg(value_name = "DIR|FILE")]
    path: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A damaged run is described, and the exit code is that of a failure.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path = &arguments.path;
    let is_run = path.is_dir();
    let is_framed = path.extension().is_some_and(|ending| ending == "ayo");
    let found = if is_run {
        let run = Summary::of(path)?;
        let resume = shell::command(&run.next_arguments());
        Inspection::Run(Box::new(InspectedRun::new(&run, resume)))
    } else if is_framed {
        framed(path)?
    } else {
        let weights = load_weights(&path.to_string_lossy())?;
        Inspection::Weights(Box::new(InspectedWeights::from(&weights)))
    };
    if arguments.json {
        print_json(&found, out)?;
    } else if let Inspection::Run(run) = &found {
        print(&in_order(run)?, "", out)?;
    } else {
        print(&serde_json::to_value(&found)?, "", out)?;
    }
    Ok(if found.is_damaged() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A run as people ask about it: how far it is, what came of it, how it differs from others of its preset, and last
/// what it shares with them.
fn in_order(run: &InspectedRun) -> anyhow::Result<Value> {
    let Value::Object(mut fields) = serde_json::to_value(run)? else { unreachable!("a struct") };
    let settings = fields.shift_remove("settings");
    let preset = settings.as_ref().and_then(|it| it.get("preset")?.as_str()).unwrap_or_default();
    let usual = settings_of_preset(preset).unwrap_or_default();
    let named = run.settings.clone().into_iter().filter(|(name, _)| name != "preset");
    let (own, shared): (Map<_, _>, Map<_, _>) =
        named.partition(|(name, value)| usual.get(name) != Some(value));
    // A run that is running or complete needs no command.
    let resume = fields.shift_remove("resume").filter(|_| run.state == "stopped");
    fields.extend(resume.map(|it| ("go on with".into(), it)));
    fields.insert("preset".into(), preset.into());
    fields.insert("settings of its own".into(), own.into());
    fields.insert("settings of the preset".into(), shared.into());
    Ok(fields.into())
}

/// What a framed file holds: a book, a layer or else a checkpoint.
fn framed(path: &Path) -> anyhow::Result<Inspection> {
    let bytes = store::read(path)?;
    if BookFile::is_begun_by(&bytes) {
        let file = BookFile::of_bytes(&bytes, path)?;
        let book = with_game!(file.game(), game => InspectedBook::from(&file.book(game)?));
        return Ok(Inspection::Book(book));
    }
    match Layer::decode(&bytes) {
        Ok(layer) => Ok(Inspection::Layer(InspectedLayer::from(&layer))),
        Err(LayerError::Frame(FrameError::Kind { .. } | FrameError::Magic)) => {
            Ok(Inspection::Checkpoint(Box::new(checkpoint(path, &bytes)?)))
        }
        Err(error) => Err(anyhow!("{}: the file {error}", shown(path))),
    }
}

fn checkpoint(path: &Path, bytes: &[u8]) -> anyhow::Result<InspectedCheckpoint> {
    let name = shown(path);
    let checkpoint = Checkpoint::decode(bytes);
    let checkpoint = checkpoint.map_err(|error| anyhow!("{name}: the file {error}"))?;
    let mut settings = checkpoint.settings().map_err(|error| anyhow!("{name}: {error}"))?;
    read_layers(path.parent().unwrap_or(Path::new("")), &mut settings)?;
    let trainer = Trainer::restore(settings, checkpoint);
    let trainer = trainer.map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(InspectedCheckpoint::from(&trainer))
}

/// An object as indented lines; a list of flat objects as a line each.
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

/// Whether a field is the interval of another, behind which it is shown.
fn is_interval(name: &str) -> bool {
    name.ends_with("_ci95")
}

/// A field, and its interval if it has one: `0.871 (0.848 to 0.894)`.
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
            let said = own.map(|(name, it)| format!("{name} {}", with_interval(name, it, fields)));
            said.collect::<Vec<_>>().join("  ")
        }
        other => other.to_string(),
    }
}

/// A figure with no more digits than it deserves, but with all of a round one: `0.8713`, `12.5`, `3.0`.
fn as_shown(figure: f64) -> String {
    let digits = format!("{figure:.4}");
    let short = digits.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_stands_with_its_interval_and_without_noise() {
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
