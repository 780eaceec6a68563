//! `ayo` trains the evaluation function of a mancala player by a genetic algorithm.
//!
//! The games themselves, their evaluators and the search are the crate [`mancala`]; players, the games between
//! them and the optimisers are the crate [`evolution`], whose modules can be had from here as well. The modules
//! here are the floors above: each imports from its own floor and from those below it
//! (`tests/integration/architecture.rs` holds this).
//!
//! | floor | module |
//! |---|---|
//! | 0 | what is asked of the operating system |
//! | 1 | [`run`] |
//! | 2 | [`results`] |
//! | 3 | [`report`], [`mod@bench`] |
//! | 4 | [`app`] |
//! | 5 | `serve`, the page of `ayo serve`; without the feature `web` an error message |
//! | 6 | [`cli`] |

#![cfg_attr(
    not(test),
    warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

pub mod app;
pub mod bench;
pub mod cli;
mod os;
pub mod plot;
pub mod results;
#[cfg_attr(not(feature = "web"), path = "serve/missing.rs")]
mod serve;
pub(crate) mod terminal;

pub use arena::player;
pub use evolve::{learn, optimise, run};
pub use {arena, evolve};

/// The programs in the page about the libraries are compiled and run, as those in comments are.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;
