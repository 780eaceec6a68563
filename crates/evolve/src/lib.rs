//! Evolves evaluation functions: optimisers, learned features and training runs.
//!
//! [`optimise`] contains the algorithms, [`learn`] fits hidden layers to labelled positions, and [`run`] implements a
//! training run: settings, the main loop, events, the run folder with its checkpoints, strength tests and finals.
//! [`task`] packs parts of this work into self-contained tasks that other machines can compute.

#![cfg_attr(
    not(test),
    warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

mod games;
pub mod learn;
pub mod optimise;
pub mod run;
pub mod task;
#[cfg(test)]
mod testing;
