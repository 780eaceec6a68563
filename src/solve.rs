//! Commands for endgame tables, proofs, opening books, small kalah boards and perft.

pub(crate) mod book;
pub(crate) mod endgame;
pub(crate) mod kalah;
pub(crate) mod perft;
