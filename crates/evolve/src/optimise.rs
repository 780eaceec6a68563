//! Optimisers, which search for weights by requesting games and learning from the results.
//!
//! Architecture invariant: an optimiser plays no games, reads no clock and writes no files. Its result depends only on
//! its settings and on the results of the work that it requests, so any program can drive it.

mod archipelago;
mod cma_es;
mod direction;
mod genetic;
mod genome;
mod learned;
mod optimiser;
mod random_search;
mod saved;
pub(crate) mod settings;
mod spsa;
mod task;
#[cfg(test)]
mod testing;

pub(crate) use archipelago::{Archipelago, previous_island, ranking_games};
pub use genome::{Chromosome, ChromosomeError, Encoding, mean_hamming_distance};
pub use optimiser::unless_stopped;
pub use optimiser::{
    Champion, Evaluated, Executor, FitReport, IslandTask, Islands, Optimiser, Positions,
    SeedLosses, WorkError, ranking,
};
use saved::checked_champions;
pub use saved::{
    LoadError, MOST_GENERATIONS, Memory, Numbers, Pairings, Saved, SavedIslands, SavedIterations,
};
pub(crate) use settings::require;
pub use settings::{
    Digest, Entry, Key, METHODS, Method, OptimiserSettings, Preset, RecordedChampion,
    SettingRefusal, Since, TableFitness, entries, preset, presets, set,
};
use settings::{LearningNeeds, settings, text_form};
pub use task::{Coding, Layers, Task};
use task::{join_layer, split_layer};
