//! Evolves evaluation functions: optimisers, learned features and training runs.
//!
//! [`optimise`] contains the algorithms, [`learn`] fits hidden layers to positions, [`run`]
//! implements training runs, and [`task`] packs work into tasks that other machines can compute.

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
