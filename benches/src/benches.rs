//! Times of the inner pieces of `ayo`, and its perft beside that of another program.
//!
//! Not called `main.rs`: cargo would take the folder for a benchmark of `ayo`.

mod peer;
mod pieces;

fn main() {
    divan::main();
}
