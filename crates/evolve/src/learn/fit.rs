//! The fit of a network to labelled positions.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rand::RngExt;
use serde::{Deserialize, Serialize};

use mancala::eval::{Layer, SecondLayer, Taper};
use mancala::game::AnyGame;
use mancala::progress::Progress;
use mancala::random::{Purpose, stream};
use mancala::store::{self, FileError, Frame};

use super::LearnError;
use super::adam::{Adam, Step};
use super::network::{Batch, Network, Shape};
use super::plan::{Fitted, Plan, Teacher};
use super::positions::{Encoding, Positions};
use super::scale::scale;

/// Examples per step.
const BATCH: usize = 1024;
/// Maximum learning rate from a random network.
const LEARNING_RATE: f64 = 0.008;
/// Maximum learning rate from the network of the teacher.
const FURTHER_LEARNING_RATE: f64 = 0.004;
/// Steps in which the learning rate grows to its maximum; a tenth of all steps in a short fit.
const WARM_UP: usize = 200;
/// Final learning rate, relative to the maximum.
const LAST: f64 = 0.01;
/// Multiplies the scale fitted to game results. Random moves make results less predictable, so the fitted scale is too
/// small.
const SHARPENING: f64 = 2.0;
/// Time between two saved states.
const SAVE_INTERVAL: Duration = Duration::from_secs(20);
/// The file with the state of a fit in the folder of a run.
pub const FIT: &str = "fit.ayo";
const FRAME: Frame = Frame { kind: *b"LFIT", version: 1 };

/// The positions to fit to, and their targets.
struct Examples<'a> {
    lessons: Vec<&'a Positions>,
    /// Number of positions before each lesson.
    starts: Vec<usize>,
    /// The probability of winning each position.
    targets: Vec<f32>,
    bytes: usize,
}

impl<'a> Examples<'a> {
    fn new(lessons: Vec<&'a Positions>, scales: &[f64], encoding: &Encoding) -> Self {
        let mut starts = Vec::new();
        let mut targets = Vec::new();
        for (lesson, &scale) in lessons.iter().zip(scales) {
            starts.push(targets.len());
            targets.extend(lesson.labels.iter().map(|label| label.probability(scale)));
        }
        Examples { lessons, starts, targets, bytes: encoding.bytes() }
    }

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn input(&self, index: usize) -> &[u8] {
        let lesson = self.starts.partition_point(|&start| start <= index) - 1;
        &self.lessons[lesson].inputs()[(index - self.starts[lesson]) * self.bytes..][..self.bytes]
    }

    /// Copies the examples of a step.
    fn gather(&self, indices: &[u32], batch: &mut Batch) {
        batch.inputs.clear();
        batch.targets.clear();
        for &index in indices {
            batch.inputs.extend_from_slice(self.input(index as usize));
            batch.targets.push(self.targets[index as usize]);
        }
    }
}

/// The progress of a fit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Place {
    epoch: u32,
    /// Number of finished batches in this epoch.
    batch: usize,
    /// Mean losses of finished epochs.
    losses: Vec<f64>,
    /// Sum of the losses in this epoch.
    loss: f64,
}

/// Fits the units of a plan to the positions of its lessons. Starts from the units of the newest teacher if their number
/// is the same, or from random units. Progress is reported in steps.
pub(super) fn fit(
    lessons: Vec<&Positions>,
    encoding: &Encoding,
    plan: &Plan,
    folder: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Fitted, LearnError> {
    let shape = Shape { units: plan.units, neurons: plan.neurons, phases: plan.phases };
    let scale_of = |lesson: &&Positions| SHARPENING * scale(&lesson.samples).unwrap_or(0.0);
    let scales: Vec<f64> = lessons.iter().map(scale_of).collect();
    let newest = plan.newest();
    let taught = match (&newest.teacher, scales.last()) {
        (Teacher::Scores(weights), Some(&scale)) => Network::of(shape, encoding, weights, scale),
        _ => None,
    };
    let learning_rate = if taught.is_some() { FURTHER_LEARNING_RATE } else { LEARNING_RATE };
    let random = || Network::random(shape, encoding, plan.seed, newest.iteration);
    let network = taught.unwrap_or_else(random);
    let examples = Examples::new(lessons, &scales, encoding);
    let state = State {
        network,
        place: Place::default(),
        origin: plan.origin(),
        file: folder.map(|folder| folder.join(FIT)),
    };
    let state = state.run(&examples, plan, learning_rate, progress)?;
    let (layer, outputs) = quantised(&state.network, plan.game, shape);
    Ok(Fitted { layer, outputs, losses: state.place.losses, positions: examples.len() })
}

/// A fit that can be saved and continued.
struct State {
    network: Network,
    place: Place,
    /// Identifies what the fit depends on.
    origin: String,
    file: Option<PathBuf>,
}

impl State {
    /// Makes all epochs, from the saved state if there is one.
    fn run(
        mut self,
        examples: &Examples,
        plan: &Plan,
        learning_rate: f64,
        progress: &dyn Progress,
    ) -> Result<State, LearnError> {
        self.restore();
        let count = examples.len();
        let batches = count.div_ceil(BATCH);
        let steps = batches * plan.epochs as usize;
        let mut saved = Instant::now();
        let mut batch = Batch::default();
        while self.place.epoch < plan.epochs {
            let order = shuffled(count, plan, self.place.epoch);
            for indices in order.chunks(BATCH).skip(self.place.batch) {
                if progress.should_stop() {
                    self.save()?;
                    return Err(LearnError::Stopped);
                }
                let step = self.place.epoch as usize * batches + self.place.batch;
                let rate = learning_rate * schedule(step, steps);
                let step = Step::new(step + 1, rate as f32, 1.0 / indices.len() as f32);
                examples.gather(indices, &mut batch);
                self.place.loss += self.network.train(&mut batch, step);
                self.place.batch += 1;
                progress.advance((step_number(&self.place, batches)) as u64, steps as u64);
                if saved.elapsed() >= SAVE_INTERVAL {
                    self.save()?;
                    saved = Instant::now();
                }
            }
            self.place.losses.push(self.place.loss / count.max(1) as f64);
            self.place = Place { epoch: self.place.epoch + 1, batch: 0, loss: 0.0, ..self.place };
        }
        self.save()?;
        Ok(self)
    }

    fn save(&self) -> Result<(), FileError> {
        let Some(file) = &self.file else { return Ok(()) };
        let content = (&self.origin, &self.place, self.network.state());
        store::replace_unflushed(file, &FRAME.encode(&content))
    }

    /// Continues from the saved state if it belongs to the same fit.
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

fn step_number(place: &Place, batches: usize) -> usize {
    place.epoch as usize * batches + place.batch
}

/// Rounds the network to a layer and its largest output weights.
pub(super) fn quantised(network: &Network, game: AnyGame, shape: Shape) -> (Layer, Vec<f32>) {
    let Shape { units, neurons, phases } = shape;
    let layer = Layer::quantised(game.kind(), units, &network.rows(), network.bias());
    let layer = layer.expect("a layer of as many units as settings allow, of numbers").layer;
    let layer = match network.second() {
        _ if neurons == 0 => layer,
        (weights, bias) => SecondLayer::quantised(&weights, &bias)
            .and_then(|second| layer.with_second_layer(second))
            .expect("a second layer of as many neurons as settings allow, of numbers"),
    };
    let (outputs, phases) = split(&network.outputs(), units + neurons, phases);
    (layer.with_phases(phases).expect("phases of its neurons"), outputs)
}

/// Splits the output weights of all phases into the largest weight of each neuron and a factor for each phase.
fn split(all: &[f32], neurons: usize, phases: usize) -> (Vec<f32>, Taper) {
    let larger = |most: f32, next: &f32| if next.abs() > most.abs() { *next } else { most };
    let largest = |neuron| all.iter().skip(neuron).step_by(neurons).fold(0.0, larger);
    let outputs: Vec<f32> = (0..neurons).map(largest).collect();
    if phases == 1 {
        return (outputs, Taper::single(neurons));
    }
    let factor = |(place, weight): (usize, &f32)| match outputs[place % neurons] {
        0.0 => Taper::ONE,
        largest => (weight / largest * f32::from(Taper::ONE)).round() as i16,
    };
    let factors = all.iter().enumerate().map(factor).collect();
    (outputs, Taper::new(neurons, factors).expect("factors of the largest are at most 1"))
}

/// Returns the order of the examples in an epoch.
fn shuffled(count: usize, plan: &Plan, epoch: u32) -> Vec<u32> {
    let iteration = plan.newest().iteration.into();
    let mut rng = stream(plan.seed, Purpose::Layer, iteration, u64::from(epoch) + 1);
    let mut order: Vec<u32> = (0..count as u32).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, rng.random_range(0..=place as u32) as usize);
    }
    order
}

/// The learning rate of a step, relative to its maximum: it grows, and then shrinks along half a cosine.
fn schedule(step: usize, steps: usize) -> f64 {
    let warm_up = WARM_UP.min(steps / 10).max(1);
    let warmth = ((step + 1) as f64 / warm_up as f64).min(1.0);
    let passed = step as f64 / steps as f64;
    let left = (1.0 + libm::cos(std::f64::consts::PI * passed)) / 2.0;
    warmth * (LAST + (1.0 - LAST) * left)
}
