//! Endgame tables: the values of all positions with few seeds under perfect play.
//!
//! The value of a position is the seed difference that the side to move can still gain with best play. If there are n
//! seeds on the board, the value is between −n and n. Endless play counts as 0. Under the `awari` rules, the values are
//! proven (Lincke, *Exploring the computational limits of large exhaustive search problems*, ETH Zürich 2002; Romein
//! and Bal, *Solving Awari with parallel retrograde analysis*, IEEE Computer 36(10), 2003). Under the `ayo` rules, the
//! payoff of a repetition depends on the moves that led to it, so the values are only heuristic.
//!
//! The values don't depend on the stores. They also ignore the rule that the game ends once a side has captured 25
//! seeds. To find out who wins, add the value to the difference between the stores.
//!
//! Architecture invariant: the search and the players depend on this module, but not the other way round.

mod bounds;
mod build;
pub mod cdg;
mod index;
mod layer;
mod moves;
mod proof;
mod shortest_win;
mod solver;
mod tables;
mod verify;

pub use bounds::Bounds;
pub use build::{BuildPlan, build};
pub use index::{Rows, positions, rank, unrank};
pub use layer::identify_layer;
pub use proof::{Outcome, Proof, prove};
pub(crate) use tables::MAX_CAPTURE;
pub use tables::{Tables, TablesError, census, rules_in};
pub use verify::{VerifiedLayer, verify};

#[cfg(test)]
pub(crate) mod tests;
