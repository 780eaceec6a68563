//! Benchmarks of the components of `ayo`, and a comparison of its perft with that of another program.
//!
//! The file is not called `main.rs` because cargo would then treat the folder as a benchmark of `ayo`.

mod peer;
mod pieces;

fn main() {
    divan::main();
}
