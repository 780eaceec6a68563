//! The second layer of a network.

use super::layer::{UNIT_MAX, check_count};
use crate::game::HiddenNeuron;
use crate::text::Result;

/// The second layer of a [`Layer`](super::Layer). Its inputs are the units of the first layer, and its neurons are
/// features too. The value of neuron *v* is `clamp(bias[v] + Σ (unit[u] >> 1) × weights[v][u], 0, 8128) >> 5`, from 0
/// to 254. Weights are in units of 1/64 and biases in 1/8128. If we read the values of units and neurons as fractions
/// of 1, this is just the clamped sum of the bias and the weighted units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondLayer {
    /// Neuron-major weights, in units of 1/64.
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
    /// The largest absolute value of a bias. The weights of a neuron can never add up to this much.
    pub const MAX_BIAS: f32 = 1000.0;

    /// Creates a second layer from neuron-major weights in 1/64 and biases in 1/8128. Returns an error if there aren't
    /// 8, 16 or 32 neurons, if the number of weights isn't a multiple of this number, or if a value is too large.
    pub fn new(weights: Vec<i8>, bias: Vec<i32>) -> Result<SecondLayer> {
        let neurons = bias.len();
        if !Self::SIZES.contains(&neurons) {
            return Err(
                format!("has {neurons} neurons in the second layer, not 8, 16 or 32").into()
            );
        }
        check_count("the second layer", weights.len(), weights.len() / neurons * neurons)?;
        let is_small = |bias: &i32| (-BIAS_MAX..=BIAS_MAX).contains(bias);
        if weights.contains(&i8::MIN) || !bias.iter().all(is_small) {
            return Err("has a weight or bias of the second layer that is too large".into());
        }
        Ok(SecondLayer { weights, bias })
    }

    /// Creates a second layer from numbers that are rounded and clamped to [`MAX_WEIGHT`](Self::MAX_WEIGHT) or
    /// [`MAX_BIAS`](Self::MAX_BIAS). Returns an error for NaN, or for the same reasons as [`new`](Self::new).
    pub fn quantised(weights: &[f32], bias: &[f32]) -> Result<SecondLayer> {
        let rounded = |number: &f32, one: i32, most: i32| match number.is_nan() {
            true => Err("has a weight or bias of the second layer that is not a number"),
            false => Ok(((f64::from(*number) * f64::from(one)).round() as i32).clamp(-most, most)),
        };
        let weights = weights.iter().map(|it| rounded(it, Self::ONE, MAX).map(|it| it as i8));
        let bias = bias.iter().map(|it| rounded(it, Self::SUM_ONE, BIAS_MAX));
        SecondLayer::new(weights.collect::<Result<_, _>>()?, bias.collect::<Result<_, _>>()?)
    }

    pub fn neurons(&self) -> usize {
        self.bias.len()
    }

    /// Returns the number of units that the first layer must have.
    pub fn units(&self) -> usize {
        self.weights.len() / self.bias.len()
    }

    /// Returns the neuron-major weights, in 1/64.
    pub fn weights(&self) -> &[i8] {
        &self.weights
    }

    /// Returns the bias of each neuron, in 1/8128.
    pub fn bias(&self) -> &[i32] {
        &self.bias
    }

    /// Computes the values of the second layer's neurons from the values of the units.
    pub(super) fn values(&self, units: &[i32]) -> Vec<i32> {
        let value = |(weights, bias): (&[i8], &i32)| {
            let terms = units.iter().zip(weights).map(|(unit, &it)| (unit >> 1) * i32::from(it));
            (bias + terms.sum::<i32>()).clamp(0, Self::SUM_ONE) >> 5
        };
        self.weights.chunks_exact(units.len()).zip(&self.bias).map(value).collect()
    }
}

/// The largest absolute value of a weight, in 1/64.
const MAX: i32 = i8::MAX as i32;
/// The largest absolute value of a bias, in 1/8128.
const BIAS_MAX: i32 = SecondLayer::MAX_BIAS as i32 * SecondLayer::SUM_ONE;

// The sum of a bias and weighted units can't overflow 32 bits, and the sum of two products can't overflow 16 bits.
const _: () = {
    let product = (UNIT_MAX >> 1) * MAX;
    assert!(2 * product <= i16::MAX as i32);
    let sum = HiddenNeuron::MAX as i32 * product;
    assert!(sum < BIAS_MAX && BIAS_MAX < i32::MAX - sum);
    assert!(SecondLayer::SUM_ONE >> 5 == UNIT_MAX);
};
