//! Evaluates the rows of a file in plain Rust, so that we can compare the speed of `Evaluator.evaluate_batch` with it:
//!
//! ```sh
//! cargo run --release --features pyo3/extension-module --example evaluate_rows rows.u8 learned 2
//! ```
//!
//! The file is written by `array.tofile`, where `array` contains 8-bit numbers in the columns of `Position.seeds`.
//! Prints the fastest and the median of 25 rounds, and the sum of the values.

use std::env;
use std::time::{Duration, Instant};

use mancala::eval;
use mancala::game::Side;
use mancala::game::ayo::{Ayo, Position};
use mancala::search::{Options, SearchableGame};
use mancala::store;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

const ROUNDS: usize = 25;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, weights, threads] = arguments.as_slice() else {
        panic!("arguments: FILE WEIGHTS THREADS")
    };
    let bytes = store::read(file.as_ref()).expect("a file of rows");
    let weights = eval::load(weights).expect("weights");
    let searcher = Ayo::searcher(&weights, Options::for_weights(&weights));
    let pool = ThreadPoolBuilder::new().num_threads(threads.parse().expect("a number")).build();
    let pool = pool.expect("threads");
    let evaluate = |row: &[u8; 15]| {
        let [pits @ .., south, north, side] = *row;
        let to_move = Side::BOTH[usize::from(side)];
        let position = Position::new(pits, [south, north], to_move);
        position.map(|position| searcher.evaluate(&position, to_move).0)
    };
    let (mut times, mut sum) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let (rows, _) = bytes.as_chunks();
        let rows = || rows.par_iter().with_min_len(1024).map(evaluate);
        let values = pool.install(|| rows().collect::<Result<Vec<i32>, _>>());
        times.push(start.elapsed());
        sum = values.expect("positions").into_iter().map(i64::from).sum::<i64>();
    }
    times.sort();
    let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
    let [fastest, median] = [times[0], times[ROUNDS / 2]].map(milliseconds);
    println!("{fastest:.1} ms, median {median:.1} ms, sum {sum}");
}
