//! The completely determined game (CDG): one side captures two seeds at every turn until a single one is left.
//!
//! The opponent has one seed and must move it; the other side's row is a *vector* x₁, x₂, …, with pit 1 the
//! nearest to the opponent (F for South, f for North). A pit i with exactly i + 1 seeds is harvestable: its
//! last seed reaches the opponent's second pit and captures two there. Of every even sum there is at most
//! one vector that can be harvested empty (Akinyemi, *thesis*, 2012, chapter 3; the solitaire is
//! Tchoukaillon: Broline and Loeb, *The combinatorics of Mancala-type games*, UMAP Journal 16(1), 1995).
//!
//! Nothing here depends on six pits. Whether the other rules allow a play-out is another
//! matter: a side with more than 24 seeds ends the game (see [`Situation::position`]).

mod blocks;
mod marching;
mod remainder;
mod situation;
#[cfg(test)]
mod tests;
mod vector;

pub use blocks::{Totals, block_count, conjectured, maximal, shortcut, totals};
pub use marching::{Pattern, march, pattern};
pub use remainder::{Remainder, fits, is_cdg, remainder};
pub use situation::{Situation, SituationError};
pub use vector::{grown, harvest, harvestable, of_sum, row, vectors};
