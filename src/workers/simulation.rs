//! What more workers would bring, computed from what games cost.
//!
//! A batch is cut as `cut.rs` does it. The coordinator hands tasks out one after the other, which takes it a
//! moment each; a task and its answer travel for a moment; a worker has the next task at hand while it does one. The
//! coordinator plays too, checks one answer in a hundred, and at last plays what workers have not begun yet. A batch
//! ends with its last answer, since the next generation is bred from all of them.

mod course;
mod network;
mod recorder;

pub use network::Network;
pub use recorder::{Recorded, Recorder};

use course::Course;

/// What becomes of some batches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    /// Seconds until the last one is over.
    pub seconds: f64,
    /// Tasks that they are made of.
    pub tasks: usize,
    /// The time that one thread would take, over what all processors of the network could have done meanwhile.
    pub efficiency: f64,
}

impl Network {
    /// What becomes of batches that cost what was recorded.
    pub fn forecast(&self, batches: &[Recorded]) -> Forecast {
        let threads = self.workers + self.local;
        let alone: f64 = batches.iter().map(|it| self.between + it.seconds()).sum();
        let mut course = Course::new(self);
        let mut tasks = 0;
        for batch in batches {
            let costs: Vec<f64> =
                batch.tasks(threads).iter().map(|it| it * (1.0 + self.again)).collect();
            tasks += costs.len();
            course.play(&costs);
        }
        let seconds = course.now().max(f64::MIN_POSITIVE);
        let cores = self.cores.map_or(threads, |cores| cores.min(threads));
        Forecast { seconds, tasks, efficiency: alone / seconds / cores as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Network = Network {
        workers: 0,
        local: 1,
        cores: None,
        delay: 0.0,
        handling: 0.0,
        taking: 0.0,
        again: 0.0,
        check_every: usize::MAX,
        between: 0.0,
    };

    /// A batch of games of 2 ms, of one opening.
    fn games(count: u32) -> Recorded {
        Recorded::alike(count, 2e-3)
    }

    fn speed(network: Network, batches: &[Recorded]) -> f64 {
        let forecast = network.forecast(batches);
        forecast.efficiency * network.cores.unwrap_or(network.workers + network.local) as f64
    }

    #[test]
    fn one_thread_takes_as_long_as_all_games() {
        let forecast = NOTHING.forecast(&[games(100), games(50)]);
        assert!((forecast.seconds - 0.3).abs() < 1e-6, "{forecast:?}");
        assert!((forecast.efficiency - 1.0).abs() < 1e-6, "{forecast:?}");
    }

    #[test]
    fn more_threads_are_faster_until_there_are_more_than_games() {
        let batches = [games(320)];
        let of = |workers| speed(Network { workers, ..NOTHING }, &batches);
        assert!((3.7..4.001).contains(&of(3)), "{}", of(3));
        assert!((12.0..16.001).contains(&of(15)), "{}", of(15));
        assert!((of(1000) / of(400) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn delay_handling_and_what_only_one_does_cost() {
        let batches = [games(2000), games(2000)];
        let network = Network { workers: 16, ..NOTHING };
        for worse in [
            Network { delay: 0.05, ..network },
            Network { handling: 0.002, ..network },
            Network { taking: 0.002, ..network },
            Network { again: 0.1, ..network },
            Network { between: 0.1, ..network },
            Network { check_every: 2, ..network },
            Network { cores: Some(8), ..network },
        ] {
            let [worse_speed, speed] = [worse, network].map(|it| speed(it, &batches));
            assert!(worse_speed < 0.95 * speed, "{worse:?}: {worse_speed} {speed}");
        }
    }

    #[test]
    fn threads_that_share_processors_are_no_faster_than_these() {
        let batches = [games(500), games(500)];
        for (workers, cores) in [(1, 1), (3, 2), (7, 2)] {
            let network = Network { workers, cores: Some(cores), ..NOTHING };
            let efficiency = network.forecast(&batches).efficiency;
            assert!((0.8..1.000_001).contains(&efficiency), "{network:?}: {efficiency}");
        }
    }
}
