//! What more workers would bring to a run: `cargo run --release --features redis --example workers -- standard 6`.
//!
//! Some generations of a preset are played on one thread; then a simulation shares their tasks out.

use std::env::args;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use ayo::arena::LocalGames;
use ayo::run::{Draft, Trainer};
use ayo::workers::simulation::{Network, Recorded, Recorder};

/// Seconds of processor that a task is taken to cost the coordinator with the server, and the worker; the first command of
/// docs/distributed.md measures them.
const HANDLING: f64 = 300e-6;
const TAKING: f64 = 200e-6;
/// What workers search again of what others remember; measured for four of them.
const AGAIN: f64 = 0.1;

fn main() -> Result<(), Box<dyn Error>> {
    let preset = args().nth(1).unwrap_or("standard".into());
    let generations: u32 = args().nth(2).unwrap_or("6".into()).parse()?;
    let recorder = Arc::new(Recorder::new(LocalGames::with_move_cache(), 10_000));
    let mut trainer = Trainer::new(Draft::preset(&preset)?.finish()?).playing_at(recorder.clone());
    let begun = Instant::now();
    for _ in 0..generations {
        trainer.step(&());
    }
    let (all, batches) = (begun.elapsed().as_secs_f64(), recorder.batches());
    let games: f64 = batches.iter().map(Recorded::seconds).sum();
    let between = (all - games) / batches.len() as f64;
    println!(
        "{preset}: {generations} generations, {all:.2} s on one thread, {:.1} % of it games",
        100.0 * games / all
    );
    println!(
        "{:.0} ms of games in each of {} batches\n",
        1e3 * games / batches.len() as f64,
        batches.len()
    );
    println!(
        "workers   tasks a batch   efficiency where a message travels 0.1 ms, 1 ms, 10 ms, 50 ms"
    );
    for workers in [1, 2, 4, 8, 16, 32, 128, 1000] {
        let of = |delay: f64| {
            let (handling, taking) = (HANDLING, TAKING);
            let network = Network {
                workers,
                local: 1,
                cores: None,
                delay,
                handling,
                taking,
                again: AGAIN,
                check_every: 100,
                between,
            };
            network.forecast(&batches)
        };
        let tasks = of(0.0).tasks / batches.len();
        let row = [1e-4, 1e-3, 1e-2, 5e-2].map(|it| format!("{:>6.3}", of(it).efficiency));
        println!("{workers:>7}   {tasks:>13}   {}", row.join(" "));
    }
    Ok(())
}
