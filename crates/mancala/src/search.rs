//! Searching a game tree to a depth.
//!
//! Every leaf is evaluated from the view of the player at the root, whichever side is to move there, since
//! an evaluation need not be antisymmetric; the side to move at a node decides whether it maximises.
//! Ties go to the lowest pit.
//!
//! Architecture invariant: a search never prints, and pruning changes what a search costs, never what
//! it chooses. [`minimax`] is the reference that the tests compare with.

mod alpha_beta;
mod deepening;
pub mod engine;
mod erased;
mod leaves;
mod notes;
mod options;
mod order;
mod plain;
mod probing;
mod searcher;
mod table;
mod tree;
mod unordered;
mod window;

pub use alpha_beta::{alpha_beta, payoffs, principal_variation};
pub use deepening::{Iteration, Limits, deepen};
pub use leaves::Sample;
pub use options::{Options, Ties};
pub use plain::minimax;
pub use probing::Probing;
pub use searcher::{Pruning, SearchableGame, Searcher};
pub use tree::Tree;
pub use unordered::unordered;

use crate::eval::Score;
use crate::game::Pit;

/// The deepest search, in plies.
pub const MAX_DEPTH: u32 = 100;

/// What the moves of a position are worth.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Payoffs {
    /// The value of every legal move for the side to move; fewer if the search was stopped.
    pub moves: Vec<(Pit, Score)>,
    /// Positions entered.
    pub nodes: u64,
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The best move, the lowest pit among equals.
    pub pit: Pit,
    /// Its value for the side to move at the root.
    pub score: Score,
    /// Positions entered below the root.
    pub nodes: u64,
    /// Plies that were searched.
    pub depth: u32,
}

#[cfg(test)]
mod tests;
