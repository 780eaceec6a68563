//! Learned layers, whose units are features.

mod evaluator;
mod layer;
mod phases;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use evaluator::{Inferred, Learned, Nothing};
pub(crate) use evaluator::{Split, learned_seed_value};
pub use layer::{Layer, LayerError, MOST_UNITS, ONE, Quantised, UNIT_MAX};
pub use phases::Phases;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
