//! Fits a network to labelled positions.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rand::RngExt;
use serde::{Deserialize, Serialize};

use mancala::game::mix;
use mancala::progress::Progress;
use mancala::random::{ChaCha8Rng, Purpose, stream};
use mancala::store::{self, FileError, Frame};

use super::adam::{Adam, Step};
use super::network::{Batch, Network, Shape};
use super::plan::{Fitted, Plan, Teacher};
use super::positions::{Encoding, Positions, scale};
use super::team::Team;
use crate::task::TaskError;

const BATCH: usize = 1024;
/// The maximum learning rate if we start from a random network.
const LEARNING_RATE: f64 = 0.008;
/// The maximum learning rate if we start from the teacher's network.
const WARM_START_LEARNING_RATE: f64 = 0.004;
/// The number of warm-up steps. If a tenth of all steps is fewer, then we use that instead.
const WARM_UP: usize = 200;
/// The learning rate at the end, relative to the maximum.
const FINAL_RATE: f64 = 0.01;
/// The correction of the scale from scores to log odds, which we underestimate because games contain random moves.
const SHARPENING: f64 = 2.0;
const SAVE_INTERVAL: Duration = Duration::from_secs(20);
/// The name of the file in a run folder that stores the state of a fit.
pub const FIT: &str = "fit.ayo";
const FRAME: Frame = Frame { kind: *b"LFIT", version: 1 };

/// The positions from all datasets, and their targets.
struct Examples<'a> {
    datasets: Vec<&'a Positions>,
    /// The index of each dataset's first position.
    starts: Vec<usize>,
    /// For each position, the probability that the side to move wins.
    targets: Vec<f32>,
    bytes: usize,
}

impl<'a> Examples<'a> {
    fn new(datasets: Vec<&'a Positions>, scales: &[f64], encoding: &Encoding) -> Self {
        let mut starts = Vec::new();
        let mut targets = Vec::new();
        for (dataset, &scale) in datasets.iter().zip(scales) {
            starts.push(targets.len());
            targets.extend(dataset.labels.iter().map(|label| label.probability(scale)));
        }
        Examples { datasets, starts, targets, bytes: encoding.bytes() }
    }

    fn input(&self, index: usize) -> &[u8] {
        let dataset = self.starts.partition_point(|&start| start <= index) - 1;
        let place = index - self.starts[dataset];
        &self.datasets[dataset].inputs[place * self.bytes..][..self.bytes]
    }
}

/// The current position in the training loop. `losses` contains the mean loss of each complete epoch, and `loss` is the
/// sum of the losses in the current epoch so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Place {
    step: usize,
    losses: Vec<f64>,
    loss: f64,
}

/// Fits a network to the positions of a plan. We start from the newest teacher's network if it has the same shape.
pub(super) fn fit(
    datasets: Vec<&Positions>,
    plan: &Plan,
    folder: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Fitted, TaskError> {
    let encoding = &plan.encoding();
    let shape = Shape { units: plan.units, neurons: plan.neurons, phases: plan.phases };
    let scale_of = |dataset: &&Positions| SHARPENING * scale(&dataset.samples).unwrap_or(0.0);
    let scales: Vec<f64> = datasets.iter().map(scale_of).collect();
    let newest = plan.newest();
    let taught = match &newest.teacher {
        Teacher::Scores(weights) => Network::of(shape, encoding, weights, scales[scales.len() - 1]),
        Teacher::Outcomes => None,
    };
    let learning_rate = if taught.is_some() { WARM_START_LEARNING_RATE } else { LEARNING_RATE };
    let random = || Network::random(shape, encoding, plan.seed, newest.iteration);
    let network = taught.unwrap_or_else(random);
    let examples = Examples::new(datasets, &scales, encoding);
    let mut state = State {
        network,
        place: Place::default(),
        origin: plan.origin(),
        file: folder.map(|folder| folder.join(FIT)),
    };
    state.restore();
    let count = examples.targets.len();
    let batches = count.div_ceil(BATCH);
    let steps = batches * plan.epochs as usize;
    let (mut saved, mut batch) = (Instant::now(), Batch::default());
    Team::with(|team| {
        while state.place.step < steps {
            if progress.should_stop() {
                state.save()?;
                return Err(TaskError::Stopped);
            }
            let (epoch, part) = (state.place.step / batches, state.place.step % batches);
            let rng = stream(plan.seed, Purpose::Layer, newest.iteration.into(), epoch as u64 + 1);
            let order = Permutation::new(count, rng);
            let places = part * BATCH..count.min((part + 1) * BATCH);
            let rate = learning_rate * schedule(state.place.step, steps);
            let step = Step::new(state.place.step + 1, rate as f32, 1.0 / places.len() as f32);
            let example = |nth: usize| {
                let index = order.at(places.start + nth);
                (examples.input(index), examples.targets[index])
            };
            state.place.loss += state.network.train(places.len(), &example, &mut batch, step, team);
            state.place.step += 1;
            if part + 1 == batches {
                state.place.losses.push(state.place.loss / count as f64);
                state.place.loss = 0.0;
            }
            progress.advance(state.place.step as u64, steps as u64);
            if saved.elapsed() >= SAVE_INTERVAL {
                state.save()?;
                saved = Instant::now();
            }
        }
        Ok(state.save()?)
    })?;
    let (layer, outputs) = state.network.quantised(plan.game.kind());
    Ok(Fitted { layer, outputs, losses: state.place.losses, positions: count })
}

struct State {
    network: Network,
    place: Place,
    origin: String,
    file: Option<PathBuf>,
}

impl State {
    fn save(&self) -> Result<(), FileError> {
        let Some(file) = &self.file else { return Ok(()) };
        let content = (&self.origin, &self.place, self.network.state());
        store::replace_unflushed(file, &FRAME.encode(&content))
    }

    /// Restores the saved state if it belongs to this fit.
    fn restore(&mut self) {
        let bytes = self.file.as_ref().and_then(|file| store::read(file).ok());
        let saved = bytes.and_then(|bytes| FRAME.decode(&bytes).ok());
        let Some((origin, place, network)): Option<(String, Place, Vec<Adam>)> = saved else {
            return;
        };
        if origin == self.origin && self.network.restore(network) {
            self.place = place;
        }
    }
}

/// A random permutation of the numbers below `count`, computed without storing a list of them. We use a Feistel network
/// to permute the numbers below the next power of two, and apply it again as long as the result is too large (cycle
/// walking; J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", 2002).
struct Permutation {
    count: usize,
    /// The number of bits in the low half and in the high half of a number.
    bits: [u32; 2],
    keys: [u64; 4],
}

impl Permutation {
    fn new(count: usize, mut rng: ChaCha8Rng) -> Permutation {
        let all = count.next_power_of_two().trailing_zeros().max(2);
        Permutation { count, bits: [all / 2, all - all / 2], keys: rng.random() }
    }

    fn at(&self, index: usize) -> usize {
        let [low, high] = self.bits;
        let mut number = index as u64;
        loop {
            for round in self.keys.chunks_exact(2) {
                let (mut right, mut left) = (number & ((1 << low) - 1), number >> low);
                left ^= mix(right ^ round[0]) & ((1 << high) - 1);
                right ^= mix(left ^ round[1]) & ((1 << low) - 1);
                number = left << low | right;
            }
            if (number as usize) < self.count {
                return number as usize;
            }
        }
    }
}

/// Returns the learning rate relative to the maximum: a linear warm-up followed by cosine decay.
fn schedule(step: usize, steps: usize) -> f64 {
    let warm_up = WARM_UP.min(steps / 10).max(1);
    let warm = ((step + 1) as f64 / warm_up as f64).min(1.0);
    let passed = step as f64 / steps as f64;
    let left = (1.0 + libm::cos(std::f64::consts::PI * passed)) / 2.0;
    warm * (FINAL_RATE + (1.0 - FINAL_RATE) * left)
}

#[cfg(test)]
mod tests {
    use mancala::laws::prelude::*;

    use super::*;

    laws! {
        #[test]
        fn every_example_comes_once_in_an_order_that_differs_by_epoch(count in 1usize..3000, seed: u64) {
            let order = |epoch| {
                let order = Permutation::new(count, stream(seed, Purpose::Layer, 1, epoch));
                (0..count).map(|index| order.at(index)).collect::<Vec<_>>()
            };
            let mut found = order(1);
            prop_assert!(count < 50 || found != order(2));
            found.sort_unstable();
            prop_assert!(found.into_iter().eq(0..count));
        }
    }
}
