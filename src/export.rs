//! `ayo export`: writes weights for another program.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use evolve::run::{Summary, weights_of_generation};
use mancala::eval::{self, Format};
use mancala::search::Options;
use mancala::store;

use crate::analyse::eval::load_weights;
use crate::terminal::{shell, shown, usage, warn};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folder, named weights or a weights file
    #[arg(value_name = "DIR")]
    from: String,
    /// Export the leader of this generation, instead of the run's champion
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(1..))]
    generation: Option<u32>,
    /// Export the fittest member of that generation, even if it is not the leader
    #[arg(long, requires = "generation")]
    fittest: bool,
    /// json, toml, csv, rust, c, python or codingame (a Rust bot for Oware Abapa) [default: by the extension of FILE, else json]
    #[arg(long)]
    format: Option<Format>,
    /// Name of the weights, also used as the prefix of C functions [default for a C header: the name of FILE]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Embed the learned features in FILE, as on standard output. By default, JSON and TOML files refer to a second
    /// file, which is written next to FILE
    #[arg(long)]
    standalone: bool,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut weights = match arguments.generation {
        None => {
            let weights = load_weights(&arguments.from)?;
            // Names of built-in weights take precedence over run folders.
            let run = Summary::of(Path::new(&arguments.from)).ok();
            let run = run.filter(|run| run.champion.as_ref() == Some(&weights));
            let warning = run.and_then(|it| it.unmeasured_champion(&shell::quoted(&it.argument())));
            warning.iter().for_each(warn);
            weights
        }
        Some(generation) => {
            weights_of_generation(Path::new(&arguments.from), generation, arguments.fittest)?
        }
    };
    let format = match (arguments.format, &arguments.output) {
        (Some(format), _) => format,
        (None, Some(path)) => by_extension(path)?,
        (None, None) => Format::Json,
    };
    // We prefix C functions with the header's file name, because users see that name in the #include line.
    let file = arguments.output.as_ref().filter(|_| format == Format::C);
    let file = file.and_then(|path| path.file_stem()).map(|name| name.to_string_lossy().into());
    if let Some(name) = arguments.name.clone().or(file) {
        weights.name = name;
    }
    format.check(&weights).map_err(usage)?;
    let options = Options::for_weights(&weights);
    if format == Format::Csv && options != Options::of(weights.features().game()) {
        let Options { perspective, quiescence, ties } = options;
        let options = format!("perspective={perspective},quiescence={quiescence},ties={ties}");
        warn(format!("CSV files do not record the search options: play with FILE:{options}"));
    }
    // Text on standard output must be self-contained, because users may save it without the layer's file.
    let is_standalone = arguments.standalone || arguments.output.is_none();
    let export = if is_standalone { eval::export_standalone } else { eval::export };
    let text = export(&weights, format);
    match &arguments.output {
        Some(path) => {
            // Without --standalone, these formats only refer to the layer's file, so we write that file as well.
            if !arguments.standalone
                && matches!(format, Format::Json | Format::Toml)
                && let Some(layer) = weights.features().layer()
            {
                let beside = path.with_file_name(layer.file_name());
                store::write_output(&beside, &layer.encode())?;
                writeln!(out, "wrote {} with the learned layer", shown(beside))?;
            }
            store::write_output(path, text.as_bytes())?;
            let of = weights.provenance.as_ref();
            let of = of.map_or(String::new(), |it| format!(" of generation {}", it.generation));
            writeln!(out, "wrote {} with the weights {}{of}", shown(path), shown(&weights.name))?;
        }
        None => write!(out, "{text}")?,
    }
    Ok(())
}

/// Returns the format for a file's extension, or JSON if the file has no extension.
fn by_extension(path: &Path) -> anyhow::Result<Format> {
    let Some(extension) = path.extension() else { return Ok(Format::Json) };
    let known = ".json, .toml, .csv, .rs, .c, .h or .py, unless --format is given";
    let unknown = |_| usage(format!("--output {}: the extension must be {known}", shown(path)));
    extension.to_string_lossy().parse().map_err(unknown)
}
