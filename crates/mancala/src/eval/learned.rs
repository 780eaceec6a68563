//! Neural networks whose hidden neurons serve as features. The neurons of the first hidden layer are called units.

mod evaluator;
mod layer;
mod second;
mod taper;
#[cfg(target_arch = "x86_64")]
mod vector;

pub(crate) use evaluator::learned_seed_value;
pub use evaluator::{Learned, LearnedGame};
pub use layer::{Layer, LayerError, MAX_UNITS, ONE, UNIT_MAX};
pub use second::SecondLayer;
pub use taper::Taper;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
