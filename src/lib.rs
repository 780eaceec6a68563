//! `ayo` trains the evaluation function of a mancala player with a genetic algorithm.
//!
//! Games, evaluators and searches are in the crate [`mancala`], players and matches in [`arena`], and optimisers and
//! training runs in [`evolve`]. This crate is the binary. `cli` parses the command line. Each group of commands has its
//! own module. These modules share `terminal` and `plot`.

#![cfg_attr(
    not(test),
    warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

pub mod analyse;
mod bench;
pub mod cli;
pub mod compare;
mod convert;
pub mod doctor;
mod export;
pub mod matches;
mod os;
pub mod play;
pub mod plot;
pub mod report;
#[cfg_attr(not(feature = "web"), path = "serve/missing.rs")]
mod serve;
mod solve;
mod task;
pub mod terminal;
pub(crate) mod train;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use arena::player;
pub use evolve::{learn, optimise, run};
pub use {arena, evolve};

/// Locks a mutex, even if it was poisoned by a panicking thread.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compiles and runs the examples in `docs/library.md` as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;
