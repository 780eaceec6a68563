use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::meter::counted;
use super::train::{Effort, Gauge, changes, no_tables, train, with_ways_on};
use super::{announce, program, shell, usage};
use crate::run::{BranchError, RunFolder, RunState, Settings, Summary, branch};
use mancala::endgame::Tables;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Evaluated populations in all, to go beyond what was asked for before
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    generations: Option<u32>,
    /// Go on under another setting as a new run, in the folder that --out names
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "out")]
    set: Vec<String>,
    /// Folder of the new run that --set begins; the old one stays as it is
    #[arg(long, value_name = "DIR", requires = "set")]
    out: Option<PathBuf>,
    #[command(flatten)]
    gauge: Gauge,
    #[command(flatten)]
    effort: Effort,
}

pub(super) fn run(arguments: Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(new) = &arguments.out {
        return branch_off(&arguments, new, out);
    }
    let path = &arguments.folder;
    let before = Summary::of(path)?;
    if let Some(wanted) = arguments.generations
        && wanted < before.generation
    {
        let done = before.generation;
        return Err(usage(format!(
            "--generations is {wanted}: {} has evaluated {} already",
            path.display(),
            counted(done.into(), "generation")
        )));
    }
    // Raising the number of generations is written at once, so nothing may be refused after it.
    let raises = arguments.generations.is_some_and(|wanted| wanted > before.settings.generations);
    let tables = match before.state {
        RunState::Complete if !raises => None,
        _ => tables_of(&arguments, &before.settings)?,
    };
    let resumed = RunFolder::resume(path, arguments.generations)?;
    for what in &resumed.passed_over {
        let _ = writeln!(std::io::stderr(), "ayo: {what}; going on from an older checkpoint");
    }
    let (done, all) = (resumed.trainer.generation(), resumed.trainer.settings().generations);
    if before.is_finished(&resumed.trainer) {
        let generations = counted(done.into(), "generation");
        writeln!(out, "{} is complete with {generations}; to go on type", path.display())?;
        let resume = shell::typed(&before.resume_arguments());
        writeln!(out, "  {} {resume} --generations {}", program(), 2 * all)?;
        return Ok(ExitCode::SUCCESS);
    }
    announce(&format!("run {}, going on after generation {done} of {all}", path.display()), out)?;
    train(resumed.folder, resumed.trainer, tables, &arguments.effort, out)
}

/// The tables that the run goes by.
fn tables_of(arguments: &Arguments, settings: &Settings) -> anyhow::Result<Option<Arc<Tables>>> {
    let tables = arguments.gauge.open(settings)?;
    RunFolder::check_tables(&arguments.folder, tables.as_deref())?;
    if let Some(it) = settings.table_fitness().filter(|_| tables.is_none()) {
        return Err(usage(no_tables(&it.fitness)));
    }
    Ok(tables)
}

/// Goes on under changed settings in a new folder.
fn branch_off(arguments: &Arguments, new: &Path, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let parent = &arguments.folder;
    let mut changes = changes(&arguments.set)?;
    changes.extend(arguments.generations.map(|n| ("generations".to_owned(), n.to_string())));
    let trainer = branch(parent, &changes).map_err(|error| match error {
        BranchError::Setting(error) => usage(format!("--set: {error}")),
        BranchError::Shape(_) => usage(format!("--set: {error}")),
        error => error.into(),
    })?;
    let (done, all) = (trainer.generation(), trainer.settings().generations);
    if done >= all {
        return Err(usage(format!(
            "generations is {all}: {} has evaluated {} already; ask for more with --generations",
            parent.display(),
            counted(done.into(), "generation")
        )));
    }
    let tables = arguments.gauge.open_needed(trainer.settings())?;
    let folder = RunFolder::create_branch(new, &trainer, parent, tables.as_deref());
    let folder = folder.map_err(with_ways_on)?;
    let (new, parent) = (new.display(), parent.display());
    announce(&format!("run {new}, going on from {parent} after generation {done} of {all}"), out)?;
    train(folder, trainer, tables, &arguments.effort, out)
}
