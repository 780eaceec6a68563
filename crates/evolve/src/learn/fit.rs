//! The fit of a network to labelled positions.

use std::ops::Range;

use rand::RngExt;
use rayon::prelude::*;

use mancala::eval::{Layer, Taper};
use mancala::game::GameKind;
use mancala::progress::Progress;
use mancala::random::{Purpose, stream};

use super::adam::Adam;
use super::dataset::{Dataset, Label};
use super::network::{Example, Gradient, Network, Shape};
use super::plan::{Fitted, Plan, Teacher};
use super::scale::logistic;

/// Examples per step.
const BATCH: usize = 1024;
/// Examples per task of a thread. Chunks are added in order, so that the number of threads does not matter.
const CHUNK: usize = 256;
/// Maximum learning rate.
const STEP: f64 = 0.008;
/// Steps in which the learning rate grows to its maximum; a tenth of all steps in a short fit.
const WARM_UP: usize = 200;
/// Final learning rate, relative to the maximum.
const LAST: f64 = 0.01;

/// The inputs of a layer.
pub(super) struct Inputs {
    pub(super) game: GameKind,
    /// Number of inputs.
    pub(super) rows: usize,
}

/// Fits the units of a plan to a dataset, whose scores are multiplied by `scale` to give log odds. Starts from the units
/// of the teacher if their number is the same, or from random units. `None` if `progress` stopped it. Progress is
/// reported in steps.
pub(super) fn fit(
    dataset: &Dataset,
    inputs: Inputs,
    plan: &Plan,
    scale: f64,
    progress: &dyn Progress,
) -> Option<Fitted> {
    let shape = Shape { inputs: inputs.rows, units: plan.units, phases: plan.phases };
    let taught = match &plan.teacher {
        Teacher::Scores(weights) => Network::of(shape, weights, scale),
        Teacher::Outcomes => None,
    };
    let mut network = taught.unwrap_or_else(|| Network::random(shape, plan.seed, plan.epoch));
    let mut adam = Adam::new(network.parameters.len());
    let targets: Vec<f32> =
        dataset.labels().iter().map(|label| probability(*label, scale)).collect();
    let batches = dataset.len().div_ceil(BATCH);
    let steps = batches * plan.passes as usize;
    let mut losses = Vec::new();
    for pass in 0..plan.passes {
        let order = shuffled(dataset.len(), plan, pass);
        let mut loss = 0.0;
        for batch in 0..batches {
            if progress.should_stop() {
                return None;
            }
            let examples = &order[range(batch, BATCH, dataset.len())];
            let mut gradient = gradient(&network, dataset, &targets, examples);
            loss += gradient.loss;
            for slope in &mut gradient.of {
                *slope /= examples.len() as f32;
            }
            let step = pass as usize * batches + batch;
            adam.step(&mut network.parameters, &gradient.of, learning_rate(step, steps));
            progress.advance(step as u64 + 1, steps as u64);
        }
        losses.push(loss / dataset.len().max(1) as f64);
    }
    let quantised = Layer::quantised(inputs.game, plan.units, network.rows(), network.bias());
    let layer = quantised.expect("a layer of as many units as settings allow, of numbers").layer;
    let (outputs, phases) = split(network.outputs(), shape);
    let layer = layer.with_phases(phases).expect("phases of its units");
    Some(Fitted { layer, outputs, losses, positions: dataset.len() })
}

/// Splits the output weights of all phases into the largest weight of each unit and a factor for each phase.
pub(super) fn split(all: &[f32], shape: Shape) -> (Vec<f32>, Taper) {
    let units = shape.units;
    let larger = |most: f32, next: &f32| if next.abs() > most.abs() { *next } else { most };
    let largest = |unit| all.iter().skip(unit).step_by(units).fold(0.0, larger);
    let outputs: Vec<f32> = (0..units).map(largest).collect();
    if shape.phases == 1 {
        return (outputs, Taper::single(units));
    }
    let factor = |(place, weight): (usize, &f32)| match outputs[place % units] {
        0.0 => Taper::ONE,
        largest => (weight / largest * f32::from(Taper::ONE)).round() as i16,
    };
    let factors = all.iter().enumerate().map(factor).collect();
    (outputs, Taper::new(units, factors).expect("factors of the largest are at most 1"))
}

fn range(part: usize, size: usize, all: usize) -> Range<usize> {
    part * size..((part + 1) * size).min(all)
}

/// Sums up the gradients of some examples.
fn gradient(network: &Network, dataset: &Dataset, targets: &[f32], examples: &[u32]) -> Gradient {
    let of_chunk = |chunk: &[u32]| {
        let mut gradient = network.zero_gradient();
        for &example in chunk {
            let example = example as usize;
            let example = Example {
                rows: dataset.rows(example),
                fullness: dataset.fullness(example),
                target: targets[example],
            };
            network.add(&mut gradient, example);
        }
        gradient
    };
    let chunks: Vec<_> = examples.par_chunks(CHUNK).map(of_chunk).collect();
    let mut sum = network.zero_gradient();
    for chunk in &chunks {
        sum.add(chunk);
    }
    sum
}

/// Returns the order of the examples in a pass.
fn shuffled(count: usize, plan: &Plan, pass: u32) -> Vec<u32> {
    let mut rng = stream(plan.seed, Purpose::Layer, plan.epoch.into(), u64::from(pass) + 1);
    let mut order: Vec<u32> = (0..count as u32).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, rng.random_range(0..=place as u32) as usize);
    }
    order
}

/// Converts a label to a probability of winning.
fn probability(label: Label, scale: f64) -> f32 {
    match label {
        Label::Score(score) => logistic(scale * f64::from(score)) as f32,
        Label::Points(points) => points,
    }
}

/// The learning rate of a step: it grows to [`STEP`] and shrinks along half a cosine.
fn learning_rate(step: usize, steps: usize) -> f32 {
    let warm_up = WARM_UP.min(steps / 10).max(1);
    let warmth = ((step + 1) as f64 / warm_up as f64).min(1.0);
    let passed = step as f64 / steps as f64;
    let left = (1.0 + libm::cos(std::f64::consts::PI * passed)) / 2.0;
    (STEP * warmth * (LAST + (1.0 - LAST) * left)) as f32
}
