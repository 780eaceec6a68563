//! Plots of runs, matches and tournaments, drawn from their files.
//!
//! Architecture invariant: plotting needs only files, so a run can be plotted while it runs, afterwards, or on another
//! machine. Only this module uses plotters.

mod axis;
pub(crate) mod canvas;
pub(crate) mod chart;
pub(crate) mod command;
pub(crate) mod contest;
mod error;
mod group;
mod heat;
mod history;
mod input;
mod inputs;
mod output;
mod panels;
mod pits;
mod pooled;
mod rows;
mod selection;
mod sheet;
mod strength;
pub(crate) mod style;
#[cfg(test)]
mod tests;
mod units;

use std::path::{Path, PathBuf};
use std::str::FromStr;

pub(crate) use self::axis::{Axis, minus};
pub(crate) use self::canvas::{Canvas, Stroke};
pub(crate) use self::chart::Chart;
use self::group::Group;
pub(crate) use self::history::Generation;
use self::history::{Iteration, Spread};
pub(crate) use self::input::{Entry, Run};
use self::inputs::{Density, Inputs, Shown};
pub(crate) use self::output::Target;
pub(crate) use self::panels::shares;
pub(crate) use self::pooled::{ANY, Curve, MIN_BAND_SEEDS, Pooled, SCORES, interval};
pub(crate) use self::rows::{Row, Rows};
pub(crate) use self::sheet::{INNER, MARGIN};
pub(crate) use self::style::plain;

pub use error::Error;
pub use selection::{Generations, Panel, Selection, What, XAxis};

/// Maximum valid number in a result. Larger ones indicate a damaged file.
pub(crate) const LARGEST: f64 = 1e6;

/// The parts of this module that other programs need for drawing their own pictures.
pub mod kit {
    pub use super::axis::Axis;
    pub use super::canvas::{Canvas, Stroke};
    pub use super::chart::{Chart, Mark, Symbol, grid, header, legend, values};
    pub use super::output::Target;
    pub use super::sheet::{INNER, MARGIN};
    pub use super::style::{BLUE, GREY, HAIR, LABEL, ORANGE, SKY, THIN, VERMILLION};
}

impl FromStr for What {
    type Err = Error;

    fn from_str(name: &str) -> Result<What, Error> {
        What::all().find(|what| what.name() == name).ok_or_else(|| Error::What(name.into()))
    }
}

/// Plots the inputs to a PNG or SVG file. Runs and weights are overlaid; the results of a match, tournament,
/// comparison, ablation or accuracy test must be the only input.
///
/// An input is a run folder, a weights file, the name of an evaluator, the JSON of a match, tournament, ablation or
/// accuracy test, or the CSV file of a comparison. Without [`Selection::what`], all panels whose data varies are drawn
/// on one sheet. An existing output file is replaced atomically.
///
/// # Errors
/// If the inputs cannot be read or have no data for the selection, or if the picture cannot be written.
pub fn plot(inputs: &[PathBuf], selection: &Selection, output: &Path) -> Result<(), Error> {
    let target = Target::new(output)?;
    if contest::draw(inputs, selection, &target)? {
        return Ok(());
    }
    let panel = match selection.what {
        None => None,
        Some(What::Panel(panel)) => Some(panel),
        Some(what) => return Err(Error::Nothing(what)),
    };
    target.replace(&sheet::sheet(Inputs::read(inputs, selection)?, panel)?)
}

/// Draws one panel of the sheet of runs and returns it as SVG text.
///
/// # Errors
/// If the inputs have no data for the panel, or it cannot be drawn.
pub fn svg(inputs: &[PathBuf], panel: Panel) -> Result<String, Error> {
    let inputs = Inputs::read(inputs, &Selection::default())?;
    drawn(&sheet::sheet(inputs, Some(panel))?)
}

/// Draws a picture and returns it as SVG text.
///
/// # Errors
/// If it cannot be drawn.
pub(crate) fn drawn(picture: &Canvas) -> Result<String, Error> {
    output::svg(picture).map_err(|reason| Error::drawing(Path::new("the picture"), &reason))
}

/// Checks that the file name is valid for a picture.
///
/// # Errors
/// If the name does not end in `.png` or `.svg`.
pub fn check_ending(output: &Path) -> Result<(), Error> {
    Target::new(output).map(|_| ())
}

/// Checks before a long computation that a picture can be written to this path. Creates its folder if it is below the
/// current directory.
///
/// # Errors
/// If the file name is not valid for a picture, or the folder cannot or must not be created.
pub fn check_place(output: &Path) -> Result<(), Error> {
    Target::new(output)?.check_place()
}
