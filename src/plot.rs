//! Pictures of runs, matches and tournaments, drawn from their files.
//!
//! Architecture invariant: a picture only needs files, so it can be drawn during the run, after it, or on another
//! machine. Only this module uses plotters.

mod ablation;
mod accuracy;
mod agreement;
mod axis;
mod champion;
mod chart;
pub(crate) mod command;
mod comparison;
mod contest;
mod diversity;
mod error;
mod fit;
mod fitness;
mod group;
mod header;
mod heading;
mod heat;
mod history;
mod input;
mod material;
mod output;
mod pairs;
mod pits;
mod pooled;
mod ratings;
mod selection;
mod sheet;
mod strength;
mod stroke;
mod style;
#[cfg(test)]
mod tests;
mod units;
mod untrusted;
mod weights;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use contest::Contest;
use material::Material;

use crate::results;

pub use error::Error;
pub use selection::{Generations, Grouping, Panel, Selection, What, WrongGenerations, XAxis};

/// The drawing kit for other programs.
pub mod kit {
    pub use super::axis::Axis;
    pub use super::chart::{Area, Drawn, Frame, Key, Mark, legend, legend_height, line};
    pub use super::header::Header;
    pub use super::output::{Picture, Target};
    pub use super::sheet::{INNER, MARGIN, WIDTH};
    pub use super::stroke::Stroke;
    pub use super::style::{BLUE, FINENESS, GREY, HAIR, LABEL, ORANGE, SKY, THIN, VERMILLION};
}

impl FromStr for What {
    type Err = Error;

    fn from_str(name: &str) -> Result<What, Error> {
        What::all().find(|what| what.name() == name).ok_or_else(|| Error::What(name.into()))
    }
}

/// Draws the inputs to a PNG or SVG file: runs and weights laid over each other, the results of a
/// match, tournament, comparison, ablation or accuracy alone.
///
/// An input is a run folder, a weights file, the name of an evaluator, the JSON of a match, tournament,
/// ablation or accuracy, or the CSV file of a comparison. Without [`Selection::what`] all panels with data that varies
/// are drawn on one sheet. The output is replaced as a whole.
///
/// # Errors
/// If the inputs cannot be read or have no data for the selection, or the picture cannot be written.
pub fn plot(inputs: &[PathBuf], selection: &Selection, output: &Path) -> Result<(), Error> {
    let target = output::Target::new(output)?;
    let contest = contest::read(inputs)?;
    if contest.is_some() {
        selection.check_no_runs()?;
    }
    match (contest, selection.what) {
        (Some(Contest::Tournament(found)), None | Some(What::Ratings)) => {
            target.replace(&ratings::Ratings::new(&found))
        }
        (Some(Contest::Match(found)), None | Some(What::Pairs)) => {
            target.replace(&pairs::Pairs::new(&found))
        }
        (Some(Contest::Comparison(found)), None | Some(What::Comparison)) => {
            target.replace(&comparison::Comparison::new(&found))
        }
        (Some(Contest::Ablation(found)), None | Some(What::Ablation)) => {
            target.replace(&ablation::Ablation::new(&found))
        }
        (Some(Contest::Accuracy(found)), None | Some(What::Accuracy)) => {
            target.replace(&accuracy::Accuracy::new(&found))
        }
        (None, None) => {
            target.replace(&sheet::Sheet::new(Material::read(inputs, selection)?, None)?)
        }
        (None, Some(What::Panel(panel))) => {
            target.replace(&sheet::Sheet::new(Material::read(inputs, selection)?, Some(panel))?)
        }
        (_, Some(what)) => Err(Error::Nothing(what)),
    }
}

/// Draws one panel of the sheet of runs as the text of an SVG.
///
/// # Errors
/// If the inputs have no data for it, or it cannot be drawn.
pub fn svg(inputs: &[PathBuf], panel: Panel) -> Result<String, Error> {
    let material = Material::read(inputs, &Selection::default())?;
    let drawn = output::svg(&sheet::Sheet::new(material, Some(panel))?);
    drawn.map_err(|reason| Error::Drawing { path: "the picture".into(), reason })
}

/// Draws the result of an ablation.
///
/// # Errors
/// If it cannot be drawn, or the picture cannot be written.
pub fn plot_ablation(found: &results::Ablation, output: &Path) -> Result<(), Error> {
    let target = output::Target::new(output)?;
    let refused = |reason| Error::Results { path: output.into(), kind: "ablation", reason };
    ablation::check(found).map_err(refused)?;
    target.replace(&ablation::Ablation::new(found))
}

/// Draws the accuracy of players.
///
/// # Errors
/// If it cannot be drawn, or the picture cannot be written.
pub fn plot_accuracy(found: &results::AccuracyTest, output: &Path) -> Result<(), Error> {
    let target = output::Target::new(output)?;
    let refused = |reason| Error::Results { path: output.into(), kind: "accuracy", reason };
    accuracy::check(found).map_err(refused)?;
    target.replace(&accuracy::Accuracy::new(found))
}

/// Checks that a file name is that of a picture.
///
/// # Errors
/// If it does not end in `.png` or `.svg`.
pub fn check_ending(output: &Path) -> Result<(), Error> {
    output::Target::new(output).map(|_| ())
}

/// Prepares the folder of a picture before long work. It is created if it is below the current directory.
///
/// # Errors
/// If the file name is not that of a picture, or the folder cannot or must not be created.
pub fn check_place(output: &Path) -> Result<(), Error> {
    output::Target::new(output)?.check_place()
}
