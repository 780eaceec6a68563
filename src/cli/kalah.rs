//! What is for Kalah alone: one file a verb below.

mod solve;

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Say by how much the first player wins a small board when both play their best
    Solve(solve::Arguments),
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match &arguments.verb {
        Verb::Solve(arguments) => solve::run(arguments, out),
    }
}
