//! Trains weights in memory for a minute. An observer prints each generation with a better member.
//!
//! ```sh
//! cargo run --release --example train_for_a_minute
//! ```

use std::error::Error;
use std::time::Duration;

use ayo::run::{Draft, Event, Measuring, Observer, StopPolicy, Trainer, Watched, run_measured};
use mancala::store::FileError;

/// Prints each generation whose best fitness exceeds that of all previous ones.
struct Improvements {
    best: u64,
}

impl Observer for Improvements {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        if let Event::Generation { statistics, cost, .. } = event
            && statistics.best > self.best
        {
            self.best = statistics.best;
            let (mean, nodes) = (statistics.mean, cost.nodes);
            println!(
                "generation {:>4}: best {:>4}, mean {mean:>6.1}, {nodes} nodes",
                statistics.generation, statistics.best
            );
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // The optional argument is the time in seconds: `-- 5`.
    let seconds = std::env::args().nth(1).map_or(Ok(60), |text| text.parse())?;

    // Settings start from a preset. Each change is validated, and `finish` checks that the settings are consistent.
    let mut draft = Draft::preset("daoud2004")?;
    draft.set("seed", "1")?;
    draft.set("depth", "3")?;
    draft.set("generations", "1000")?;
    let settings = draft.finish()?;

    // The time limit only determines when the run stops. The generations depend only on the settings and the seed.
    let mut trainer = Trainer::new(settings);
    let stop = StopPolicy::new(Some(Duration::from_secs(seconds)));
    let watched = Watched { progress: &(), stop: &stop };
    // To write the run to disk, also pass a `RunFolder` as an observer.
    let mut measuring = Measuring::resume(&trainer, &[], "");
    let mut improvements = Improvements { best: 0 };
    let end = run_measured(&mut trainer, &mut measuring, &watched, &mut [&mut improvements])?;

    let champion = trainer.champion().ok_or("no generation was evaluated in this time")?;
    println!("\n{end:?} after {} generations", trainer.generation());
    for (feature, weight) in champion.features().features().iter().zip(champion.values()) {
        println!("  {:<5}{:<38}{weight:>4}", feature.name(), feature.meaning());
    }
    Ok(())
}
