use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::eval::load_weights;
use crate::eval::{self, Format, Weights};
use crate::evolve::{RunFolder, best_of_generation, champion};
use crate::store;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Run folder; named weights and weights files are taken too
    #[arg(value_name = "DIR")]
    from: String,
    /// The best of this generation, instead of the last one's
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(1..))]
    generation: Option<u32>,
    /// json, toml, csv, rust or c [default: by the ending of FILE, else json]
    #[arg(long)]
    format: Option<Format>,
    /// File to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let weights = match arguments.generation {
        None => load_weights(&arguments.from)?,
        Some(generation) => best_of(Path::new(&arguments.from), generation)?,
    };
    let ending = arguments.output.as_deref().and_then(Path::extension);
    let by_ending = ending.and_then(|ending| ending.to_str()?.parse().ok());
    let format = arguments.format.or(by_ending).unwrap_or(Format::Json);
    let text = eval::export(&weights, format);
    match &arguments.output {
        Some(path) => store::replace(path, text.as_bytes())?,
        None => write!(out, "{text}")?,
    }
    Ok(())
}

fn best_of(folder: &Path, generation: u32) -> anyhow::Result<Weights> {
    let settings = RunFolder::settings(folder)?;
    let history = folder.join("history.csv");
    let text = store::read_text(&history)?;
    let (best, fitness) = best_of_generation(&text, generation, &settings)
        .map_err(|reason| anyhow!("{}: {reason}", history.display()))?;
    Ok(champion(&settings, generation, &best, fitness))
}
