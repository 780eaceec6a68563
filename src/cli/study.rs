//! Published studies, done again: one file each.

mod amdf;
mod kalah;
mod pairings;
mod rbh;
mod watch;

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
    /// The refinement-based player of Ayo against four levels (Akinyemi 2012)
    Rbh(rbh::Arguments),
    /// The player of Ayo that weighs Mahalanobis distances (Randle et al. 2012)
    Amdf(amdf::Arguments),
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match &arguments.study {
        Study::Kalah(arguments) => kalah::run(arguments, out),
        Study::Rbh(arguments) => rbh::run(arguments, out),
        Study::Amdf(arguments) => amdf::run(arguments, out),
    }
}
