//! The interface between an optimiser and the program that plays its games.

use std::io;
use std::path::Path;

use arena::{Batch, Outcome};
use mancala::eval::Weights;
use mancala::search::Options;
use mancala::store::FileError;
use serde::{Deserialize, Serialize};

use super::{Chromosome, Saved};
use crate::learn::{Fitted, Plan};

/// A step-by-step search for weights. An optimiser plays no games, reads no clock and starts no threads. Its behaviour
/// depends only on its settings and on the results that it gets from the [`Executor`].
pub trait Optimiser: std::fmt::Debug + Send {
    /// Takes a step. If the executor fails to complete the work, then the state stays unchanged.
    fn step(&mut self, executor: &mut dyn Executor) -> Result<(), WorkError>;

    /// Returns whether the next step starts by learning features.
    fn learns_next(&self) -> bool {
        false
    }

    /// Returns a report on the features learned in the last step, if any.
    fn fit(&self) -> Option<&FitReport> {
        None
    }

    fn islands(&self) -> &[Box<dyn Optimiser>] {
        &[]
    }

    /// Adds candidates from another run to the next step. If that step fails, then the candidates are lost. Panics if
    /// the settings have [no place](super::OptimiserSettings::migrant_places) for them.
    fn immigrate(&mut self, _migrants: &[Chromosome]) {
        panic!("this optimiser accepts no migrants");
    }

    fn last(&self) -> Option<&Evaluated>;

    /// Returns the number of finished steps.
    fn generation(&self) -> u32 {
        self.last().map_or(0, |last| last.generation)
    }

    /// Returns the current champion, or `None` before the first step.
    fn current_champion(&self) -> Option<Champion>;

    /// Returns additional candidates for the final games, along with their roles. A candidate's name consists of its
    /// role, such as `member of`, and its generation.
    fn finalists(&self) -> Vec<(&'static str, Champion)> {
        Vec::new()
    }

    /// Returns past champions, oldest first. If two of them share a generation, then the second one is stronger.
    fn past_champions(&self) -> &[Champion] {
        &[]
    }

    /// Discards cached game results. We call this when the rules or the depth may have changed.
    fn forget_games(&mut self) {}

    /// Returns the state after the last finished step, or `None` before the first step.
    fn save(&self) -> Option<Saved>;
}

/// Does the work that an optimiser requests, such as playing games. The default methods return [`WorkError::Stopped`],
/// so they must be implemented for optimisers that request such work.
pub trait Executor {
    fn games(&mut self, batch: &Batch) -> Result<Vec<Outcome>, WorkError>;

    /// Plays games between champions.
    fn match_games(&mut self, _: &Batch) -> Result<Vec<Outcome>, WorkError> {
        Err(WorkError::Stopped)
    }

    /// Lets players choose moves in positions with known values, and counts the seeds that they lose.
    fn losses(&mut self, _: &Positions) -> Result<Vec<SeedLosses>, WorkError> {
        Err(WorkError::Stopped)
    }

    fn layer(&mut self, _: &Plan) -> Result<Fitted, WorkError> {
        Err(WorkError::Stopped)
    }

    /// Advances all islands by one generation.
    fn islands(&mut self, _: Vec<IslandTask>) -> Result<Islands, WorkError> {
        Err(WorkError::Stopped)
    }
}

/// Reasons why the work of a run was not completed.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error("the work was stopped")]
    Stopped,
    #[error(transparent)]
    Failed(#[from] FileError),
}

impl WorkError {
    /// Creates an error for a failed action, such as "learn", on an object, such as "the features".
    pub(crate) fn failed(action: &'static str, object: &str, reason: impl ToString) -> WorkError {
        FileError::of(action, Path::new(object))(io::Error::other(reason.to_string())).into()
    }
}

/// Turns [`WorkError::Stopped`] into `None`.
pub fn unless_stopped<T>(work: Result<T, WorkError>) -> Result<Option<T>, FileError> {
    match work {
        Ok(done) => Ok(Some(done)),
        Err(WorkError::Stopped) => Ok(None),
        Err(WorkError::Failed(error)) => Err(error),
    }
}

/// The optimisers of all islands. All of them have completed the same number of generations.
pub type Islands = Vec<Box<dyn Optimiser>>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IslandTask {
    pub island: u32,
    /// The state to resume the island from, or `None` to start afresh.
    pub saved: Option<Saved>,
    /// Candidates that enter the first generation of the task.
    pub migrants: Vec<Chromosome>,
    /// The maximum number of generations to advance by. The island must not advance past the next migration.
    pub generations: u32,
}

/// The positions to draw from endgame tables, and the players that choose moves in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    pub seed: u64,
    pub count: u32,
    pub depth: u32,
    pub options: Options,
    pub players: Vec<Weights>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedLosses {
    pub lost: u64,
    /// The number of seeds that the worst moves would have lost.
    pub at_stake: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FitReport {
    pub iteration: u32,
    /// The first eight digits of the layer's hash.
    pub layer: String,
    pub positions: usize,
    /// The mean cross-entropy in each epoch, in nats.
    pub losses: Vec<f64>,
    /// The score of the previous iteration's evolved weights against its fitted weights, or `None` without games.
    pub evolved: Option<f64>,
    /// The source of the new labels: `evolved` weights, `fitted` weights, or the `results` of games.
    pub labeller: &'static str,
}

/// A generation's champion, or another candidate that may become champion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Champion {
    pub generation: u32,
    pub chromosome: Chromosome,
    /// The fitness in this generation, if the candidate was a member. The past champions of optimisers have no fitness.
    #[serde(skip)]
    pub fitness: Option<u64>,
}

impl Champion {
    pub(crate) fn past(generation: u32, chromosome: Chromosome) -> Champion {
        Champion { generation, chromosome, fitness: None }
    }
}

/// A generation and the fitness of its members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluated {
    pub generation: u32,
    pub members: Vec<Chromosome>,
    pub fitness: Vec<u64>,
    /// The number of games that the step asked for. A repeated game is only played once, but counted each time.
    pub games_asked: u64,
    pub games_played: u64,
}

impl Evaluated {
    pub(super) fn new(generation: u32, members: Vec<Chromosome>, fitness: Vec<u64>) -> Evaluated {
        Evaluated { generation, members, fitness, games_asked: 0, games_played: 0 }
    }

    /// Returns the fittest candidate (the first if several are equally fit) and its fitness.
    pub fn best(&self) -> (&Chromosome, u64) {
        let index = ranking(&self.fitness)[0];
        (&self.members[index], self.fitness[index])
    }

    pub(super) fn member(&self, index: usize) -> Champion {
        let (chromosome, fitness) = (self.members[index].clone(), Some(self.fitness[index]));
        Champion { generation: self.generation, chromosome, fitness }
    }
}

/// Returns the indices of candidates from the fittest to the least fit. Equally fit candidates keep their order.
pub fn ranking(fitness: &[u64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..fitness.len()).collect();
    ranking.sort_by_key(|&index| std::cmp::Reverse(fitness[index]));
    ranking
}
