//! Ways to search for weights: each asks for games, is told how they ended, and knows a best.
//!
//! Architecture invariant: an optimiser plays no game, reads no clock and writes no file. What it comes to
//! follows from its settings and the answers to what it asks, so that it can be driven from anywhere.

mod ask;
mod cma_es;
mod direction;
mod genetic;
mod genome;
mod key;
mod layers;
mod learned;
mod method;
mod random_search;
mod registry;
mod saved;
mod spsa;
mod step;
mod task;
#[cfg(test)]
mod testing;

pub use ask::{Answer, Ask, Champion, Fit, Leader, Losses, Optimiser, Positions, Proposal};
pub use genome::{Chromosome, ChromosomeError, Encoding, EncodingError, mean_hamming_distance};
pub use key::{
    Branch, Entry, Key, Since, entries, first, late, parsed, quoted, set, taken_over, whole,
};
pub use layers::Layers;
pub use method::{
    Digest, Method, Moves, OptimiserSettings, Preset, Recorded, Refusal, TableFitness,
};
pub use registry::{METHODS, preset, presets};
pub use saved::{
    LoadError, MOST_GENERATIONS, Memory, Numbers, OfEpochs, Pairings, Saved, SavedStep,
};
pub use step::{Evaluated, ranking};
pub use task::{Coding, Finals, Origin, Task};
