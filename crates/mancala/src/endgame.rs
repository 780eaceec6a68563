//! Endgame tables: the values of all positions with few seeds under perfect play.
//!
//! The value of a position is the seed difference that the side to move can still gain with best play, from −n to n if
//! n seeds are on the board. Endless play is worth 0. Under `awari`, the values are proven (Lincke, *Exploring the
//! computational limits of large exhaustive search problems*, ETH Zürich 2002; Romein and Bal, *Solving Awari with
//! parallel retrograde analysis*, IEEE Computer 36(10), 2003). Under `ayo`, the payoff of a repetition depends on the
//! path, so the values are heuristic.
//!
//! Values don't depend on the stores, nor on the rule that ends the game once a side has 25 seeds. To know the winner,
//! add the value to the difference between the stores.
//!
//! Architecture invariant: this module doesn't depend on search or players, which probe the tables.

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
