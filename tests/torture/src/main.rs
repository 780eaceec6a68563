//! Attacks everything that runs overnight, counts failures, and prints how to reproduce each of them.
//!
//! Run as `ayo`, this executable is `ayo` with fault injection in the store. Requires Linux.

mod cuts;
mod disk;
mod job;
mod kills;
mod night;
mod options;
mod process;
mod record;
mod report;
mod sandbox;
mod writes;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::options::Options;
use crate::sandbox::Sandbox;

fn main() -> ExitCode {
    let called = std::env::args_os().next().unwrap_or_default();
    match Path::new(&called).file_name().and_then(|name| name.to_str()) {
        Some("ayo") => {
            record::begin();
            ayo::cli::main()
        }
        _ => torture(),
    }
}

fn torture() -> ExitCode {
    let options = Options::parse();
    let sandbox = Sandbox::new(options.keep.as_deref()).expect("a folder to work in");
    let begun = std::time::Instant::now();
    let mut parts = Vec::new();
    for part in options.parts() {
        eprintln!("{} …", part.name());
        parts.push(part.run(&options, &sandbox));
    }
    report::print(&options, &parts, begun.elapsed());
    let fell = parts.iter().any(|part| !part.failures.is_empty());
    ExitCode::from(u8::from(fell))
}
