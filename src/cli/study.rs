//! Published studies, done again: one file each.

mod kalah;

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Debug, Subcommand)]
enum Study {
    /// Heuristics for Kalah, on or off (Gifford et al. 2008)
    Kalah(kalah::Arguments),
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match &arguments.study {
        Study::Kalah(arguments) => kalah::run(arguments, out),
    }
}
