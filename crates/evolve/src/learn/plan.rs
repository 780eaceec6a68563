//! What is to be learned, and what it came to.

use mancala::eval::{Layer, Weights};
use mancala::game::AnyGame;
use mancala::search::Options;

/// How many units a layer can have.
pub const SIZES: [usize; 6] = [8, 16, 24, 32, 48, 64];

/// What a layer is to be learned from.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Seed of its streams of chance.
    pub seed: u64,
    /// Which of a run's layers it is to be, from 1.
    pub epoch: u32,
    /// What is played.
    pub game: AnyGame,
    /// Hidden units.
    pub units: usize,
    /// Phases of a game in which units have output weights of their own, from 1.
    pub phases: usize,
    /// Positions that the units are fitted to.
    pub positions: u32,
    /// How often the fit goes through all of them.
    pub passes: u32,
    /// Plies of the searches that choose the moves of games.
    pub depth: u32,
    /// Plies of the search that labels a position.
    pub label_depth: u32,
    /// How searches value leaves and choose among equals.
    pub options: Options,
    /// Whose games are played.
    pub teacher: Teacher,
}

/// Where labels come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Teacher {
    /// How games of a player that counts captured seeds ended that a position occurred in.
    Outcomes,
    /// What a player with these weights finds by searching the position.
    Scores(Box<Weights>),
}

/// A layer, and what became of its fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The hidden units, and how their output weights change in the course of a game.
    pub layer: Layer,
    /// The output weights that were fitted with them, one a unit, on the logistic scale: of a unit's weights in all
    /// phases the largest in size.
    pub outputs: Vec<f32>,
    /// Mean cross-entropy of each pass, in nats.
    pub losses: Vec<f64>,
    /// Positions that it was fitted to.
    pub positions: usize,
}
