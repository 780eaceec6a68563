pub(crate) mod book;
pub(crate) mod endgame;
pub(crate) mod kalah;
pub(crate) mod perft;
