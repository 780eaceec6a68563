//! The page of `ayo serve`, and the interface that it is written to: `docs/web.md`.
//!
//! Architecture invariant: the server keeps no game and no run. A request has all of a game, and a run is a
//! process of its own in its own folder. Nothing here prints.

mod access;
mod address;
mod answer;
mod assets;
mod cache;
mod connections;
mod desk;
mod events;
mod fingerprint;
mod games;
mod hosts;
mod jobs;
mod limiter;
mod matches;
mod players;
mod routes;
mod runs;
mod shelf;
mod token;

pub use address::{Server, ServerError};
pub use desk::Folders;
pub use hosts::Reach;
