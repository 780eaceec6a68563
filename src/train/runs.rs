use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use anyhow::Context;
use clap::Args;

use crate::terminal::output::print_json;
use crate::terminal::shell::program;
use crate::terminal::{shell, shown};
use crate::train::pages::changed;
use crate::train::result_runs::{ListedRun, RunAtAGlance, Runs, UnreadableRun};
use crate::train::strength::LastStrength;
use evolve::run::{FolderError, RUNS, RunState, Summary};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder that the run folders are in
    #[arg(value_name = "DIR", default_value = RUNS)]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    let default_and_missing = !folder.exists() && folder == Path::new(RUNS);
    let runs = if default_and_missing {
        Vec::new()
    } else {
        Summary::all_in(folder).with_context(|| format!("cannot read {}", shown(folder)))?
    };
    if arguments.json {
        let runs = runs.iter().map(|(path, run)| listed(path, run)).collect();
        return print_json(&Runs { runs }, out);
    }
    if runs.is_empty() {
        writeln!(out, "no runs in {}; begin one with \"{} train\"", shown(folder), program())?;
    }
    let names: Vec<String> = runs.iter().map(|(path, _)| name(path)).collect();
    let wide = names.iter().map(|it| it.chars().count()).max().unwrap_or(0).max("run".len());
    let head = Row {
        state: "state",
        generation: "generation".into(),
        strength: "strength".into(),
        changed: "changed",
    };
    writeln!(out, "{:<wide$}  {head}", "run")?;
    for ((path, run), name) in runs.iter().zip(&names) {
        let day = day_of(path);
        let (row, below) = match run {
            Ok(run) => row(run, &day),
            Err(error) => (unreadable(&day), Some(shown(error.to_string()))),
        };
        writeln!(out, "{name:<wide$}  {row}")?;
        if let Some(below) = below {
            writeln!(out, "  {below}")?;
        }
    }
    Ok(())
}

/// A line of the table, without the name.
struct Row<'a> {
    state: &'a str,
    generation: String,
    /// With the generation that was measured.
    strength: String,
    changed: &'a str,
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { state, generation, strength, changed } = self;
        write!(f, "{state:<8}  {generation:>11}  {strength:<12}  {changed}")
    }
}

/// A run in a line, and what is to be said below it: how to go on, or what is damaged.
fn row<'a>(run: &Summary, changed: &'a str) -> (Row<'a>, Option<String>) {
    let (done, all) = (run.generation, run.settings.generations);
    let strength = LastStrength::of(run);
    let (state, below) = match run.state {
        RunState::Stopped => ("stopped", Some(shell::command(&run.next_arguments()))),
        RunState::Damaged => ("damaged", Some(shown(run.damages.join("; ")))),
        RunState::Running => ("running", None),
        RunState::Complete => ("complete", None),
    };
    // Where time ends a run, how many generations it asks for says nothing.
    let is_timed = run.settings.usual_time().is_some();
    let generation = if is_timed { done.to_string() } else { format!("{done}/{all}") };
    let strength =
        strength.map_or("-".into(), |it| format!("{:.3} in {}", it.score.score, it.generation));
    (Row { state, generation, strength, changed }, below)
}

fn unreadable(changed: &str) -> Row<'_> {
    Row { state: "damaged", generation: "-".into(), strength: "-".into(), changed }
}

/// The name of a run inside the folder that is listed.
fn name(path: &Path) -> String {
    shown(path.file_name().unwrap_or(path.as_os_str()))
}

/// The day on which something in a folder was last written, in universal time.
fn day_of(folder: &Path) -> String {
    let written = UNIX_EPOCH + Duration::from_secs(changed(folder));
    humantime::format_rfc3339_seconds(written).to_string().chars().take(10).collect()
}

fn listed(path: &Path, run: &Result<Summary, FolderError>) -> ListedRun {
    match run {
        Ok(run) => {
            let resume = shell::command(&run.next_arguments());
            ListedRun::Readable(Box::new(RunAtAGlance::new(run, resume)))
        }
        Err(error) => ListedRun::Unreadable(UnreadableRun::new(path, error)),
    }
}
