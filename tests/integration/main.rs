//! The program from outside: what it prints, what it leaves in a run folder, how it fails.

mod architecture;
mod arena;
mod arguments;
mod cdg;
mod checkpoints;
mod compare;
mod determinism;
mod endgame;
mod folders;
mod golden;
mod kalah;
mod optimisers;
mod output;
mod partner;
mod players;
mod printed;
mod replay;
mod search;
#[cfg(unix)]
mod signals;
mod strength;
mod support;
mod tables;
mod uci;
