use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use serde_json::{Value, json};

use super::eval::load_weights;
use crate::run::{Checkpoint, Precision, Settings, Summary, Trainer};
use mancala::eval::Weights;
use mancala::store;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folder, checkpoint or weights file
    #[arg(value_name = "DIR|FILE")]
    path: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A damaged run is told of and is a failure.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path = &arguments.path;
    let is_run = path.is_dir();
    let is_checkpoint = path.extension().is_some_and(|ending| ending == "ayo");
    let found = if is_run {
        of_run(&Summary::of(path)?)
    } else if is_checkpoint {
        of_checkpoint(path)?
    } else {
        of_weights(&load_weights(&path.display().to_string())?)
    };
    if arguments.json {
        writeln!(out, "{found:#}")?;
    } else {
        print(&found, "", out)?;
    }
    Ok(if found.get("error").is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn of_run(run: &Summary) -> Value {
    let mut found = json!({
        "kind": "run",
        "folder": run.path.display().to_string(),
        "state": run.state.to_string(),
        "generation": run.generation,
        "settings": settings_as_json(&run.settings),
        "champion": run.champion.as_ref().map(of_weights),
    });
    let measurements = run.measurements();
    if let Some(last) = measurements.last() {
        found["measured"] = json!({ "generation": last.generation, "strength": last.against });
        if let Some(Precision { optimal, seeds_lost, tables }) = last.precision {
            let tables = format!("{tables:08x}");
            found["measured"]["precision"] =
                json!({ "optimal": optimal, "seeds_lost": seeds_lost, "tables": tables });
        }
    }
    let findings = run.findings();
    if !findings.is_empty() {
        found["findings"] = json!(findings);
    }
    if !run.damages.is_empty() {
        found["error"] = run.damages.join("; ").into();
    }
    found
}

fn of_checkpoint(path: &Path) -> anyhow::Result<Value> {
    let name = path.display();
    let checkpoint = Checkpoint::decode(&store::read(path)?);
    let checkpoint = checkpoint.map_err(|error| anyhow!("{name}: the file {error}"))?;
    let settings = checkpoint.settings().map_err(|error| anyhow!("{name}: {error}"))?;
    let trainer = Trainer::restore(settings, checkpoint);
    let trainer = trainer.map_err(|error| anyhow!("{name}: {error}"))?;
    let last = trainer.last().expect("a checkpoint holds a generation");
    let mut settings = settings_as_json(trainer.settings());
    // A checkpoint does not hold what the run was asked for.
    settings.as_object_mut().expect("settings are an object").shift_remove("generations");
    let members: Vec<Value> = last
        .members
        .iter()
        .zip(&last.fitness)
        .map(|(member, fitness)| {
            let weights = trainer.coding().encoding().decode(member);
            json!({ "chromosome": member.to_hex(), "fitness": fitness, "weights": weights })
        })
        .collect();
    let mut found = json!({
        "kind": "checkpoint",
        "generation": last.generation,
        "games_asked": last.games_asked,
        "games_played": last.games_played,
        "settings": settings,
        "members": members,
    });
    // A leader that is no member would be missing.
    if let Some(leader) = trainer.leader().filter(|it| !last.members.contains(&it.candidate)) {
        let weights = trainer.coding().decode(&leader.candidate);
        found["leader"] = json!({ "chromosome": leader.candidate.to_hex(), "weights": weights });
    }
    Ok(found)
}

fn of_weights(weights: &Weights) -> Value {
    let features = weights.features().features().iter();
    let each = features.zip(weights.values()).zip(weights.effective());
    let each = each.map(|((feature, weight), effective)| {
        let meaning = feature.meaning();
        let name = feature.name();
        json!({ "feature": name, "weight": weight, "effective": effective, "meaning": meaning })
    });
    let mut found = json!({
        "kind": "weights",
        "name": weights.name,
        "signs": weights.signs().to_string(),
        "weights": each.collect::<Vec<_>>(),
        "provenance": weights.provenance,
    });
    if !weights.strength.is_empty() {
        found["strength"] = json!(weights.strength);
    }
    found
}

/// Settings as `run.toml` has them; its values are JSON too.
fn settings_as_json(settings: &Settings) -> Value {
    let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    settings.entries().into_iter().map(|it| (it.name.to_owned(), value(it.value))).collect()
}

/// An object as indented lines; a list of flat objects as a line each.
fn print(value: &Value, indent: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let Value::Object(fields) = value else {
        writeln!(out, "{indent}{}", inline(value))?;
        return Ok(());
    };
    for (name, field) in fields {
        match field {
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
            _ => writeln!(out, "{indent}{name}: {}", inline(field))?,
        }
    }
    Ok(())
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(inline).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, field)| format!("{name} {}", inline(field)));
            fields.collect::<Vec<_>>().join("  ")
        }
        other => other.to_string(),
    }
}
