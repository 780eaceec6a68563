//! Game tree search to a fixed depth or within a budget.
//!
//! The side to move at a node decides whether it maximises. Values never change sign by ply, since a side may move
//! several times in a row and an evaluation need not be antisymmetric.
//!
//! Architecture invariant: pruning changes the cost of a search, never its choice. Tests compare every search with
//! [`minimax`]. Only [`engine`] may choose other moves.

mod alpha_beta;
mod deepening;
pub mod engine;
mod leaves;
mod options;
mod order;
mod probing;
mod reference;
mod searcher;
mod table;
mod tree;

pub use alpha_beta::{alpha_beta, move_values, principal_variation};
pub use deepening::{Iteration, Limits, deepen};
pub use leaves::Sample;
pub use options::{Options, Ties};
pub use probing::Probing;
pub use reference::{minimax, unordered};
pub use searcher::{Pruning, SearchableGame, Searcher};
pub use tree::Tree;

use crate::eval::Score;
use crate::game::Pit;

/// The deepest search, in plies.
pub const MAX_DEPTH: u32 = 100;

/// The values of the moves of a position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveValues {
    /// The value of every legal move for the side to move; fewer if the search was stopped.
    pub moves: Vec<(Pit, Score)>,
    /// Positions entered.
    pub nodes: u64,
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub pit: Pit,
    /// Its value for the side to move at the root.
    pub score: Score,
    /// Positions entered below the root.
    pub nodes: u64,
    /// Plies searched.
    pub depth: u32,
}

#[cfg(test)]
mod tests;
