//! The input and the result of learning a layer.

use mancala::eval::{Layer, Weights};
use mancala::game::AnyGame;
use mancala::search::Options;

/// Numbers of units that a layer can have.
pub const SIZES: [usize; 6] = [8, 16, 24, 32, 48, 64];

/// The parameters of learning a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Seed of the random streams.
    pub seed: u64,
    /// Number of the layer in the run, from 1.
    pub epoch: u32,
    pub game: AnyGame,
    /// Number of hidden units.
    pub units: usize,
    /// Number of phases of a game with different output weights.
    pub phases: usize,
    /// Number of training positions.
    pub positions: u32,
    /// Number of passes over the positions.
    pub passes: u32,
    /// Depth of the searches that choose moves.
    pub depth: u32,
    /// Depth of the searches that label positions.
    pub label_depth: u32,
    /// How leaves are valued and ties are broken.
    pub options: Options,
    pub teacher: Teacher,
}

/// The source of games and labels.
#[derive(Debug, Clone, PartialEq)]
pub enum Teacher {
    /// Results of games of a player that counts captured seeds.
    Outcomes,
    /// Search scores of a player with these weights.
    Scores(Box<Weights>),
}

/// A learned layer with statistics of the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The hidden units, with the factors of their output weights in each phase.
    pub layer: Layer,
    /// The largest output weight of each unit, in log odds.
    pub outputs: Vec<f32>,
    /// Mean cross-entropy of each pass, in nats.
    pub losses: Vec<f64>,
    /// Number of training positions.
    pub positions: usize,
}
