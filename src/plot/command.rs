//! `ayo plot`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::plot::{self, Error, Generations, Grouping, Selection, What, XAxis};
use crate::terminal::error::usage;
use crate::terminal::shown;
use mancala::eval::LoadError;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folders, weights files or named weights, laid over each other; or the JSON of one match,
    /// tournament or ablation; or the CSV file of one comparison
    #[arg(value_name = "DIR|FILE|NAME", required = true)]
    inputs: Vec<PathBuf>,
    /// Picture to write; its ending, .png or .svg, is its format
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// One panel instead of a sheet of all: fitness, strength, diversity, weights, champion, agreement, pits
    /// (the worth of seeds in a pit), units (the inputs of each unit of a learned layer) or fit (the losses and
    /// duels of its epochs); results have ratings, pairs, comparison and ablation
    #[arg(long)]
    what: Option<What>,
    /// Draw runs that differ only in the seed as one: their mean, and with five or more seeds its 95 %
    /// interval
    #[arg(long)]
    group: bool,
    /// X axis of curves: generations, games, nodes or hours [default: games if runs differ in their games per
    /// generation, else generations]
    #[arg(long, value_name = "AXIS")]
    x: Option<XAxis>,
    /// Show these generations only: LO..HI, LO.. or ..HI, both ends shown
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true)]
    generations: Option<Generations>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let selection = Selection {
        what: arguments.what,
        grouping: if arguments.group { Grouping::Seeds } else { Grouping::None },
        generations: arguments.generations.unwrap_or_default(),
        x: arguments.x,
    };
    let drawn = plot::plot(&arguments.inputs, &selection, &arguments.output);
    drawn.map_err(|error| match error {
        Error::Ending(_) | Error::Usage(_) | Error::Load(LoadError::Unknown(_)) => usage(error),
        _ => error.into(),
    })?;
    writeln!(out, "wrote {}", shown(&arguments.output))?;
    Ok(())
}
