//! What more workers would bring, computed from what games cost.
//!
//! A batch is cut as `cut.rs` does it. The coordinator hands tasks out one after the other, which takes it a
//! moment each; a task and its answer travel for a moment; a worker has the next task at hand while it does one. The
//! coordinator checks one answer in a hundred, and plays what is left of its time. A batch ends with its last answer,
//! since the next generation is bred from all of them.

mod recorder;

pub use recorder::Recorder;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a simulation knows of the machines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Network {
    /// Threads of workers.
    pub workers: usize,
    /// Threads of the coordinator that play.
    pub local: usize,
    /// Seconds that a message travels.
    pub delay: f64,
    /// Seconds that the coordinator takes for a task and its answer.
    pub handling: f64,
    /// One answer in so many is checked.
    pub check_every: usize,
    /// Seconds between two batches in which only the coordinator works.
    pub between: f64,
}

/// Tasks that a thread of a worker has at hand.
const AT_HAND: usize = 3;

impl Network {
    /// Seconds that some batches take, each of which is the seconds of its tasks in their order.
    pub fn seconds(&self, batches: &[Vec<f64>]) -> f64 {
        batches.iter().map(|tasks| self.between + self.batch(tasks)).sum()
    }

    /// How many of its threads such a network is worth: one thread that plays it all, over this.
    pub fn speed(&self, batches: &[Vec<f64>]) -> f64 {
        let alone: f64 = batches.iter().map(|tasks| self.between + tasks.iter().sum::<f64>()).sum();
        alone / self.seconds(batches).max(f64::MIN_POSITIVE)
    }

    /// When the last task of a batch is settled.
    fn batch(&self, tasks: &[f64]) -> f64 {
        // By the time at which they are free, in nanoseconds: the threads here, then those of workers.
        let mut free = BinaryHeap::new();
        (0..self.local + self.workers).for_each(|thread| free.push(Reverse((0_u64, thread))));
        let mut hands = vec![0.0_f64; self.workers];
        let (mut desk, mut last, mut checks) = (0.0_f64, 0.0_f64, 0.0_f64);
        for (number, &task) in tasks.iter().enumerate() {
            let Some(Reverse((at, thread))) = free.pop() else { return f64::INFINITY };
            let at = at as f64 * 1e-9;
            let done = match thread.checked_sub(self.local) {
                None => at + task,
                Some(worker) => {
                    // It was handed out while the thread did the tasks before.
                    let ahead = if number >= AT_HAND * self.workers { hands[worker] } else { 0.0 };
                    desk = desk.max(ahead) + self.handling;
                    hands[worker] = at;
                    if number.is_multiple_of(self.check_every.max(1)) {
                        checks += task;
                    }
                    at.max(desk + self.delay) + task
                }
            };
            let settled =
                if thread < self.local { done } else { done + self.delay + self.handling };
            last = last.max(settled);
            free.push(Reverse(((done * 1e9) as u64, thread)));
        }
        let local = self.local.max(1) as f64;
        last.max(desk) + checks / local / (1.0 + self.workers as f64 / local)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Network = Network {
        workers: 0,
        local: 1,
        delay: 0.0,
        handling: 0.0,
        check_every: usize::MAX,
        between: 0.0,
    };

    #[test]
    fn one_thread_takes_as_long_as_all_tasks() {
        let batches = [vec![0.25; 8], vec![0.5; 3]];
        assert!((NOTHING.seconds(&batches) - 3.5).abs() < 1e-6);
        assert!((NOTHING.speed(&batches) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn more_threads_are_faster_until_there_are_more_than_tasks() {
        let batches = [vec![0.01; 64]];
        let speed = |workers| Network { workers, ..NOTHING }.speed(&batches);
        assert!((speed(3) - 4.0).abs() < 0.1, "{}", speed(3));
        assert!((speed(63) - 64.0).abs() < 1.0, "{}", speed(63));
        assert!((speed(1000) - speed(63)).abs() < 1e-6);
    }

    #[test]
    fn delay_handling_and_what_only_one_does_cost() {
        let batches = [vec![0.01; 512]];
        let of = |network: Network| network.speed(&batches);
        let network = Network { workers: 32, ..NOTHING };
        for worse in [
            Network { delay: 0.05, ..network },
            Network { handling: 0.001, ..network },
            Network { between: 0.1, ..network },
            Network { check_every: 2, ..network },
        ] {
            assert!(of(worse) < 0.95 * of(network), "{worse:?}: {} {}", of(worse), of(network));
        }
    }
}
