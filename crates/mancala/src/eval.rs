//! Evaluation of positions: features, weights, named evaluators, scores. Integer arithmetic only.

mod ayo;
mod evaluator;
mod export;
mod file;
pub mod kalah;
pub mod kansas;
mod leaf;
pub(crate) mod learned;
mod quiescence;
mod score;
mod set;
mod strength;
mod sum;
mod weights;

pub(crate) use ayo::compiled;
pub use ayo::{Compiled, Linear, Tabled, compile};
pub(crate) use evaluator::best_leaf;
pub use evaluator::{BestLeaf, Evaluator, Leaves};
pub use export::{ExportError, Format, FormatError, export, export_standalone};
pub use file::{
    GameField, LayerFieldError, LoadError, Provenance, RUNS, ReadError, in_runs, load, read,
    read_beside,
};
pub use leaf::{OptionError, Perspective, Quiescence};
pub use learned::{
    Inferred, Layer, LayerError, Learned, MOST_UNITS, Nothing, ONE, Phases, Quantised, UNIT_MAX,
};
pub(crate) use quiescence::Captures;
pub use score::{Certainty, Score};
pub use set::{FeatureSet, FeatureSetError};
pub use strength::{GateTest, Strength, mean_strength};
pub use sum::Sum;
pub use weights::{
    LEARNED, LEARNED_0_2, MAX_WEIGHT, REFERENCE, STANDARD_0_2, Signs, SignsError, Weights,
    WeightsError,
};

pub use crate::game::{Feature, GameKind};

#[cfg(test)]
mod tests;
