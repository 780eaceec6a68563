//! How fast the program is, and the signature that says that its choices are still the same.
//!
//! Architecture invariant: nothing here prints, and nothing that is not a time depends on the machine
//! or on the number of threads.

pub(crate) mod command;
mod measure;
pub(crate) mod result;
mod signature;
mod suite;

pub use measure::{
    Comparison, LongSearch, PlayedGames, Rate, Trained, compare, play, rate_of_perft, settings,
    think, train,
};
pub use signature::{Sum, signature, sum};
pub use suite::{WEIGHTS, evaluator, measured, positions, suite};
