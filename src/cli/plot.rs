use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::terminal::shown;
use super::usage;
use crate::report::{self, Error, What};
use mancala::eval::LoadError;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folders, weights files or named weights, laid over each other; or the JSON of one match,
    /// tournament or ablation; or the CSV file of one comparison
    #[arg(value_name = "DIR|FILE|NAME", required = true)]
    inputs: Vec<PathBuf>,
    /// Picture to write; its ending, .png or .svg, is its format
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// One panel, fitness, strength, diversity, weights, champion, agreement, pits, what seeds in a pit are
    /// worth, units, what each unit of a learned layer looks at, or fit, the losses and duels of its epochs,
    /// instead of all on one sheet; of results there are ratings, pairs, comparison and ablation
    #[arg(long)]
    what: Option<What>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let drawn = report::plot(&arguments.inputs, arguments.what, &arguments.output);
    drawn.map_err(|error| match error {
        Error::Ending(_) | Error::Load(LoadError::Unknown(_)) => usage(error),
        _ => error.into(),
    })?;
    writeln!(out, "wrote {}", shown(&arguments.output))?;
    Ok(())
}
