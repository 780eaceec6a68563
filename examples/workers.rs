//! What more workers would bring to a run: `cargo run --release --features redis --example workers -- standard 6`.
//!
//! Some generations of a preset are played on one thread; then a simulation shares their tasks out.

use std::env::args;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use ayo::arena::LocalGames;
use ayo::run::{Draft, Trainer};
use ayo::workers::simulation::{Network, Recorder};

/// Seconds that the coordinator takes for a task and its answer; docs/distributed.md says how it was measured.
const HANDLING: f64 = 40e-6;

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
    let games: f64 = batches.iter().flatten().sum();
    let tasks: usize = batches.iter().map(Vec::len).sum();
    let between = (all - games) / batches.len() as f64;
    println!(
        "{preset}: {generations} generations, {all:.2} s on one thread, {:.1} % of it games",
        100.0 * games / all
    );
    println!(
        "{tasks} tasks of {:.1} ms in {} batches\n",
        1e3 * games / tasks as f64,
        batches.len()
    );
    println!("workers   efficiency where a message travels 0.1 ms, 1 ms, 10 ms, 50 ms");
    for workers in [1, 2, 4, 8, 16, 32, 128, 1000] {
        let of = |delay: f64| {
            let network =
                Network { workers, local: 1, delay, handling: HANDLING, check_every: 100, between };
            network.speed(&batches) / (workers + 1) as f64
        };
        let row = [1e-4, 1e-3, 1e-2, 5e-2].map(|delay| format!("{:>6.3}", of(delay)));
        println!("{workers:>7}   {}", row.join(" "));
    }
    Ok(())
}
