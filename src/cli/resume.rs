use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::meter::counted;
use super::train::{Effort, train};
use super::{announce, program, usage};
use crate::evolve::{RunFolder, Summary};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Evaluated populations in all, to go beyond what was asked for before
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    generations: Option<u32>,
    #[command(flatten)]
    effort: Effort,
}

pub(super) fn run(arguments: Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
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
    let resumed = RunFolder::resume(path, arguments.generations)?;
    for what in &resumed.passed_over {
        let _ = writeln!(std::io::stderr(), "ayo: {what}; going on from an older checkpoint");
    }
    let (done, all) = (resumed.trainer.generation(), resumed.trainer.settings().generations);
    if done >= all {
        let generations = counted(done.into(), "generation");
        writeln!(out, "{} is complete with {generations}; to go on type", path.display())?;
        writeln!(out, "  {} {} --generations {}", program(), before.resume_arguments(), 2 * all)?;
        return Ok(ExitCode::SUCCESS);
    }
    announce(&format!("run {}, going on after generation {done} of {all}", path.display()), out)?;
    train(resumed.folder, resumed.trainer, &arguments.effort, out)
}
