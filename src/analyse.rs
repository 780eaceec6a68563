//! Commands that analyse weights, players, positions and games.

pub mod ablate;
pub mod accuracy;
pub(crate) mod bestmove;
#[cfg(feature = "web")]
pub(crate) mod board;
pub(crate) mod eval;
mod judge;
pub(crate) mod replay;
