//! Mancala games: rules and notation, evaluators, game tree search and endgame tables.
//!
//! The modules stand on floors. Each imports from its own floor and from those below it.
//!
//! | floor | module |
//! |---|---|
//! | 0 | [`store`], [`random`], [`progress`] |
//! | 1 | [`game`] |
//! | 2 | [`eval`], [`endgame`] |
//! | 3 | [`search`] |

pub mod endgame;
pub mod eval;
pub mod game;
pub mod progress;
pub mod random;
pub mod search;
pub mod store;
