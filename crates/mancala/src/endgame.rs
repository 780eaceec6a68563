//! Endgame tables: what perfect play brings from every position with few seeds.
//!
//! A value is the best seed difference that the side to move can still reach, its own seeds less the
//! opponent's, from −n to n with n seeds on the board. Play without end is worth 0. Under `awari` that makes
//! values well defined, and they are proven (Lincke, *Exploring the computational limits of large
//! exhaustive search problems*, ETH Zürich 2002; Romein and Bal, *Solving Awari with parallel retrograde
//! analysis*, IEEE Computer 36(10), 2003). Under `ayo` the payoff
//! of a repetition depends on the path, so a value by the same convention is a heuristic.
//!
//! A value depends neither on the stores nor on the end of the game at 25 captured seeds. Value and stores
//! together tell who wins.
//!
//! Architecture invariant: nothing here knows of search or players; they probe.

mod bounds;
mod build;
pub mod cdg;
mod census;
mod index;
mod layer;
mod map;
mod moves;
mod proof;
mod realising;
mod solver;
mod tables;
mod verify;

pub use bounds::Bounds;
pub use build::{BuildPlan, BuildPlanError, build};
pub use census::{Census, census};
pub use index::{Rows, positions, rank, unrank};
pub use layer::LayerError;
pub use proof::{Outcome, Proof, prove};
pub(crate) use tables::MOST_CAPTURED;
pub use tables::{Tables, TablesError, examine_layer, rules_in};
pub use verify::{Checked, Extent, Fault, verify};

#[cfg(test)]
pub(crate) mod tests;
