use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::terminal::meter::counted;
use crate::terminal::output::print_json_line;
use crate::terminal::{shell, shown};
use crate::train::app_resume::Rest;
use crate::train::drive::{Effort, train};
use crate::train::refusals::{resume_error, warn_of};
use crate::train::result_training::{Done, TrainedRun};
use crate::train::{TableOptions, app_resume as resume, changes};
use evolve::run::{End, Summary, resume_arguments};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Number of generations in all, to go beyond what was asked for before
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    generations: Option<u32>,
    /// Go on under another setting as a new run, in the folder that --out names
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "out")]
    set: Vec<String>,
    /// Folder of the new run that --set begins; the old one stays as it is
    #[arg(short, long, value_name = "DIR", requires = "set", alias = "output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: TableOptions,
    #[command(flatten)]
    effort: Effort,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(new) = &arguments.out {
        return branch_off(arguments, new, out);
    }
    let path = &arguments.folder;
    let resumed = resume::resume(path, arguments.generations, arguments.tables.folder());
    let resumed = resumed.map_err(|error| resume_error(error, path))?;
    warn_of(&resumed, path);
    let run = resumed.run;
    let (done, all) = (run.trainer.generation(), run.trainer.settings().generations);
    if resumed.rest == Rest::Nothing && arguments.effort.json {
        drop(run);
        let resume = shell::command(&resume_arguments(path));
        let nothing = TrainedRun::of(&Summary::of(path)?, End::Complete, Done::default(), resume);
        return print_json_line(&nothing, out).map(|()| ExitCode::SUCCESS);
    }
    if resumed.rest == Rest::Nothing {
        let generations = counted(done.into(), "generation");
        writeln!(out, "{} is complete with {generations}; to go on type", shown(path))?;
        let resume = shell::command(&resume_arguments(path));
        writeln!(out, "  {resume} --generations {}", 2 * all)?;
        return Ok(ExitCode::SUCCESS);
    }
    let after = arguments.effort.after(done, run.trainer.settings());
    let beginning = format!("run {}, going on {after}", shown(path));
    train(run, &beginning, &arguments.effort, out)
}

/// Goes on under changed settings in a new folder.
fn branch_off(arguments: &Arguments, new: &Path, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let parent = &arguments.folder;
    let mut changes = changes(&arguments.set)?;
    changes.extend(arguments.generations.map(|n| ("generations".to_owned(), n.to_string())));
    arguments.effort.check()?;
    let run = resume::branch_off(parent, new, &changes, arguments.tables.folder());
    let run = run.map_err(|error| resume_error(error, parent))?;
    let after = arguments.effort.after(run.trainer.generation(), run.trainer.settings());
    let (new, parent) = (shown(new), shown(parent));
    let beginning = format!("run {new}, going on from {parent} {after}");
    train(run, &beginning, &arguments.effort, out)
}
