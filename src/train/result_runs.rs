//! The runs in a folder.

use std::path::Path;

use serde::Serialize;

use crate::train::strength::LastStrength;
use evolve::run::{FolderError, RunState, Summary};

/// The runs in a folder, in the order of their names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "runs")]
pub struct Runs {
    /// The runs.
    pub runs: Vec<ListedRun>,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ListedRun {
    /// Its folder can be read.
    Readable(Box<RunAtAGlance>),
    /// Its folder cannot be read.
    Unreadable(UnreadableRun),
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunAtAGlance {
    /// Its folder.
    pub folder: String,
    /// Whether it goes on.
    pub state: String,
    /// The preset that it began from.
    pub preset: String,
    /// Its seed.
    pub seed: u64,
    /// Generations that are safely on disk.
    pub generation: u32,
    /// Generations asked for.
    pub generations: u32,
    /// The fitness of its champion.
    pub champion_fitness: Option<u64>,
    /// Points a game of its champion against the panel: by the final games, or else by the last measurement.
    pub champion_strength: Option<f64>,
    /// The 95 % interval of that.
    pub champion_strength_ci95: Option<(f64, f64)>,
    /// The command that continues it: `ayo champion` if only the final games are left.
    pub resume: String,
    /// What is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The generation of the champion that has this strength.
    pub strength_generation: Option<u32>,
}

/// A folder that says that it holds a run and does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadableRun {
    /// The folder.
    pub folder: String,
    /// That it is damaged.
    pub state: String,
    /// What is damaged.
    pub error: String,
}

impl RunAtAGlance {
    /// A run that a command goes on with.
    pub fn new(run: &Summary, resume: String) -> RunAtAGlance {
        let champion = run.champion.as_ref();
        let provenance = champion.and_then(|it| it.provenance.as_ref());
        let strength = LastStrength::of(run);
        let score = strength.as_ref().map(|it| it.score);
        RunAtAGlance {
            folder: run.path.display().to_string(),
            state: run.state.to_string(),
            preset: run.settings.preset.clone(),
            seed: run.settings.seed,
            generation: run.generation,
            generations: run.settings.generations,
            champion_fitness: provenance.and_then(|it| it.fitness),
            champion_strength: score.map(|it| it.score),
            champion_strength_ci95: score.map(|it| it.score_ci95),
            resume,
            error: crate::results::joined(&run.damages),
            strength_generation: strength.map(|it| it.generation),
        }
    }
}

impl UnreadableRun {
    /// A folder and why it cannot be read.
    pub fn new(path: &Path, error: &FolderError) -> UnreadableRun {
        UnreadableRun {
            folder: path.display().to_string(),
            state: RunState::Damaged.to_string(),
            error: error.to_string(),
        }
    }
}
