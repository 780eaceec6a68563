//! Learned layers: features that are fitted, and evaluation by them.

mod evaluator;
mod fast;
mod layer;
mod phases;
#[cfg(target_arch = "x86_64")]
mod vector;
mod worth;

pub(crate) use evaluator::Split;
pub use evaluator::{Learned, Nothing};
pub use fast::Inferred;
pub use layer::{Layer, LayerError, MOST_UNITS, ONE, Quantised, UNIT_MAX};
pub use phases::Phases;
pub(crate) use worth::seed_worth;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
