pub(crate) mod ablate;
pub(crate) mod accuracy;
pub(crate) mod bestmove;
pub(crate) mod board;
pub(crate) mod eval;
pub(crate) mod judge;
pub(crate) mod position;
pub(crate) mod replay;
