//! `ayo` trains the evaluation function of a mancala player by a genetic algorithm.
//!
//! The games themselves, their evaluators and the search are the crate [`mancala`]. The modules here
//! are the floors above it: each imports from its own floor and from those below it
//! (`tests/integration/architecture.rs` holds this).
//!
//! | floor | module |
//! |---|---|
//! | 3 | what is asked of the operating system |
//! | 4 | [`player`], [`arena`] |
//! | 5 | [`optimise`], [`run`] |
//! | 6 | [`results`] |
//! | 7 | [`report`], [`study`], [`mod@bench`] |
//! | 8 | [`app`] |
//! | 9 | `web`, the page of `ayo serve`, if the feature of that name is on |
//! | 10 | [`cli`] |

pub mod app;
pub mod arena;
pub mod bench;
pub mod cli;
pub mod learn;
pub mod optimise;
mod os;
pub mod player;
pub mod report;
pub mod results;
pub mod run;
pub mod study;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "redis")]
pub mod workers;
