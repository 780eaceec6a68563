//! Ways to search for weights: each asks for games, is told how they ended, and knows a best.

pub(crate) mod baseline;
pub(crate) mod fitness;
pub(crate) mod genetic;
pub(crate) mod genome;
