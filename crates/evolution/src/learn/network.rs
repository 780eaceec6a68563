//! The network that is fitted: inputs that are on or off, one layer of units, one output.

use mancala::random::{Purpose, normal, stream};

use super::scale::logistic;

/// Weights of a network with `units` units. A unit adds up its bias and its weights of the inputs that are on,
/// and gives the square of the sum, held to between 0 and 1. The output is the weighted sum of the units: the
/// logarithm of the odds of the side to move.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Network {
    pub(super) units: usize,
    /// The weights of the first input for each unit, those of the second, …; the biases; the output weights.
    pub(super) parameters: Vec<f32>,
    inputs: usize,
}

/// A gradient with the loss that it is of.
#[derive(Debug, Clone)]
pub(super) struct Gradient {
    /// In the order of a network's parameters.
    pub(super) of: Vec<f32>,
    /// Cross-entropy in nats, all examples together.
    pub(super) loss: f64,
}

/// Spread of the first weights of inputs.
const INPUT_SPREAD: f32 = 0.08;
/// The first biases: units begin in the middle of their range.
const FIRST_BIAS: f32 = 0.3;
/// Spread of the first output weights.
const OUTPUT_SPREAD: f32 = 0.5;

impl Network {
    /// A network drawn by chance.
    pub(super) fn drawn(inputs: usize, units: usize, seed: u64, epoch: u32) -> Network {
        let mut dice = stream(seed, Purpose::Layer, epoch.into(), 0);
        let mut parameters = Vec::with_capacity((inputs + 2) * units);
        parameters.extend((0..inputs * units).map(|_| INPUT_SPREAD * normal(&mut dice) as f32));
        parameters.extend((0..units).map(|_| FIRST_BIAS));
        parameters.extend((0..units).map(|_| OUTPUT_SPREAD * normal(&mut dice) as f32));
        Network { units, parameters, inputs }
    }

    /// The weights of all inputs.
    pub(super) fn rows(&self) -> &[f32] {
        &self.parameters[..self.inputs * self.units]
    }

    /// The bias of each unit.
    pub(super) fn bias(&self) -> &[f32] {
        &self.parameters[self.inputs * self.units..][..self.units]
    }

    /// The output weight of each unit.
    pub(super) fn outputs(&self) -> &[f32] {
        &self.parameters[(self.inputs + 1) * self.units..]
    }

    /// No gradient yet.
    pub(super) fn flat(&self) -> Gradient {
        Gradient { of: vec![0.0; self.parameters.len()], loss: 0.0 }
    }

    /// Adds an example to a gradient: the inputs that are on, and the probability that the output should stand for.
    pub(super) fn add(&self, gradient: &mut Gradient, rows: &[u16], wanted: f32) {
        match self.units {
            8 => self.add_of::<8>(gradient, rows, wanted),
            16 => self.add_of::<16>(gradient, rows, wanted),
            24 => self.add_of::<24>(gradient, rows, wanted),
            32 => self.add_of::<32>(gradient, rows, wanted),
            48 => self.add_of::<48>(gradient, rows, wanted),
            64 => self.add_of::<64>(gradient, rows, wanted),
            other => unreachable!("settings allow no {other} units"),
        }
    }

    fn add_of<const UNITS: usize>(&self, gradient: &mut Gradient, rows: &[u16], wanted: f32) {
        let of_row = |list: &[f32], row: usize| -> [f32; UNITS] {
            list[row * UNITS..][..UNITS].try_into().expect("a row of the list")
        };
        let mut sums = of_row(self.bias(), 0);
        for &row in rows {
            let weights = of_row(&self.parameters, row.into());
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        let held = sums.map(|sum| sum.clamp(0.0, 1.0));
        let outputs = of_row(self.outputs(), 0);
        let output: f32 = held.iter().zip(outputs).map(|(held, output)| held * held * output).sum();
        let predicted = logistic(output.into());
        gradient.loss += cross_entropy(predicted, wanted.into());
        let error = predicted as f32 - wanted;
        let first = self.inputs * UNITS;
        let mut back = [0.0; UNITS];
        for unit in 0..UNITS {
            gradient.of[first + UNITS + unit] += error * held[unit] * held[unit];
            // Beyond its range a unit stays where it is.
            if sums[unit] > 0.0 && sums[unit] < 1.0 {
                back[unit] = error * outputs[unit] * 2.0 * held[unit];
            }
        }
        for row in rows.iter().map(|&row| usize::from(row)).chain([self.inputs]) {
            for (slope, back) in gradient.of[row * UNITS..][..UNITS].iter_mut().zip(back) {
                *slope += back;
            }
        }
    }
}

/// Loss of a prediction, in nats.
fn cross_entropy(predicted: f64, wanted: f64) -> f64 {
    let ln = |x: f64| libm::log(x.max(1e-12));
    -wanted * ln(predicted) - (1.0 - wanted) * ln(1.0 - predicted)
}

impl Gradient {
    /// Adds another.
    pub(super) fn add(&mut self, other: &Gradient) {
        for (sum, more) in self.of.iter_mut().zip(&other.of) {
            *sum += more;
        }
        self.loss += other.loss;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let mut network = Network::drawn(40, 8, 3, 1);
        let examples = [([0, 11, 25], 0.9), ([3, 12, 39], 0.2), ([0, 12, 31], 0.5)];
        let of = |network: &Network| {
            let mut gradient = network.flat();
            for (rows, wanted) in &examples {
                network.add(&mut gradient, rows, *wanted);
            }
            gradient
        };
        let gradient = of(&network);
        let step = 1e-3;
        for parameter in 0..network.parameters.len() {
            let mut loss_at = |shift: f32| {
                let before = network.parameters[parameter];
                network.parameters[parameter] = before + shift;
                let loss = of(&network).loss;
                network.parameters[parameter] = before;
                loss
            };
            let slope = (loss_at(step) - loss_at(-step)) / f64::from(2.0 * step);
            let found = f64::from(gradient.of[parameter]);
            assert!(
                (slope - found).abs() < 2e-3 * (1.0 + slope.abs()),
                "{parameter}: {slope} {found}"
            );
        }
    }
}
