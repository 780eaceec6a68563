//! What an optimiser declares: its name, its settings and its presets.

use std::fmt::Debug;
use std::time::Duration;

use mancala::eval::{Feature, Weights};

use super::ask::Optimiser;
use super::genome::Chromosome;
use super::key::Entry;
use super::layers::Layers;
use super::saved::{LoadError, Saved};
use super::task::{Coding, Task};

/// A way to search for weights, as the registry lists it.
#[derive(Debug)]
pub struct Method {
    /// What messages call it.
    pub name: &'static str,
    /// Its settings as long as nothing is set.
    pub settings: fn() -> Box<dyn OptimiserSettings>,
    /// Points in the space of the settings of a run and its optimiser, the recommended one first.
    pub presets: &'static [Preset],
    /// Whether players recall moves that they chose before.
    pub moves: Moves,
    /// What stands for the settings of a run.
    pub digest: Digest,
}

/// Named settings: those of another preset, or of the method, with some changes.
#[derive(Debug)]
pub struct Preset {
    /// What messages call it.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// The preset that the changes are made to.
    pub from: Option<&'static str>,
    /// Names and values as they would be typed after `--set`.
    pub changes: &'static [(&'static str, &'static str)],
    /// How long a run goes on if no time is given; its bytes do not depend on it.
    pub time: Option<Duration>,
}

/// Whether the players of a training run keep a move cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// Candidates stay, and play positions that they have played before.
    Cached,
    /// Candidates are new in every step. Nodes are then the same on any number of threads.
    Searched,
}

/// How the settings of a run are made into the few digits that stand for them.
#[derive(Debug, Clone, Copy)]
pub enum Digest {
    /// As lines, those that the first version did not have only where they ask for something new.
    Lines,
    /// These settings as words, and those others that differ from the preset. `game` stands for the game
    /// with its rules.
    Words(&'static [&'static str]),
}

/// A setting that does not fit the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Which setting.
    pub key: &'static str,
    /// What stands there.
    pub value: String,
    /// What should.
    pub reason: String,
}

impl Refusal {
    pub(crate) fn new(key: &'static str, value: impl ToString, reason: String) -> Refusal {
        Refusal { key, value: value.to_string(), reason }
    }
}

/// What `best_chromosome` of a generation is in `history.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// The leader, which is the fittest member.
    FittestAndLeader,
    /// The fittest member; the leader is a mean that is in no row.
    FittestOnly,
    /// The leader; the fittest candidate is in no row.
    LeaderOnly,
}

/// The settings of an optimiser.
pub trait OptimiserSettings: Debug + Send + Sync {
    /// All of them by name.
    fn entries(&self) -> Vec<Entry>;

    /// Changes one; `None` if there is none of that name. An error says what is possible.
    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>>;

    /// Replaces what a user has named by what it stands for: files by their content, players by their fingerprints. It
    /// is not asked of what a run has recorded.
    ///
    /// # Errors
    /// If something cannot be read or started, with the setting that is to blame.
    fn complete(&mut self, _: &Task) -> Result<(), Refusal> {
        Ok(())
    }

    /// Whether they fit each other and the task.
    ///
    /// # Errors
    /// If not, with the setting that is to blame.
    fn check(&self, task: &Task) -> Result<(), Refusal>;

    /// How candidates stand for weights.
    fn coding(&self, task: &Task) -> Coding;

    /// Candidates that are tried in a step.
    fn candidates(&self) -> u32;

    /// The most games that a step asks for; the first is number 1.
    fn games_of_step(&self, step: u32) -> u64;

    /// The most that a candidate's fitness can be in a step.
    fn best_possible_fitness(&self, step: u32) -> u64;

    /// The layers that candidates name, if they do.
    fn layers(&self) -> Option<&Layers> {
        None
    }

    /// What it learns from endgame tables, if it does.
    fn table_fitness(&self) -> Option<TableFitness> {
        None
    }

    /// What `history.csv` records of a generation.
    fn recorded(&self, generation: u32) -> Recorded;

    /// The candidate that comes nearest to these weights, to begin from; `None` if they weigh nothing
    /// that evolves, or a search cannot begin from any.
    fn founder(&self, _task: &Task, _weights: &Weights) -> Option<Chromosome> {
        None
    }

    /// The features that weights weigh and that a [founder](Self::founder) leaves out.
    fn left_out(&self, _task: &Task, _weights: &Weights) -> Vec<Feature> {
        Vec::new()
    }

    /// The optimiser, which has not begun.
    fn begin(&self, task: Task) -> Box<dyn Optimiser>;

    /// The optimiser as it was saved.
    ///
    /// # Errors
    /// If no optimiser of these settings left this.
    fn load(&self, task: Task, saved: Saved) -> Result<Box<dyn Optimiser>, LoadError>;

    /// A copy.
    fn boxed(&self) -> Box<dyn OptimiserSettings>;
}

/// What is learnt from endgame tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFitness {
    /// The setting that asks for it.
    pub fitness: String,
    /// Positions of a step.
    pub positions: u32,
}

impl Clone for Box<dyn OptimiserSettings> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

impl PartialEq for Box<dyn OptimiserSettings> {
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}
