//! The network: binary inputs, one layer of hidden units, one output.

use mancala::eval::{ONE, Taper, UNIT_MAX, Weights};
use mancala::game::Material;
use mancala::random::{Purpose, normal, stream};

use super::scale::logistic;

/// The size of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) inputs: usize,
    pub(super) units: usize,
    /// Phases of a game with different output weights.
    pub(super) phases: usize,
}

/// A network. A unit sums up its bias and its weights of the active inputs, clamps the sum to between 0 and 1 and squares
/// it. The output is the weighted sum of the units: the log odds of the side to move. Output weights depend on the phase
/// of the game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Network {
    shape: Shape,
    /// The weights of each input, the biases, and the output weights of each phase, with a value per unit.
    pub(super) parameters: Vec<f32>,
}

/// A training example.
#[derive(Debug, Clone, Copy)]
pub(super) struct Example<'a> {
    /// The active inputs.
    pub(super) rows: &'a [u16],
    pub(super) fullness: Material,
    /// The probability of winning.
    pub(super) target: f32,
}

/// A loss and its gradient.
#[derive(Debug, Clone)]
pub(super) struct Gradient {
    /// The derivative for each parameter.
    pub(super) of: Vec<f32>,
    /// Sum of the cross-entropies of all examples, in nats.
    pub(super) loss: f64,
}

/// Standard deviation of initial input weights.
const INPUT_SPREAD: f32 = 0.08;
/// Initial bias, in the middle of the range of a unit.
const INITIAL_BIAS: f32 = 0.3;
/// Standard deviation of initial output weights.
const OUTPUT_SPREAD: f32 = 0.5;

impl Network {
    /// Returns a random network.
    pub(super) fn random(shape: Shape, seed: u64, epoch: u32) -> Network {
        let Shape { inputs, units, phases } = shape;
        let mut rng = stream(seed, Purpose::Layer, epoch.into(), 0);
        let mut parameters = Vec::with_capacity((inputs + 1 + phases) * units);
        parameters.extend((0..inputs * units).map(|_| INPUT_SPREAD * normal(&mut rng) as f32));
        parameters.extend((0..units).map(|_| INITIAL_BIAS));
        let outputs: Vec<f32> =
            (0..units).map(|_| OUTPUT_SPREAD * normal(&mut rng) as f32).collect();
        (0..phases).for_each(|_| parameters.extend_from_slice(&outputs));
        Network { shape, parameters }
    }

    /// Returns the network of an evaluator whose scores are multiplied by `scale` to give log odds. `None` if the shape
    /// differs or the scale is not positive.
    pub(super) fn of(shape: Shape, weights: &Weights, scale: f64) -> Option<Network> {
        let layer = weights.features().layer()?;
        let features = weights.features().features().iter().zip(weights.effective());
        let genes: Vec<i32> =
            features.filter(|(it, _)| it.is_hidden_neuron()).map(|(_, weight)| weight).collect();
        let found = [layer.units(), genes.len(), layer.phases().count()];
        if found != [shape.units, shape.units, shape.phases] || scale <= 0.0 {
            return None;
        }
        let shares = |numbers: &[i16], whole: f32| -> Vec<f32> {
            numbers.iter().map(|&number| f32::from(number) / whole).collect()
        };
        let mut parameters = shares(layer.rows(), ONE as f32);
        parameters.extend(shares(layer.bias(), ONE as f32));
        let factors = shares(layer.phases().factors(), f32::from(Taper::ONE));
        let of_unit = scale * f64::from(UNIT_MAX);
        let output = |(factor, &gene): (f32, &i32)| factor * (of_unit * f64::from(gene)) as f32;
        parameters.extend(factors.into_iter().zip(genes.iter().cycle()).map(output));
        Some(Network { shape, parameters })
    }

    /// The input weights.
    pub(super) fn rows(&self) -> &[f32] {
        &self.parameters[..self.shape.inputs * self.shape.units]
    }

    pub(super) fn bias(&self) -> &[f32] {
        &self.parameters[self.shape.inputs * self.shape.units..][..self.shape.units]
    }

    /// The output weights, phase by phase.
    pub(super) fn outputs(&self) -> &[f32] {
        &self.parameters[(self.shape.inputs + 1) * self.shape.units..]
    }

    /// Returns a zero gradient.
    pub(super) fn zero_gradient(&self) -> Gradient {
        Gradient { of: vec![0.0; self.parameters.len()], loss: 0.0 }
    }

    /// Adds an example to a gradient.
    pub(super) fn add(&self, gradient: &mut Gradient, example: Example) {
        match self.shape.units {
            8 => self.add_of::<8>(gradient, example),
            16 => self.add_of::<16>(gradient, example),
            24 => self.add_of::<24>(gradient, example),
            32 => self.add_of::<32>(gradient, example),
            48 => self.add_of::<48>(gradient, example),
            64 => self.add_of::<64>(gradient, example),
            other => unreachable!("settings allow no {other} units"),
        }
    }

    fn add_of<const UNITS: usize>(&self, gradient: &mut Gradient, example: Example) {
        let Example { rows, fullness, target } = example;
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
        let mixture = Taper::interpolation(self.shape.phases, fullness)
            .map(|(phase, parts)| (phase, f32::from(parts) / f32::from(Material::PARTS)));
        let mut outputs = [0.0; UNITS];
        for (phase, part) in mixture {
            for (output, weight) in outputs.iter_mut().zip(of_row(self.outputs(), phase)) {
                *output += part * weight;
            }
        }
        let output: f32 = held.iter().zip(outputs).map(|(held, output)| held * held * output).sum();
        let predicted = logistic(output.into());
        gradient.loss += cross_entropy(predicted, target.into());
        let error = predicted as f32 - target;
        let first = (self.shape.inputs + 1) * UNITS;
        let mut back = [0.0; UNITS];
        for unit in 0..UNITS {
            for (phase, part) in mixture {
                gradient.of[first + phase * UNITS + unit] += part * error * held[unit] * held[unit];
            }
            // The derivative of a clamped unit is 0.
            if sums[unit] > 0.0 && sums[unit] < 1.0 {
                back[unit] = error * outputs[unit] * 2.0 * held[unit];
            }
        }
        for row in rows.iter().map(|&row| usize::from(row)).chain([self.shape.inputs]) {
            for (slope, back) in gradient.of[row * UNITS..][..UNITS].iter_mut().zip(back) {
                *slope += back;
            }
        }
    }
}

/// The loss of a prediction, in nats.
fn cross_entropy(predicted: f64, target: f64) -> f64 {
    let ln = |x: f64| libm::log(x.max(1e-12));
    -target * ln(predicted) - (1.0 - target) * ln(1.0 - predicted)
}

impl Gradient {
    pub(super) fn add(&mut self, other: &Gradient) {
        for (sum, more) in self.of.iter_mut().zip(&other.of) {
            *sum += more;
        }
        self.loss += other.loss;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::fit::split;
    use super::*;
    use mancala::eval::{FeatureSet, Layer, Signs};
    use mancala::game::GameKind;

    #[test]
    fn the_gradient_is_the_derivative_of_the_loss() {
        let mut network = Network::random(Shape { inputs: 40, units: 8, phases: 3 }, 3, 1);
        let examples = [([0, 11, 25], 4, 0.9), ([3, 12, 39], 41, 0.2), ([0, 12, 31], 24, 0.5)];
        let of = |network: &Network| {
            let mut gradient = network.zero_gradient();
            for (rows, left, target) in &examples {
                let fullness = Material::new(*left, 48);
                network.add(&mut gradient, Example { rows, fullness, target: *target });
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
    #[test]
    fn weights_convert_back_to_the_network() {
        let shape = Shape { inputs: Layer::inputs(GameKind::Ayo), units: 8, phases: 3 };
        let mut network = Network::random(shape, 5, 1);
        let first = (shape.inputs + 1) * shape.units;
        for (place, output) in network.parameters[first..].iter_mut().enumerate() {
            *output *= 1.0 - 0.1 * place as f32;
        }
        let layer = Layer::quantised(GameKind::Ayo, 8, network.rows(), network.bias()).unwrap();
        let (genes, phases) = split(network.outputs(), shape);
        let layer = layer.layer.with_phases(phases).unwrap();
        let genes: Vec<i64> = genes.iter().map(|gene| (gene * 1000.0) as i64).collect();
        let features: FeatureSet = "u1..u8".parse().unwrap();
        let features = features.with_layer(Arc::new(layer)).unwrap();
        let weights = Weights::new("", features, &genes, Signs::Literal).unwrap();
        let scale = 1.0 / (1000.0 * f64::from(UNIT_MAX));
        let found = Network::of(shape, &weights, scale).unwrap();
        for (one, other) in network.parameters.iter().zip(&found.parameters) {
            assert!((one - other).abs() < 0.01, "{one} {other}");
        }
        assert_eq!(Network::of(Shape { phases: 1, ..shape }, &weights, scale), None);
        assert_eq!(Network::of(shape, &weights, 0.0), None);
    }
}
