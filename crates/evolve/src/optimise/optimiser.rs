//! The interface between an optimiser and the program that plays its games.

use arena::{Batch, Outcome};
use mancala::eval::Weights;
use mancala::search::Options;

use super::{Chromosome, Saved};
use crate::learn::{Fitted, Plan};

/// A step-by-step search for weights. In each step, [`ask`](Optimiser::ask) returns requests and
/// [`tell`](Optimiser::tell) accepts their answers, until `ask` returns [`Ask::Done`]. An optimiser plays no games,
/// reads no clock and starts no threads. Its behaviour depends only on its settings and the answers.
pub trait Optimiser: std::fmt::Debug + Send {
    /// Returns the next request, starting a new step if the previous one is finished.
    fn ask(&mut self) -> Ask;

    fn tell(&mut self, answer: Answer);

    /// Abandons the current step and restores the state after the last finished one.
    fn abandon(&mut self);

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

    /// Adds candidates from another run to the next step. They are lost if the step is abandoned. Panics if the
    /// settings have [no place](super::OptimiserSettings::migrant_places) for them.
    fn immigrate(&mut self, _migrants: &[Chromosome]) {
        panic!("this optimiser takes no migrants");
    }

    fn last(&self) -> Option<&Evaluated>;

    /// Returns the number of finished steps.
    fn generation(&self) -> u32 {
        self.last().map_or(0, |last| last.generation)
    }

    /// Returns the current champion, or `None` before the first step.
    fn current_champion(&self) -> Option<Champion>;

    /// Returns additional candidates for the final games with short descriptions, from the last step.
    fn finalists(&self) -> Vec<(&'static str, Champion)> {
        Vec::new()
    }

    /// Returns some past champions, oldest first. If a generation has two, the second proved to be stronger.
    fn past_champions(&self) -> &[Champion] {
        &[]
    }

    /// Discards cached game results, because the rules or the depth have changed.
    fn forget_games(&mut self) {}

    /// Returns the state after the last finished step, or `None` before the first step.
    fn save(&self) -> Option<Saved>;
}

#[derive(Debug)]
pub enum Ask {
    Games(Batch),
    /// Play games between champions. The answer is [`Answer::Games`].
    Match(Batch),
    /// Have players choose moves in positions whose values are known.
    Positions(Positions),
    Layer(Box<Plan>),
    Islands(Vec<IslandTask>),
    Done,
}

#[derive(Debug)]
pub enum Answer {
    Games(Vec<Outcome>),
    Positions(Vec<SeedLosses>),
    Layer(Box<Fitted>),
    Islands(Islands),
}

/// The optimisers of all islands, after the same generation.
pub type Islands = Vec<Box<dyn Optimiser>>;

#[derive(Debug, Clone, PartialEq)]
pub struct IslandTask {
    pub island: u32,
    /// The state from which the island continues, or `None` to start it.
    pub saved: Option<Saved>,
    /// Candidates that enter the first of the generations.
    pub migrants: Vec<Chromosome>,
    /// Maximum number of generations, which ends with the next migration.
    pub generations: u32,
}

/// Positions from endgame tables, in which players are to choose moves.
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
    /// Seeds that the worst moves would have lost.
    pub at_stake: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FitReport {
    pub iteration: u32,
    /// First eight digits of the layer's hash.
    pub layer: String,
    pub positions: usize,
    /// Mean cross-entropy of each epoch, in nats.
    pub losses: Vec<f64>,
    /// Score of the previous iteration's evolved weights against its fitted weights, unless they are the same.
    pub evolved: Option<f64>,
    /// The source of the new labels: the `evolved` or the `fitted` weights, or the `results` of games.
    pub labeller: &'static str,
}

/// The champion of a generation, or another candidate that may become champion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Champion {
    pub generation: u32,
    pub chromosome: Chromosome,
    /// Fitness in the generation, if the candidate was a member. Past champions, as kept by optimisers, do not have it.
    pub fitness: Option<u64>,
}

impl Champion {
    pub(crate) fn past(generation: u32, chromosome: Chromosome) -> Champion {
        Champion { generation, chromosome, fitness: None }
    }

    pub(crate) fn is_of_same_generation(&self, other: &Champion) -> bool {
        self.generation == other.generation
    }
}

/// A generation whose fitness is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    pub generation: u32,
    pub members: Vec<Chromosome>,
    pub fitness: Vec<u64>,
    /// Number of games that fitness is computed from, including repeated ones that are played only once.
    pub games_asked: u64,
    pub games_played: u64,
}

impl Evaluated {
    /// Creates a generation in which no games have been played.
    pub(super) fn new(generation: u32, members: Vec<Chromosome>, fitness: Vec<u64>) -> Evaluated {
        Evaluated { generation, members, fitness, games_asked: 0, games_played: 0 }
    }

    /// Returns the fittest candidate, the first if several are equally fit, and its fitness.
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
