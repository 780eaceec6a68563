//! The genetic algorithm: breeding, and fitness by games, by endgame tables or by both.

pub(crate) mod breeding;
pub(crate) mod founders;
pub(crate) mod recalling;
pub(crate) mod table;
pub(crate) mod table_fitness;
pub(crate) mod tournament;
