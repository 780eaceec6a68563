use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::print_json;
use super::shell::{self, program};
use super::terminal::shown;
use crate::app::train::RUNS;
use crate::results::{ListedRun, RunAtAGlance, Runs, UnreadableRun};
use crate::run::{FolderError, RunState, Summary, against_panel};
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
        Summary::all_in(folder).with_context(|| format!("cannot read {}", shown(folder)))?
    };
    if arguments.json {
        let runs = runs.iter().map(|(path, run)| listed(path, run)).collect();
        return print_json(&Runs { runs }, out);
    }
    if runs.is_empty() {
        writeln!(out, "no runs in {}; begin one with \"{} train\"", shown(folder), program())?;
    }
    for (path, run) in &runs {
        match run {
            Ok(run) => writeln!(out, "{}", as_text(run))?,
            Err(error) => {
                writeln!(out, "{:<32} damaged   {}", shown(path), shown(error.to_string()))?
            }
        }
    }
    Ok(())
}

fn as_text(run: &Summary) -> String {
    let (done, all) = (run.generation, run.settings.generations);
    let champion = run.champion.as_ref().and_then(|champion| champion.provenance.as_ref());
    let strength =
        run.champion.as_ref().and_then(|champion| mean_strength(against_panel(&champion.strength)));
    let champion = match champion {
        Some(champion) if let Some((score, margin)) = strength => {
            format!(
                "strength {score:.3} ±{margin:.3}, champion of generation {}",
                champion.generation
            )
        }
        Some(Provenance { fitness: Some(fitness), generation, .. }) => {
            format!("champion {fitness} of {}", run.settings.best_possible_fitness(*generation))
        }
        Some(champion) => format!("champion of generation {}", champion.generation),
        None if run.damages.is_empty() => "no champion yet".into(),
        None => "no champion".into(),
    };
    let next = match run.state {
        RunState::Stopped => format!("  {}", shell::command(&run.resume_arguments())),
        RunState::Damaged => format!("  {}", shown(run.damages.join("; "))),
        RunState::Running | RunState::Complete => String::new(),
    };
    let path = shown(&run.path);
    // Where time ends a run, how many generations it asks for says nothing.
    let is_timed = run.settings.usual_time().is_some();
    let whole = if is_timed { String::new() } else { format!("/{all}") };
    format!("{path:<32} {:<9} {done:>6}{whole:<7} {champion}{next}", run.state)
}

fn listed(path: &Path, run: &Result<Summary, FolderError>) -> ListedRun {
    match run {
        Ok(run) => {
            let resume = shell::command(&run.resume_arguments());
            ListedRun::Readable(Box::new(RunAtAGlance::new(run, resume)))
        }
        Err(error) => ListedRun::Unreadable(UnreadableRun::new(path, error)),
    }
}
