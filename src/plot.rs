//! Plots runs, matches and tournaments from their files.
//!
//! Architecture invariant: plotting only needs files, so runs can be plotted during training,
//! afterwards, or on another machine. Nothing outside this module draws with plotters directly.

mod axis;
pub(crate) mod canvas;
pub(crate) mod chart;
pub(crate) mod contest;
mod group;
mod heat;
mod history;
mod input;
mod inputs;
mod output;
mod panels;
mod pooled;
mod rows;
mod selection;
mod sheet;
mod strength;
pub(crate) mod style;
#[cfg(test)]
mod tests;
mod units;

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;

pub(crate) use self::axis::{Axis, minus};
pub(crate) use self::canvas::{Canvas, Stroke};
pub(crate) use self::chart::Chart;
use self::group::Group;
pub(crate) use self::history::Generation;
use self::history::{Iteration, Spread};
pub(crate) use self::input::{Entry, Run, folder_name};
pub(crate) use self::inputs::averaged;
use self::inputs::{Density, Inputs, champion_features, shown_features};
pub use self::output::check_place;
pub(crate) use self::panels::shares;
pub(crate) use self::pooled::{ANY, Curve, Pooled, SCORES, interval};
pub(crate) use self::rows::{Row, Rows};
pub(crate) use self::sheet::{INNER, MARGIN};
pub(crate) use self::style::plain;

use crate::terminal::shown;

pub use selection::{Selection, What, XAxis};

/// If a number in a result is larger than this, then the file must be damaged.
pub(crate) const LARGEST: f64 = 1e6;

/// Items for programs that draw their own plots.
pub mod kit {
    pub use super::axis::Axis;
    pub use super::canvas::{Canvas, Stroke};
    pub use super::chart::{Chart, Mark, Symbol, grid, header, legend};
    pub use super::output::write;
    pub use super::sheet::{INNER, MARGIN};
    pub use super::style::{BLUE, GREY, HAIR, ORANGE, SKY, THIN, VERMILLION};
}

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Run folders, weights files or named weights to overlay; or a single result: the JSON output of a match,
    /// tournament or ablation, or the CSV file of a comparison
    #[arg(value_name = "DIR|FILE|NAME", required = true)]
    inputs: Vec<PathBuf>,
    /// Picture to write; the extension, .png or .svg, selects the format
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    selection: Selection,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let Arguments { inputs, output, selection } = arguments;
    plot(inputs, selection, output)?;
    Ok(writeln!(out, "wrote {}", shown(output))?)
}

/// Plots the inputs to a PNG or SVG file. Runs and weights are overlaid. A result (of a match, tournament,
/// comparison, ablation or accuracy test) must be the only input.
///
/// An input is a run folder, a weights file, the name of an evaluator, the JSON output of a match, tournament, ablation
/// or accuracy test, or a comparison's CSV file. Unless [`Selection::what`] is set, all panels whose data varies are
/// drawn on one sheet. An existing file is replaced atomically.
///
/// # Errors
/// If the inputs cannot be read, if they have no data for the selection, or if the picture cannot be written.
pub fn plot(inputs: &[PathBuf], selection: &Selection, output: &Path) -> Result<()> {
    output::is_png(output)?;
    let picture = match contest::picture(inputs, selection)? {
        Some(picture) => picture,
        None => match selection.what {
            // We check this first, because reading runs is slow.
            Some(what) if !what.is_panel() && inputs.iter().all(|input| input.is_dir()) => {
                return Err(nothing(what));
            }
            what => sheet::sheet(Inputs::read(inputs, selection)?, what)?,
        },
    };
    output::write(&picture, output)
}

/// Draws one panel of a sheet of runs and returns it as SVG text.
///
/// # Errors
/// If the inputs have no data for the panel, or if the panel cannot be drawn.
pub fn svg(inputs: &[PathBuf], panel: What) -> Result<String> {
    let inputs = Inputs::read(inputs, &Selection::default())?;
    drawn(&sheet::sheet(inputs, Some(panel))?)
}

/// Renders a canvas as SVG text.
pub(crate) fn drawn(picture: &Canvas) -> Result<String> {
    output::svg(picture).context("cannot draw the picture")
}

fn nothing(what: What) -> anyhow::Error {
    anyhow!("nothing to plot as {0}: {0} needs {1}", what.name(), what.needs())
}

fn invalid(path: &Path, reason: impl Display) -> anyhow::Error {
    anyhow!("{}: {reason}", path.display())
}
