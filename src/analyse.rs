//! Commands that analyse weights, players, positions and games.

pub mod ablate;
pub mod accuracy;
pub(crate) mod bestmove;
pub(crate) mod eval;
pub(crate) mod replay;
