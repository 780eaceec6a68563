//! The conversation with an optimiser: it asks, and what plays games answers.

use mancala::eval::Weights;

use super::genome::Chromosome;
use super::saved::Saved;
use super::step::Evaluated;
use crate::learn::{Fitted, Plan};
use arena::{Batch, Outcome};
use mancala::search::Options;

/// Searches for weights step by step.
///
/// A step is a conversation: [`ask`](Optimiser::ask) says what the optimiser needs to know next, and
/// [`tell`](Optimiser::tell) answers, until it asks for nothing more. An optimiser plays no game, reads no
/// clock and starts no thread, and what it does follows from its settings and the answers alone.
pub trait Optimiser: std::fmt::Debug + Send {
    /// What it needs to know next in the step under way, which this begins if none is.
    fn ask(&mut self) -> Ask;

    /// Answers what was asked last.
    fn tell(&mut self, answer: Answer);

    /// Forgets the step under way: the optimiser stands where the last finished step left it.
    fn abandon(&mut self);

    /// Whether the next step begins with learning features.
    fn learns_next(&self) -> bool {
        false
    }

    /// How the features came about that the last step weighs, if they were learned in it.
    fn fit(&self) -> Option<&Fit> {
        None
    }

    /// The last finished step.
    fn last(&self) -> Option<&Evaluated>;

    /// What it would call its best if it ended here; `None` before the first step.
    fn leader(&self) -> Option<Leader>;

    /// Candidates of the last step that may become champion beside the leader.
    fn finalists(&self) -> Vec<Proposal> {
        Vec::new()
    }

    /// Leaders of past steps that it keeps, oldest first.
    fn past(&self) -> &[Champion] {
        &[]
    }

    /// Forgets how games ended, which under other rules would end otherwise.
    fn forget_games(&mut self) {}

    /// All that another process needs to go on from the last finished step; `None` before the first.
    fn save(&self) -> Option<Saved>;
}

/// What an optimiser needs to know.
#[derive(Debug)]
pub enum Ask {
    /// How games end.
    Games(Batch),
    /// How players choose in positions whose value endgame tables know.
    Positions(Positions),
    /// What features a plan leads to.
    Layer(Box<Plan>),
    /// Nothing: the step is finished.
    Done,
}

/// The answer.
#[derive(Debug, Clone)]
pub enum Answer {
    /// The outcome of each game of the batch.
    Games(Vec<Outcome>),
    /// What each player gave away.
    Positions(Vec<Losses>),
    /// The units that were fitted.
    Layer(Box<Fitted>),
}

/// Positions that players are asked about, drawn from endgame tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    /// Seed of the draw.
    pub seed: u64,
    /// How many.
    pub count: u32,
    /// Plies that a player searches in each.
    pub depth: u32,
    /// How it values leaves and chooses among equals.
    pub options: Options,
    /// Weights, each of which is asked about all positions.
    pub players: Vec<Weights>,
}

/// What a player's choices in some positions gave away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Losses {
    /// Seeds that its choices gave away.
    pub lost: u64,
    /// Seeds that the worst choices would have given away.
    pub at_stake: u64,
}

/// How the features of an epoch came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The number of the epoch, from 1.
    pub epoch: u32,
    /// The first eight digits of the hash of the layer.
    pub layer: String,
    /// Positions that it was fitted to.
    pub positions: usize,
    /// Mean cross-entropy of each pass through them, in nats.
    pub losses: Vec<f64>,
    /// The score of the champion of the epoch before in its duel with the one that labelled positions until then.
    pub duel: Option<f64>,
}

/// What an optimiser calls its best.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leader {
    /// What would play as champion.
    pub candidate: Chromosome,
    /// Its fitness in the last step, if it was tried there.
    pub fitness: Option<u64>,
}

/// A candidate that may become champion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What it is, in words.
    pub what: &'static str,
    /// What would play as champion.
    pub candidate: Chromosome,
    /// Its fitness in the last step, if it was tried there.
    pub fitness: Option<u64>,
}

/// The champion of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Champion {
    /// The generation that it led.
    pub generation: u32,
    /// What stands for its weights.
    pub chromosome: Chromosome,
}
