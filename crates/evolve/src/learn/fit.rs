//! The fit of a network to labelled positions.

use std::ops::Range;

use rand::RngExt;
use rayon::prelude::*;

use mancala::eval::{Layer, Phases};
use mancala::game::GameKind;
use mancala::progress::Progress;
use mancala::random::{Purpose, stream};

use super::adam::Adam;
use super::lessons::{Label, Lessons};
use super::network::{Example, Gradient, Network, Shape};
use super::plan::{Fitted, Plan, Teacher};
use super::scale::logistic;

/// Examples of a step.
const BATCH: usize = 1024;
/// Examples whose gradients one thread adds up. Chunks are added in order, so that threads change nothing.
const CHUNK: usize = 256;
/// Length of a step at its longest.
const STEP: f64 = 0.008;
/// Steps in which steps grow to that, of a short fit a tenth of all.
const WARM_UP: usize = 200;
/// Share of it that is left in the end.
const LAST: f64 = 0.01;

/// What a game shows a layer.
pub(super) struct Inputs {
    pub(super) game: GameKind,
    /// How many inputs there are.
    pub(super) rows: usize,
}

/// Fits the units of a plan to lessons, whose scores count `scale` each on the logistic scale. It goes on from the units
/// of the teacher, if that has as many, or else from units drawn by chance. `None` if the progress stopped it, which
/// counts steps.
pub(super) fn fit(
    lessons: &Lessons,
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
    let mut network = taught.unwrap_or_else(|| Network::drawn(shape, plan.seed, plan.epoch));
    let mut adam = Adam::new(network.parameters.len());
    let wanted: Vec<f32> =
        lessons.labels().iter().map(|label| probability(*label, scale)).collect();
    let batches = lessons.len().div_ceil(BATCH);
    let steps = batches * plan.passes as usize;
    let mut losses = Vec::new();
    for pass in 0..plan.passes {
        let order = shuffled(lessons.len(), plan, pass);
        let mut loss = 0.0;
        for batch in 0..batches {
            if progress.should_stop() {
                return None;
            }
            let examples = &order[range(batch, BATCH, lessons.len())];
            let mut gradient = gradient(&network, lessons, &wanted, examples);
            loss += gradient.loss;
            for slope in &mut gradient.of {
                *slope /= examples.len() as f32;
            }
            let step = pass as usize * batches + batch;
            adam.step(&mut network.parameters, &gradient.of, length(step, steps));
            progress.advance(step as u64 + 1, steps as u64);
        }
        losses.push(loss / lessons.len().max(1) as f64);
    }
    let quantised = Layer::quantised(inputs.game, plan.units, network.rows(), network.bias());
    let layer = quantised.expect("a layer of as many units as settings allow, of numbers").layer;
    let (outputs, phases) = split(network.outputs(), shape);
    let layer = layer.with_phases(phases).expect("phases of its units");
    Some(Fitted { layer, outputs, losses, positions: lessons.len() })
}

/// Output weights of all phases as one a unit, the largest in size, and factors of it.
pub(super) fn split(all: &[f32], shape: Shape) -> (Vec<f32>, Phases) {
    let units = shape.units;
    let larger = |most: f32, next: &f32| if next.abs() > most.abs() { *next } else { most };
    let largest = |unit| all.iter().skip(unit).step_by(units).fold(0.0, larger);
    let outputs: Vec<f32> = (0..units).map(largest).collect();
    if shape.phases == 1 {
        return (outputs, Phases::single(units));
    }
    let factor = |(place, weight): (usize, &f32)| match outputs[place % units] {
        0.0 => Phases::WHOLE,
        largest => (weight / largest * f32::from(Phases::WHOLE)).round() as i16,
    };
    let factors = all.iter().enumerate().map(factor).collect();
    (outputs, Phases::new(units, factors).expect("factors of the largest are at most 1"))
}

fn range(part: usize, size: usize, all: usize) -> Range<usize> {
    part * size..((part + 1) * size).min(all)
}

/// The gradient over some examples, all together.
fn gradient(network: &Network, lessons: &Lessons, wanted: &[f32], examples: &[u32]) -> Gradient {
    let of_chunk = |chunk: &[u32]| {
        let mut gradient = network.flat();
        for &example in chunk {
            let example = example as usize;
            let example = Example {
                rows: lessons.rows(example),
                fullness: lessons.fullness(example),
                wanted: wanted[example],
            };
            network.add(&mut gradient, example);
        }
        gradient
    };
    let chunks: Vec<_> = examples.par_chunks(CHUNK).map(of_chunk).collect();
    let mut sum = network.flat();
    for chunk in &chunks {
        sum.add(chunk);
    }
    sum
}

/// All examples in the order of a pass.
fn shuffled(count: usize, plan: &Plan, pass: u32) -> Vec<u32> {
    let mut dice = stream(plan.seed, Purpose::Layer, plan.epoch.into(), u64::from(pass) + 1);
    let mut order: Vec<u32> = (0..count as u32).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, dice.random_range(0..=place as u32) as usize);
    }
    order
}

/// The probability of winning that a label stands for.
fn probability(label: Label, scale: f64) -> f32 {
    match label {
        Label::Score(score) => logistic(scale * f64::from(score)) as f32,
        Label::Points(points) => points,
    }
}

/// The length of a step: it grows to [`STEP`] and shrinks along half a cosine.
fn length(step: usize, steps: usize) -> f32 {
    let warm_up = WARM_UP.min(steps / 10).max(1);
    let warmth = ((step + 1) as f64 / warm_up as f64).min(1.0);
    let passed = step as f64 / steps as f64;
    let left = (1.0 + libm::cos(std::f64::consts::PI * passed)) / 2.0;
    (STEP * warmth * (LAST + (1.0 - LAST) * left)) as f32
}
