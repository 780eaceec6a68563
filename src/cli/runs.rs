use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};

use super::{program, shell};
use crate::app::train::RUNS;
use crate::run::{FolderError, RunState, Summary};
use mancala::eval::{Provenance, mean_strength};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder that the run folders are in
    #[arg(value_name = "DIR", default_value = RUNS)]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    let default_and_missing = !folder.exists() && folder == Path::new(RUNS);
    let runs = if default_and_missing {
        Vec::new()
    } else {
        Summary::all_in(folder).with_context(|| format!("cannot read {}", folder.display()))?
    };
    if arguments.json {
        let runs: Vec<Value> = runs.iter().map(|(path, run)| as_json(path, run)).collect();
        writeln!(out, "{:#}", json!({ "runs": runs }))?;
        return Ok(());
    }
    if runs.is_empty() {
        writeln!(out, "no runs in {}; begin one with \"{} train\"", folder.display(), program())?;
    }
    for (path, run) in &runs {
        match run {
            Ok(run) => writeln!(out, "{}", as_text(run))?,
            Err(error) => writeln!(out, "{:<32} damaged   {error}", path.display())?,
        }
    }
    Ok(())
}

fn as_text(run: &Summary) -> String {
    let (done, all) = (run.generation, run.settings.generations);
    let champion = run.champion.as_ref().and_then(|champion| champion.provenance.as_ref());
    let strength = run.champion.as_ref().and_then(|champion| mean_strength(&champion.strength));
    let champion = match champion {
        Some(champion) if let Some((score, margin)) = strength => {
            format!(
                "strength {score:.3} ±{margin:.3}, champion of generation {}",
                champion.generation
            )
        }
        Some(Provenance { fitness: Some(fitness), .. }) => {
            format!("champion {fitness} of {}", run.settings.best_possible_fitness())
        }
        Some(champion) => format!("champion of generation {}", champion.generation),
        None if run.damages.is_empty() => "no champion yet".into(),
        None => "no champion".into(),
    };
    let next = match run.state {
        RunState::Stopped => format!("  {} {}", program(), shell::typed(&run.resume_arguments())),
        RunState::Damaged => format!("  {}", run.damages.join("; ")),
        RunState::Running | RunState::Complete => String::new(),
    };
    let path = run.path.display().to_string();
    format!("{path:<32} {:<9} {done:>6}/{all:<6} {champion}{next}", run.state)
}

fn as_json(path: &Path, run: &Result<Summary, FolderError>) -> Value {
    match run {
        Ok(run) => {
            let champion = run.champion.as_ref().and_then(|champion| champion.provenance.as_ref());
            let mut found = json!({
                "folder": path.display().to_string(),
                "state": run.state.to_string(),
                "preset": run.settings.preset,
                "seed": run.settings.seed,
                "generation": run.generation,
                "generations": run.settings.generations,
                "champion_fitness": champion.and_then(|champion| champion.fitness),
                "champion_strength": run.champion.as_ref().and_then(|champion| {
                    mean_strength(&champion.strength).map(|(score, _)| score)
                }),
                "resume": format!("{} {}", program(), shell::typed(&run.resume_arguments())),
            });
            if !run.damages.is_empty() {
                found["error"] = run.damages.join("; ").into();
            }
            found
        }
        Err(error) => json!({
            "folder": path.display().to_string(),
            "state": "damaged",
            "error": error.to_string(),
        }),
    }
}
