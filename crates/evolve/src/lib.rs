//! Evolution of evaluation functions: optimisers, learned features, and a training run.
//!
//! [`optimise`] has the algorithms, [`learn`] fits hidden layers to labelled positions, and [`run`] is a training run:
//! settings, the loop, events, the folder with its checkpoints, strength tests and finals.

#![cfg_attr(
    not(test),
    warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

mod games;
pub mod learn;
pub mod optimise;
pub mod run;
