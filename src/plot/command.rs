//! The `ayo plot` command.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{Error, Generations, Selection, What, XAxis, plot};
use crate::terminal::shown;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folders, weights files or named weights, which are overlaid; or a single result: the JSON of a match,
    /// tournament or ablation, or the CSV file of a comparison
    #[arg(value_name = "DIR|FILE|NAME", required = true)]
    inputs: Vec<PathBuf>,
    /// Picture to write; the extension, .png or .svg, selects the format
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Plot one panel instead of a sheet of all panels: fitness, strength, diversity, weights, champion, agreement,
    /// pits (the value of seeds in a pit), units (the inputs of each unit of a learned layer) or fit (losses and matches
    /// by iteration). For results: ratings, pairs, comparison or ablation
    #[arg(long)]
    what: Option<What>,
    /// Combine runs that differ only in the seed into one: their mean and, with five or more seeds, its 95 % interval
    #[arg(long)]
    group: bool,
    /// X axis of the curves: generations, games, nodes or hours [default: games if runs differ in games per generation,
    /// else generations]
    #[arg(long, value_name = "AXIS")]
    x: Option<XAxis>,
    /// Show only these generations: LO..HI, LO.. or ..HI, both ends included
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true)]
    generations: Option<Generations>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let selection = Selection {
        what: arguments.what,
        is_grouped: arguments.group,
        generations: arguments.generations.unwrap_or_default(),
        x: arguments.x,
    };
    plot(&arguments.inputs, &selection, &arguments.output).map_err(Error::for_user)?;
    Ok(writeln!(out, "wrote {}", shown(&arguments.output))?)
}
