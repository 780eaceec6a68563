//! Pictures of runs, matches and tournaments, drawn from the files that these leave behind.
//!
//! Architecture invariant: nothing here knows a live run. A picture can be
//! drawn while the run goes on, after it, or on another machine. This is also
//! the only module that names plotters.

use std::path::{Path, PathBuf};
use std::str::FromStr;

mod agreement;
pub(crate) mod axis;
mod champion;
pub(crate) mod chart;
mod columns;
mod comparison;
mod contest;
mod diversity;
mod entry;
mod epochs;
mod error;
mod fit;
mod fitness;
mod generations;
mod group;
pub(crate) mod header;
mod heading;
mod heat;
mod history;
mod input;
mod material;
pub(crate) mod output;
mod pairs;
mod pits;
mod pooled;
mod ratings;
mod selection;
pub(crate) mod sheet;
mod strength;
pub(crate) mod stroke;
pub(crate) mod style;
#[cfg(test)]
mod tests;
mod units;
pub(crate) mod untrusted;
mod weights;
mod what;
mod x_axis;

pub use error::Error;
pub use generations::{Generations, WrongGenerations};
pub use selection::{Grouping, Selection};
pub use what::{Panel, What};
pub use x_axis::XAxis;

use contest::Contest;
use material::Material;

/// The drawing kit, for other programs that draw pictures.
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
/// ablation or accuracy, or the CSV file of a comparison. Without [`Selection::what`] every panel for which
/// the inputs hold something that varies is drawn on one sheet.
/// The output is replaced whole or not at all.
///
/// # Errors
/// If the inputs cannot be read or hold nothing of what is selected, or the picture cannot be written.
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
            target.replace(&crate::analyse::ablate::picture::AblationPicture::new(&found))
        }
        (Some(Contest::Accuracy(found)), None | Some(What::Accuracy)) => {
            target.replace(&crate::analyse::accuracy::picture::AccuracyPicture::new(&found))
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

/// One panel of the sheet of runs as the text of an SVG.
///
/// # Errors
/// If the inputs hold nothing of it, or it cannot be drawn.
pub fn svg(inputs: &[PathBuf], panel: Panel) -> Result<String, Error> {
    let material = Material::read(inputs, &Selection::default())?;
    let drawn = output::svg(&sheet::Sheet::new(material, Some(panel))?);
    drawn.map_err(|reason| Error::Drawing { path: "the picture".into(), reason })
}

/// Whether a picture can be written to a file of this name.
///
/// # Errors
/// If its ending is that of no picture.
pub fn check_ending(output: &Path) -> Result<(), Error> {
    output::Target::new(output).map(|_| ())
}

/// Prepares the place of a picture that takes long to come: its folder is created if need be, below the
/// current directory.
///
/// # Errors
/// If its name ends as no picture's, the folder cannot or must not be created, or a folder is in the place.
pub fn check_place(output: &Path) -> Result<(), Error> {
    output::Target::new(output)?.check_place()
}
