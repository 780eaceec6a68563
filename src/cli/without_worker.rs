//! `ayo worker` and `ayo workers` in a build without workers.

use std::io::Write;

use clap::Args;

use super::helpers::WITHOUT;
use super::usage;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(hide = true, num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(super) fn run(_: &Arguments, _: &mut dyn Write) -> anyhow::Result<()> {
    Err(usage(WITHOUT))
}
