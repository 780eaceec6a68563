//! Position evaluation: features, weights, named evaluators and scores. All arithmetic uses integers.

mod ayo;
mod evaluator;
mod export;
mod file;
pub mod kalah;
pub mod kansas;
pub(crate) mod learned;
mod provenance;
mod score;
mod set;
mod sum;
mod weights;

pub use ayo::Linear;
pub use evaluator::{BestLeaf, Evaluator, Leaves, OptionError, Perspective, Quiescence};
pub(crate) use evaluator::{Captures, best_leaf};
pub use export::{Format, export, export_standalone};
pub use file::{LoadError, RUNS, find_run, load, read, read_file, run_or_name_hint};
pub use learned::{
    Layer, LayerError, Learned, LearnedGame, MAX_UNITS, ONE, SecondLayer, Taper, UNIT_MAX,
};
pub use provenance::{GateTest, Provenance, Strength, mean_strength};
pub use score::{Certainty, Score};
pub use set::FeatureSet;
pub use sum::Sum;
pub use weights::{
    LEARNED, LEARNED_0_2, MAX_WEIGHT, REFERENCE, STANDARD_0_2, Signs, Weights,
    missing_layer_message,
};

pub use crate::game::{Feature, GameKind};

#[cfg(test)]
mod tests;
