//! The second layer of a network.

use super::layer::{LayerError, UNIT_MAX};
use crate::game::HiddenNeuron;

/// The second layer of a [`Layer`](super::Layer). Its inputs are the units of the first layer, and its neurons are
/// features like units. The value of neuron *v* is `clamp(bias[v] + Σ (unit[u] >> 1) × weights[v][u], 0, 8128) >> 5`,
/// which is 0 to 254. Weights are in 1/64 and biases in 1/8128, so that with units and neurons as fractions of 1, the
/// value is the clamped sum of the bias and the weighted units.
///
/// ```
/// use mancala::eval::SecondLayer;
/// // The first of eight neurons is half the first of eight units.
/// let mut weights = vec![0.0; 8 * 8];
/// weights[0] = 0.5;
/// let second = SecondLayer::quantised(&weights, &[0.0; 8]).unwrap();
/// assert_eq!(second.values(&[200, 0, 0, 0, 0, 0, 0, 0])[0], 100);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondLayer {
    /// The weights of all units in the first neuron, then in the second, and so on.
    weights: Vec<i8>,
    bias: Vec<i32>,
}

impl SecondLayer {
    /// The allowed numbers of neurons.
    pub const SIZES: [usize; 3] = [8, 16, 32];
    /// The fixed-point representation of 1 in weights.
    pub const ONE: i32 = 64;
    /// The fixed-point representation of 1 in biases and sums.
    pub const SUM_ONE: i32 = Self::ONE * (UNIT_MAX >> 1);
    /// The largest absolute value of a weight.
    pub const MAX_WEIGHT: f32 = MAX as f32 / Self::ONE as f32;
    /// The largest absolute value of a bias, beyond the sum of the weights of any layer.
    pub const MAX_BIAS: f32 = 1000.0;

    /// Creates a second layer with weights in 1/64 and biases in 1/8128. `weights` holds all units of the first neuron,
    /// then of the second, and so on.
    ///
    /// # Errors
    /// If there are not 8, 16 or 32 neurons, they have different numbers of weights, or a number is too large.
    pub fn new(weights: Vec<i8>, bias: Vec<i32>) -> Result<SecondLayer, LayerError> {
        let neurons = bias.len();
        if !Self::SIZES.contains(&neurons) {
            return Err(LayerError::Neurons(neurons));
        }
        if !weights.len().is_multiple_of(neurons) {
            let expected = weights.len() / neurons * neurons;
            return Err(LayerError::Count {
                kind: "the second layer",
                found: weights.len(),
                expected,
            });
        }
        let second = SecondLayer { weights, bias };
        for neuron in 0..neurons {
            let weights = second.weights_of(neuron).iter();
            let weights = weights.map(|&weight| ("weight", i32::from(weight), MAX));
            let bias = ("bias", second.bias[neuron], BIAS_MAX);
            let is_large = |it: &(&str, i32, i32)| !(-it.2..=it.2).contains(&it.1);
            if let Some((kind, value, most)) = weights.chain([bias]).find(is_large) {
                return Err(LayerError::Neuron { kind, neuron: neuron + 1, value, most });
            }
        }
        Ok(second)
    }

    /// Rounds weights and biases to those of a second layer. Weights beyond [`MAX_WEIGHT`](Self::MAX_WEIGHT) and biases
    /// beyond [`MAX_BIAS`](Self::MAX_BIAS) are clamped.
    ///
    /// # Errors
    /// Fails in the same cases as [`new`](Self::new), and if a weight or bias is not a number.
    pub fn quantised(weights: &[f32], bias: &[f32]) -> Result<SecondLayer, LayerError> {
        let rounded = |numbers: &[f32], one: i32, most: i32| -> Result<Vec<i32>, LayerError> {
            let scaled = |number: &f32| (f64::from(*number) * f64::from(one)).round();
            match numbers.iter().find(|it| it.is_nan()) {
                Some(_) => Err(LayerError::NoNumber),
                None => {
                    Ok(numbers.iter().map(|it| (scaled(it) as i32).clamp(-most, most)).collect())
                }
            }
        };
        let weights = rounded(weights, Self::ONE, MAX)?;
        let bias = rounded(bias, Self::SUM_ONE, BIAS_MAX)?;
        SecondLayer::new(weights.into_iter().map(|weight| weight as i8).collect(), bias)
    }

    pub fn neurons(&self) -> usize {
        self.bias.len()
    }

    /// Returns the number of units that the layer has weights for.
    pub fn units(&self) -> usize {
        self.weights.len() / self.bias.len()
    }

    /// Returns the weights neuron by neuron, in 1/64.
    pub fn weights(&self) -> &[i8] {
        &self.weights
    }

    /// Returns the weights of a neuron, given by its index.
    fn weights_of(&self, neuron: usize) -> &[i8] {
        &self.weights[neuron * self.units()..][..self.units()]
    }

    /// Returns the bias of each neuron, in 1/8128.
    pub fn bias(&self) -> &[i32] {
        &self.bias
    }

    /// Returns the values of the neurons, given those of the units.
    pub fn values(&self, units: &[i32]) -> Vec<i32> {
        let value = |(neuron, &bias): (usize, &i32)| {
            let terms = units.iter().zip(self.weights_of(neuron));
            let sum =
                bias + terms.map(|(unit, &weight)| (unit >> 1) * i32::from(weight)).sum::<i32>();
            sum.clamp(0, Self::SUM_ONE) >> 5
        };
        self.bias.iter().enumerate().map(value).collect()
    }
}

/// The largest absolute value of a weight in 1/64.
const MAX: i32 = i8::MAX as i32;
/// The largest absolute value of a bias in 1/8128.
const BIAS_MAX: i32 = SecondLayer::MAX_BIAS as i32 * SecondLayer::SUM_ONE;

// No sum of a bias and weighted units overflows 32 bits. The vector code adds pairs of products in 16 bits.
const _: () = {
    let product = (UNIT_MAX >> 1) * MAX;
    assert!(2 * product <= i16::MAX as i32);
    let sum = HiddenNeuron::MAX as i32 * product;
    assert!(sum < BIAS_MAX && BIAS_MAX < i32::MAX - sum);
    assert!(SecondLayer::SUM_ONE >> 5 == UNIT_MAX);
};
