//! Work shared out over machines, through a Redis server.
//!
//! A [`Coordinator`] is the process that a run belongs to. It offers pieces of its work in a server, does pieces too, and
//! puts the answers in order. A [`Worker`] is a process anywhere that does such pieces. What comes out is the same as
//! without workers, to the byte: a piece is a pure function of what its task says.
//!
//! docs/distributed.md describes how it is used and what is promised.

mod address;
mod coordinator;
mod cut;
mod digest;
mod engine;
mod games;
mod keys;
mod link;
mod roster;
mod runs;
mod shares;
pub mod simulation;
mod trained;
mod trials;
mod wire;
mod work;
mod worker;

pub use address::{Address, AddressError};
pub use coordinator::{Coordinator, NoServer, Tell, Terms};
pub use engine::{Engine, Honest};
pub use games::{Crew, SharedGames};
pub use roster::{Roster, RunRow};
pub use runs::SharedRuns;
pub use trials::SharedTrials;
pub use wire::{Answer, Piece, RunCard, Task, WorkerCard, build};
pub use worker::Worker;
