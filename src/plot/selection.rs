//! What is asked for beside the inputs of a picture.

use super::error::Error;
use super::generations::Generations;
use super::what::What;
use super::x_axis::XAxis;

/// What of the inputs is drawn, and how.
///
/// ```
/// use ayo::plot::{Grouping, Selection};
/// let generations = "100..".parse().unwrap();
/// let late = Selection { grouping: Grouping::Seeds, generations, ..Selection::default() };
/// assert_eq!((late.what, late.generations.to_string()), (None, "100..".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// One picture; without it all panels that say something stand on one sheet.
    pub what: Option<What>,
    /// Which runs share their curves.
    pub grouping: Grouping,
    /// The generations that are shown of every run.
    pub generations: Generations,
    /// The x axis of curves. The default is games if runs differ in their games per generation, else generations.
    pub x: Option<XAxis>,
}

/// Which runs share their curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// None.
    #[default]
    None,
    /// Those whose settings are the same but for the seed: mean and 95 % interval over the seeds are drawn.
    Seeds,
}

impl Selection {
    /// Refuses what only runs have, where there are none.
    pub(super) fn check_no_runs(&self) -> Result<(), Error> {
        match self {
            Selection { grouping: Grouping::Seeds, .. } => Err(Error::NoRun { what: "--group" }),
            Selection { generations, .. } if !generations.are_all() => {
                Err(Error::NoRun { what: "--generations" })
            }
            Selection { x: Some(_), .. } => Err(Error::NoRun { what: "--x" }),
            _ => Ok(()),
        }
    }
}
