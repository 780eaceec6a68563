//! Commands that solve games: endgame tables, proofs, opening books, small boards of kalah, perft.

pub(crate) mod book;
pub(crate) mod endgame;
pub(crate) mod kalah;
pub(crate) mod perft;
mod prove;
mod size;
