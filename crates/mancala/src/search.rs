//! Game tree search, to a fixed depth or within a budget.
//!
//! Values are for the side to move. They are negated where the other side moves next rather than at every ply, because
//! a side may move several times in succession. An evaluation need not be antisymmetric, so the player for whom
//! positions are evaluated depends on the [perspective](crate::eval::Perspective) and not on the side to move.
//!
//! Architecture invariant: pruning changes the cost of a search, never the move it chooses. Tests compare every search
//! with [`minimax`]. Only [`engine`] may choose a different move.

mod alpha_beta;
mod deepening;
pub mod engine;
mod options;
mod order;
mod probing;
mod reference;
mod searcher;
mod table;
mod tree;

pub use alpha_beta::{alpha_beta, move_values, principal_variation};
pub use deepening::{Iteration, Limits, deepen};
pub use options::{Options, Ties};
pub use probing::Probing;
pub use reference::{minimax, unordered};
pub use searcher::{Pruning, Sample, SearchableGame, Searcher};
pub use tree::Tree;

use crate::eval::Score;
use crate::game::Pit;

/// The maximum search depth in plies.
pub const MAX_DEPTH: u32 = 100;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveValues {
    /// The value of each legal move for the side to move. If the search was stopped, some moves are missing.
    pub moves: Vec<(Pit, Score)>,
    pub nodes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchResult {
    pub pit: Pit,
    /// The value of the move for the side to move at the root.
    pub score: Score,
    /// The number of positions visited below the root.
    pub nodes: u64,
    /// The search depth in plies.
    pub depth: u32,
}

#[cfg(test)]
mod tests;
