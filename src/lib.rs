//! `ayo` trains the evaluation function of a mancala player by a genetic algorithm.
//!
//! The games, evaluators and searches are the crate [`mancala`], players and games between them the crate [`arena`],
//! optimisers and training runs the crate [`evolve`]. This crate is the binary: `cli` parses the command line, a folder
//! for each group of commands has their arguments, work, results and pictures, and `terminal` and `plot` are shared.

#![cfg_attr(
    not(test),
    warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

pub mod analyse;
pub mod bench;
pub mod cli;
pub mod compare;
pub mod doctor;
mod export;
pub mod matches;
mod os;
pub mod play;
pub mod plot;
#[cfg_attr(not(feature = "web"), path = "serve/missing.rs")]
mod serve;
mod solve;
pub(crate) mod terminal;
pub(crate) mod terms;
pub(crate) mod train;

pub use arena::player;
pub use evolve::{learn, optimise, run};
pub use {arena, evolve};

/// The programs in the page about the libraries are compiled and run, as those in comments are.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;
