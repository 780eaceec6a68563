//! Game tree search, to a fixed depth or within a budget.
//!
//! Values are from the point of view of the side to move. Since a side may move several times in a row, we only negate
//! values if the other side moves next, not at every ply. Evaluations don't have to be antisymmetric, so we evaluate
//! leaves for the player given by the [perspective](crate::eval::Perspective), not for the side to move.
//!
//! Architecture invariant: pruning makes a search faster, but never changes the move that it chooses. Tests compare
//! every search with [`minimax`]. The only exception is the [`engine`], which may choose a different move.

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
    /// The legal moves and their values for the side to move. Some moves may be missing if the search was stopped.
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
