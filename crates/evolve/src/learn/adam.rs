//! Adam with decoupled weight decay (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015; I.
//! Loshchilov and F. Hutter, "Decoupled weight decay regularization", ICLR 2019).

use serde::{Deserialize, Serialize};

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// The weight decay per step, relative to the learning rate.
const DECAY: f32 = 0.02;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Adam {
    pub(super) parameters: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub(super) learning_rate: f32,
    /// The factor that gradients are scaled by. It's 1 / batch size, since we sum gradients over a batch.
    pub(super) factor: f32,
    /// The bias corrections for both moments. They are `1 − β^n` at step `n`.
    bias: [f32; 2],
    /// Parameters are clamped to the range from `-limit` to `limit`.
    pub(super) limit: f32,
}

impl Step {
    /// Creates the settings for a step. Steps are numbered from 1.
    pub(super) fn new(number: usize, learning_rate: f32, factor: f32) -> Step {
        let bias = [BETA1, BETA2].map(|beta| (1.0 - libm::pow(beta.into(), number as f64)) as f32);
        Step { learning_rate, factor, bias, limit: f32::MAX }
    }
}

impl Adam {
    pub(super) fn new(parameters: Vec<f32>) -> Adam {
        let zeros = vec![0.0; parameters.len()];
        Adam { parameters, means: zeros.clone(), squares: zeros }
    }

    pub(super) fn sizes(&self) -> [usize; 3] {
        [&self.parameters, &self.means, &self.squares].map(Vec::len)
    }

    /// Moves each parameter against its gradient, by about the learning rate, and resets the gradient to 0.
    #[inline(always)]
    pub(super) fn step(&mut self, gradient: &mut [f32], step: Step) {
        let Step { learning_rate, factor, bias: [mean_bias, square_bias], limit } = step;
        let keep = 1.0 - learning_rate * DECAY;
        let moments = self.means.iter_mut().zip(&mut self.squares);
        let all = self.parameters.iter_mut().zip(gradient).zip(moments);
        for ((parameter, gradient), (mean, square)) in all {
            let slope = *gradient * factor;
            *gradient = 0.0;
            *mean = BETA1 * *mean + (1.0 - BETA1) * slope;
            *square = BETA2 * *square + (1.0 - BETA2) * slope * slope;
            let change = (*mean / mean_bias) / ((*square / square_bias).sqrt() + EPSILON);
            *parameter = (*parameter * keep - learning_rate * change).clamp(-limit, limit);
        }
    }
}

#[cfg(test)]
impl Adam {
    /// Recovers the gradients of the first step. This only works after exactly one step.
    pub(super) fn slopes(&self) -> Vec<f32> {
        self.means.iter().map(|mean| mean / (1.0 - BETA1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let bottom = [3.0, -2.0];
        let mut adam = Adam::new(vec![0.0; 2]);
        for step in 0..2000 {
            let [x, y] = [adam.parameters[0], adam.parameters[1]];
            let mut gradient = [2.0 * (x - bottom[0]), 20.0 * (y - bottom[1])];
            let learning_rate = 0.05 * (1.0 - step as f32 / 2000.0);
            adam.step(&mut gradient, Step::new(step + 1, learning_rate, 1.0));
        }
        let point = &adam.parameters;
        assert!(
            (point[0] - bottom[0]).abs() < 0.02 && (point[1] - bottom[1]).abs() < 0.02,
            "{point:?}"
        );
    }

    #[test]
    fn the_first_step_is_as_long_as_asked_whatever_the_gradient() {
        for gradient in [1e-3, 1.0, 1e3] {
            let mut adam = Adam::new(vec![0.0]);
            adam.step(&mut [gradient], Step::new(1, 0.25, 1.0));
            assert!((adam.parameters[0] + 0.25).abs() < 1e-3, "{adam:?}");
            adam.step(&mut [gradient], Step { limit: 0.1, ..Step::new(2, 0.25, 1.0) });
            assert_eq!(adam.parameters, [-0.1]);
        }
    }
}
