//! `ayo runs`: lists run folders.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use anyhow::Context;
use clap::Args;
use evolve::run::{CONFIGURATION, REPORT, RUNS, RunState, Status, Summary, argument};
use mancala::store::Lock;
use serde_json::{Value, json};

use super::strength::LastStrength;
use crate::terminal::{moment, print_json, shell, shell::program, shown, usage, without_empty};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder that contains the run folders
    #[arg(value_name = "DIR", default_value = RUNS)]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run_json(run: &Summary) -> Value {
    let provenance = run.champion.as_ref().and_then(|it| it.provenance.as_ref());
    let strength = LastStrength::of(run);
    let score = strength.as_ref().map(|it| it.score);
    let json = json!({
        "folder": run.path.display().to_string(),
        "state": run.state,
        "preset": run.settings.preset,
        "seed": run.settings.seed,
        "generation": run.generation,
        "generations": run.settings.generations,
        "champion_fitness": provenance.and_then(|it| it.fitness),
        "champion_strength": score.map(|it| it.score),
        "champion_strength_ci95": score.map(|it| it.score_ci95),
        "resume": shell::command(&run.next_arguments()),
        "error": run.error(),
        "strength_generation": strength.map(|it| it.generation),
        "report": report(&run.path).map(|it| it.display().to_string()),
    });
    without_empty(json, &["error", "report"])
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    let runs = if !folder.exists() && folder == Path::new(RUNS) {
        Vec::new()
    } else {
        Summary::all_in(folder).with_context(|| format!("cannot read {}", shown(folder)))?
    };
    if arguments.json {
        let listed = runs.iter().map(|(path, run)| match run {
            Ok(run) => run_json(run),
            Err(error) => json!({
                "folder": path.display().to_string(),
                "state": RunState::Damaged,
                "error": error.to_string(),
                "resume": doctor(path),
            }),
        });
        return print_json(&json!({ "kind": "runs", "runs": listed.collect::<Vec<_>>() }), out);
    }
    if runs.is_empty() {
        writeln!(out, "no runs in {}; start one with \"{} train\"", shown(folder), program())?;
        return Ok(());
    }
    let name = |path: &Path| shown(path.file_name().unwrap_or(path.as_os_str()));
    let widths = runs.iter().map(|(path, _)| name(path).chars().count());
    let wide = widths.max().unwrap_or(0).max("run".len());
    let row = |columns: [&str; 5]| {
        let [run, state, generation, strength, at] = columns;
        format!("{run:<wide$}  {state:<8}  {generation:>11}  {strength:<26}  {at}")
    };
    writeln!(out, "{}", row(["run", "state", "generation", "strength", "last trained"]))?;
    for (path, run) in &runs {
        // If no time was recorded, don't use the modification time of a file, because the files may be copies.
        let at = Status::read(path);
        let at = at.and_then(|it| UNIX_EPOCH.checked_add(Duration::from_secs(it.updated)));
        let (name, at) = (name(path), at.map_or("-".into(), moment));
        let (row, notes) = match run {
            Ok(run) => {
                let state = run.state.to_string();
                let notes = match run.state {
                    RunState::Stopped | RunState::Damaged => {
                        [run.error(), Some(shell::command(&run.next_arguments()))]
                    }
                    RunState::Running | RunState::Complete => [None, None],
                };
                (row([&name, &state, &generation(run), &strength(run), &at]), notes)
            }
            Err(error) => {
                let notes = [Some(error.to_string()), Some(doctor(path))];
                (row([&name, "damaged", "-", "-", &at]), notes)
            }
        };
        writeln!(out, "{row}")?;
        let report = report(path).map(|it| format!("report {}", shown(it)));
        for line in notes.into_iter().flatten().map(shown).chain(report) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

fn doctor(folder: &Path) -> String {
    shell::command(&["doctor", &argument(folder)])
}

fn report(folder: &Path) -> Option<PathBuf> {
    Some(folder.join(REPORT)).filter(|it| it.is_file())
}

/// Formats the finished generations and, unless the preset's time limit may end the run early, the requested number.
fn generation(run: &Summary) -> String {
    match run.settings.usual_time() {
        Some(_) if run.generation < run.settings.generations => run.generation.to_string(),
        _ => format!("{}/{}", run.generation, run.settings.generations),
    }
}

fn strength(run: &Summary) -> String {
    let limits = run.settings.limits();
    let text = |it: LastStrength| format!("{:.3} in {}, {limits}", it.score.score, it.generation);
    LastStrength::of(run).map_or("-".into(), text)
}

/// Returns the folder of the run in `populations` that is being trained. Fails unless there is exactly one.
pub(super) fn only_running() -> anyhow::Result<PathBuf> {
    let runs = std::fs::read_dir(RUNS).into_iter().flatten().flatten().map(|it| it.path());
    let runs = runs.filter(|it| it.join(CONFIGURATION).exists() && Lock::is_held(it));
    let runs: Vec<String> = runs.map(|it| it.to_string_lossy().into_owned()).collect();
    match runs.as_slice() {
        [folder] => Ok(folder.into()),
        [] => Err(usage(format!("missing run folder: no run in {RUNS} is being trained"))),
        all => Err(usage(format!("missing run folder: choose {}", all.join(", ")))),
    }
}
