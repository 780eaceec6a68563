//! Pictures of runs, drawn from the files that a run leaves behind.
//!
//! Architecture invariant: nothing here knows a live run. A picture can be
//! drawn while the run goes on, after it, or on another machine. This is also
//! the only module that names plotters.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

mod axis;
mod champion;
mod chart;
mod diversity;
mod error;
mod fitness;
mod history;
mod input;
mod material;
mod output;
mod sheet;
mod style;
#[cfg(test)]
mod tests;
mod weights;

pub use error::Error;

use material::Material;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Best and mean fitness of each generation.
    Fitness,
    /// How different the chromosomes of a generation are.
    Diversity,
    /// Mean of each weight over the generations.
    Weights,
    /// The final weights as bars.
    Champion,
}

impl What {
    /// Every panel, in the order of the whole sheet.
    pub const ALL: [What; 4] = [What::Fitness, What::Diversity, What::Weights, What::Champion];

    /// The word that names the panel on a command line.
    pub fn name(self) -> &'static str {
        match self {
            What::Fitness => "fitness",
            What::Diversity => "diversity",
            What::Weights => "weights",
            What::Champion => "champion",
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for What {
    type Err = Error;

    fn from_str(name: &str) -> Result<What, Error> {
        let found = What::ALL.into_iter().find(|what| what.name() == name);
        found.ok_or_else(|| Error::What(name.into()))
    }
}

/// Draws the inputs, laid over each other, to a PNG or SVG file.
///
/// An input is a run folder, a weights file, or the name of an evaluator. Without `what` every
/// panel for which the inputs hold something is drawn on one sheet. The output is replaced whole or
/// not at all.
pub fn plot(inputs: &[PathBuf], what: Option<What>, output: &Path) -> Result<(), Error> {
    let target = output::Target::new(output)?;
    let material = Material::read(inputs)?;
    let panels = sheet::panels(&material, what)?;
    target.replace(&sheet::Sheet::new(&material, panels))
}
