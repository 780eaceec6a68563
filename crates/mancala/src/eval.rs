//! Evaluation of positions: features, weights, named evaluators, scores. Integer arithmetic only.

mod evaluator;
mod export;
mod feature;
mod file;
pub mod kalah;
pub mod kansas;
mod score;
mod set;
mod strength;
#[cfg(target_arch = "x86_64")]
mod vector;
mod weights;

pub(crate) use evaluator::best_leaf;
pub use evaluator::{BestLeaf, Compiled, Evaluator, Leaves, Linear, compile};
pub use export::{Format, FormatError, export};
pub use feature::Feature;
pub use file::{GameField, LoadError, Provenance, load, read};
pub use score::{Certainty, Score};
pub use set::{FeatureSet, FeatureSetError};
pub use strength::{Strength, mean_strength};
pub use weights::{MAX_WEIGHT, NAMED, REFERENCE, Signs, SignsError, Weights, WeightsError};

#[cfg(test)]
mod tests;
