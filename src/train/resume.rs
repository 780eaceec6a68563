//! `ayo resume`: continues a run with its own settings, or branches off a new run with changed settings.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evolve::run::{
    End, FolderError, REPORT, Run, RunFolder, RunState, Summary, branch, resume_arguments,
};

use super::report::{Done, Ended};
use super::session::{RuntimeOptions, detach, train};
use super::{changes, folder_error, tables};
use crate::terminal::{counted, print_json_line, shell, shown, usage, warn};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Total number of generations, to train longer than previously requested
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    generations: Option<u32>,
    /// Change a setting and continue as a new run, in the folder given by --out
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "out")]
    set: Vec<String>,
    /// Folder of the new run that --set starts; the old run is unchanged
    #[arg(short, long, value_name = "DIR", requires = "set", alias = "output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    runtime: RuntimeOptions,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let runtime = &arguments.runtime;
    if runtime.detach
        && let Some(code) = detach(out)?
    {
        return Ok(code);
    }
    if let Some(new) = &arguments.out {
        let parent = &arguments.folder;
        let run = branch_off(arguments, new)?;
        let after = runtime.after(run.trainer.generation(), run.trainer.settings());
        let (new, parent) = (shown(new), shown(parent));
        let is_due = run.folder.measuring(&run.trainer, run.tables.clone())?.is_due();
        let first = if is_due { ", first measuring earlier champions again" } else { "" };
        let beginning = format!("run {new}, continuing from {parent} {after}{first}");
        return train(run, &beginning, runtime, out);
    }
    let path = &arguments.folder;
    let Resumed { run, is_finished, warnings } =
        resume(path, arguments.generations, runtime.tables.as_deref())?;
    warnings.iter().for_each(warn);
    let (done, all) = (run.trainer.generation(), run.trainer.settings().generations);
    if !is_finished {
        let after = runtime.after(done, run.trainer.settings());
        return train(run, &format!("run {}, continuing {after}", shown(path)), runtime, out);
    }
    drop(run);
    let resume = shell::command(&resume_arguments(path));
    if runtime.json {
        let ended = Ended {
            end: End::Complete,
            has_time_limit: false,
            summary: Summary::of(path)?,
            done: Done::default(),
            resume,
            report: Some(path.join(REPORT)).filter(|it| it.is_file()),
        };
        print_json_line(&ended.json(), out)?;
    } else {
        let generations = counted(done.into(), "generation");
        writeln!(out, "{} is complete with {generations}; to train longer, run", shown(path))?;
        writeln!(out, "  {resume} --generations {}", 2 * all)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) struct Resumed {
    pub(crate) run: Run,
    /// Whether the run is complete, so that there's nothing left to train.
    pub(crate) is_finished: bool,
    /// Warnings of one sentence each: damage that was repaired or worked around, or a champion that training replaces.
    pub(crate) warnings: Vec<String>,
}

/// Resumes the run in a folder, changing its total number of generations if `generations` is given.
pub(crate) fn resume(
    path: &Path,
    generations: Option<u32>,
    tables: Option<&Path>,
) -> anyhow::Result<Resumed> {
    let before = Summary::of(path).map_err(folder_error)?;
    if let Some(requested) = generations.filter(|&requested| requested < before.generation) {
        let (folder, evaluated) = (shown(path), counted(before.generation.into(), "generation"));
        return Err(usage(format!(
            "--generations is {requested}, but {folder} already has {evaluated}"
        )));
    }
    // We report all other errors first, because resuming writes the new number of generations to the folder.
    let is_raised = generations.is_some_and(|requested| requested > before.settings.generations);
    let tables = if before.state == RunState::Complete && !is_raised {
        None
    } else {
        if tables.is_none() {
            RunFolder::check_tables(path, None).map_err(folder_error)?;
        }
        let opened = tables::of_run(tables, &before.settings)?;
        RunFolder::check_tables(path, opened.as_deref()).map_err(folder_error)?;
        opened
    };
    let mut resumed = RunFolder::resume(path, generations).map_err(folder_error)?;
    let is_finished = before.is_finished(&resumed.trainer);
    let warnings = before.keep_champion(&mut resumed)?;
    let run = Run { folder: resumed.folder, trainer: resumed.trainer, tables };
    Ok(Resumed { run, is_finished, warnings })
}

fn branch_off(arguments: &Arguments, new: &Path) -> anyhow::Result<Run> {
    let parent = &arguments.folder;
    let mut changes = changes(&arguments.set)?;
    changes.extend(arguments.generations.map(|n| ("generations".to_owned(), n.to_string())));
    arguments.runtime.check()?;
    let trainer = branch(parent, &changes).map_err(|error| match error {
        FolderError::Setting(_) => usage(format!("--set: {error}")),
        error => error.into(),
    })?;
    let (done, all) = (trainer.generation(), trainer.settings().generations);
    if done >= all {
        let (parent, evaluated) = (shown(parent), counted(done.into(), "generation"));
        return Err(usage(format!(
            "generations is {all}, but {parent} already has {evaluated}: give more with --generations"
        )));
    }
    let tables = tables::of_run(arguments.runtime.tables.as_deref(), trainer.settings())?;
    let folder = RunFolder::create_branch(new, &trainer, parent, tables.as_deref());
    Ok(Run { folder: folder.map_err(folder_error)?, trainer, tables })
}
