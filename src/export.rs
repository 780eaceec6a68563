use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::analyse::eval::load_weights;
use crate::terminal::error::usage;
use crate::terminal::shown;
use evolve::run::{Wanted, weights_of_generation};
use mancala::eval::{self, Format, Weights};
use mancala::store;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folder; named weights and weights files are taken too
    #[arg(value_name = "DIR")]
    from: String,
    /// The leader of this generation, instead of the run's champion
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(1..))]
    generation: Option<u32>,
    /// The fittest member of that generation, even if another led it
    #[arg(long, requires = "generation")]
    fittest: bool,
    /// json, toml, csv, rust, c or python [default: by the ending of FILE, else json]
    #[arg(long)]
    format: Option<Format>,
    /// Call the weights NAME; functions of C begin with it
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Hold the layer of learned features in the text itself; without it JSON and TOML name its file, which is
    /// written beside FILE
    #[arg(long)]
    standalone: bool,
    /// File to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let wanted = if arguments.fittest { Wanted::Fittest } else { Wanted::Leader };
    let mut weights = match arguments.generation {
        None => load_weights(&arguments.from)?,
        Some(generation) => weights_of_generation(Path::new(&arguments.from), generation, wanted)?,
    };
    if let Some(name) = &arguments.name {
        weights.name.clone_from(name);
    }
    let format = match (arguments.format, &arguments.output) {
        (Some(format), _) => format,
        (None, Some(path)) => by_ending(path)?,
        (None, None) => Format::Json,
    };
    format.check(&weights).map_err(usage)?;
    let text = match arguments.standalone {
        true => eval::export_standalone(&weights, format),
        false => eval::export(&weights, format),
    };
    match &arguments.output {
        Some(path) => {
            if !arguments.standalone {
                write_layer(&weights, format, path)?;
            }
            store::write_output(path, text.as_bytes())?;
        }
        None => write!(out, "{text}")?,
    }
    Ok(())
}

/// Writes the layer that weights in this file name.
fn write_layer(weights: &Weights, format: Format, path: &Path) -> anyhow::Result<()> {
    let Some(layer) = weights.features().layer() else { return Ok(()) };
    if matches!(format, Format::Json | Format::Toml) {
        store::write_output(&path.with_file_name(layer.file_name()), &layer.encode())?;
    }
    Ok(())
}

/// The format that goes with a file's ending, JSON if it has none.
fn by_ending(path: &Path) -> anyhow::Result<Format> {
    let Some(ending) = path.extension() else {
        return Ok(Format::Json);
    };
    ending.to_string_lossy().parse().map_err(|_| {
        let path = shown(path);
        usage(format!(
            "--output {path}: end it in .json, .toml, .csv, .rs, .c, .h or .py, or give --format"
        ))
    })
}
