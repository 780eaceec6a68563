//! Tests of the program from the command line: its output, the run folders it writes, and its errors.

// On Windows, we don't compile the tests that send signals, so some helpers are unused.
#![cfg_attr(not(unix), allow(unused))]

mod arena;
mod arguments;
mod book;
mod checkpoints;
mod compare;
mod damage;
mod determinism;
mod doctor;
mod endgame;
mod exchange;
mod exported;
mod exports;
mod faults;
mod folders;
mod golden;
mod injection;
mod islands;
mod kalah;
mod learned;
mod learning;
#[cfg(target_os = "linux")]
mod memory;
mod opponents;
mod optimisers;
mod output;
mod pits;
#[cfg(target_os = "linux")]
mod planted;
mod players;
mod release;
mod replay;
mod report;
mod safety;
mod schema;
mod seeds;
mod settings;
#[cfg(unix)]
mod signals;
mod stop;
mod strength;
mod support;
mod tables;
mod uci;
#[cfg(feature = "web")]
mod web;
