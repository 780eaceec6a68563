//! `ayo` trains the evaluation function of a mancala player by a genetic algorithm.
//!
//! The modules are floors of a house: each imports from its own floor and from those below it
//! (`tests/architecture.rs` holds this).
//!
//! | floor | module |
//! |---|---|
//! | 0 | [`store`], [`random`] |
//! | 1 | [`game`] |
//! | 2 | [`eval`], [`endgame`] |
//! | 3 | [`search`] |
//! | 4 | [`player`], [`arena`] |
//! | 5 | [`evolve`], [`study`] |
//! | 6 | [`report`], [`bench`] |
//! | 7 | [`cli`] |

pub mod arena;
pub mod bench;
pub mod cli;
pub mod endgame;
pub mod eval;
pub mod evolve;
pub mod game;
pub mod player;
pub mod random;
pub mod report;
pub mod search;
pub mod store;
pub mod study;
