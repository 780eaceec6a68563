//! Attacks everything that runs overnight, counts what falls, and says how each fall is repeated.
//!
//! The program under attack is this one: called by the name `ayo` it is `ayo`, built with the faults of
//! the store; called by the name `engine` it is an engine that no player deserves. Only Linux is known
//! here.

mod cuts;
mod damage;
mod disk;
mod engine;
mod engines;
mod job;
mod kills;
mod night;
mod options;
mod process;
mod record;
mod report;
mod workplace;
mod writes;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::options::Options;
use crate::workplace::Workplace;

fn main() -> ExitCode {
    let called = std::env::args_os().next().unwrap_or_default();
    match Path::new(&called).file_name().and_then(|name| name.to_str()) {
        Some("ayo") => {
            record::begin();
            ayo::cli::main()
        }
        Some("engine") => engine::main(),
        _ => torture(),
    }
}

fn torture() -> ExitCode {
    let options = Options::parse();
    let workplace = Workplace::new(options.keep.as_deref()).expect("a folder to work in");
    let begun = std::time::Instant::now();
    let mut parts = Vec::new();
    for part in options.parts() {
        eprintln!("{} …", part.name());
        parts.push(part.run(&options, &workplace));
    }
    report::print(&options, &parts, begun.elapsed());
    let fell = parts.iter().any(|part| !part.falls.is_empty());
    ExitCode::from(u8::from(fell))
}
