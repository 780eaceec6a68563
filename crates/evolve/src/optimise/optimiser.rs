//! The interface between an optimiser and the program that plays games for it.

use arena::{Batch, Outcome};
use mancala::eval::Weights;
use mancala::search::Options;

use super::genome::Chromosome;
use super::saved::Saved;
use crate::learn::{Fitted, Plan};

/// A search for weights, step by step.
///
/// In each step, [`ask`](Optimiser::ask) returns a request and [`tell`](Optimiser::tell) takes the answer, until
/// `ask` returns [`Ask::Done`]. An optimiser plays no games, reads no clock and starts no threads. Its behaviour
/// depends only on its settings and the answers.
pub trait Optimiser: std::fmt::Debug + Send {
    /// Returns the next request. Starts a new step if the previous one is finished.
    fn ask(&mut self) -> Ask;

    /// Answers the last request.
    fn tell(&mut self, answer: Answer);

    /// Abandons the current step and returns to the state after the last finished one.
    fn abandon(&mut self);

    /// Whether the next step starts with learning features.
    fn learns_next(&self) -> bool {
        false
    }

    /// Describes the features that were learned in the last step, if any.
    fn fit(&self) -> Option<&FitReport> {
        None
    }

    /// The last finished step.
    fn last(&self) -> Option<&Evaluated>;

    /// The current champion; `None` before the first step.
    fn current_champion(&self) -> Option<CurrentChampion>;

    /// Further candidates of the last step for the final games, each with a description in words.
    fn finalists(&self) -> Vec<(&'static str, CurrentChampion)> {
        Vec::new()
    }

    /// Past champions that the optimiser keeps, oldest first.
    fn past_champions(&self) -> &[Champion] {
        &[]
    }

    /// Forgets game results, which a change of the rules or the depth makes invalid.
    fn forget_games(&mut self) {}

    /// The state from which another process can resume after the last finished step; `None` before the first.
    fn save(&self) -> Option<Saved>;
}

/// A request of an optimiser.
#[derive(Debug)]
pub enum Ask {
    /// Play games.
    Games(Batch),
    /// Let players choose moves in positions of known value.
    Positions(Positions),
    /// Learn features.
    Layer(Box<Plan>),
    /// Nothing: the step is finished.
    Done,
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// The outcome of each game of the batch.
    Games(Vec<Outcome>),
    /// The losses of each player.
    Positions(Vec<SeedLosses>),
    /// The learned features.
    Layer(Box<Fitted>),
}

/// Positions from endgame tables in which players choose moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    /// Seed that selects the positions.
    pub seed: u64,
    pub count: u32,
    /// Search depth in plies.
    pub depth: u32,
    /// How leaves are valued and ties are broken.
    pub options: Options,
    /// The players, all of which see all positions.
    pub players: Vec<Weights>,
}

/// The losses of a player's moves compared with perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeedLosses {
    /// Seeds lost by the chosen moves.
    pub lost: u64,
    /// Seeds that the worst moves would have lost.
    pub at_stake: u64,
}

/// A report on the features learned for an epoch.
#[derive(Debug, Clone, PartialEq)]
pub struct FitReport {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// The first eight digits of the layer's hash.
    pub layer: String,
    /// Number of training positions.
    pub positions: usize,
    /// Mean cross-entropy of each pass over the positions, in nats.
    pub losses: Vec<f64>,
    /// Score of the previous epoch's champion in its gating match, if it played one.
    pub duel: Option<f64>,
}

/// The current champion of an optimiser, or another candidate for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentChampion {
    pub candidate: Chromosome,
    /// Its fitness in the last step, if it was a member.
    pub fitness: Option<u64>,
}

/// The champion of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Champion {
    pub generation: u32,
    pub chromosome: Chromosome,
}

/// A finished step: a generation whose fitness is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// Number of the generation, from 1.
    pub generation: u32,
    pub members: Vec<Chromosome>,
    /// Fitness of each candidate.
    pub fitness: Vec<u64>,
    /// Games that were needed, repeated ones included.
    pub games_asked: u64,
    /// Games that were played.
    pub games_played: u64,
}

impl Evaluated {
    /// Returns the fittest candidate and its fitness; of equally fit ones the first.
    pub fn best(&self) -> (&Chromosome, u64) {
        let index = ranking(&self.fitness)[0];
        (&self.members[index], self.fitness[index])
    }
}

/// Indices of candidates from the fittest to the least fit; of equally fit ones the lower index comes first.
pub fn ranking(fitness: &[u64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..fitness.len()).collect();
    // The sort is stable.
    ranking.sort_by_key(|&index| std::cmp::Reverse(fitness[index]));
    ranking
}
