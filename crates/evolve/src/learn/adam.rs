//! Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015).

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The optimiser's state for a list of parameters.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    /// `BETA1` and `BETA2` to the power of the number of steps.
    powers: [f32; 2],
}

impl Adam {
    pub(super) fn new(parameters: usize) -> Adam {
        Adam { means: vec![0.0; parameters], squares: vec![0.0; parameters], powers: [1.0; 2] }
    }

    /// Moves each parameter against its gradient by about `step`.
    pub(super) fn step(&mut self, parameters: &mut [f32], gradient: &[f32], step: f32) {
        self.powers[0] *= BETA1;
        self.powers[1] *= BETA2;
        let [mean_bias, square_bias] = self.powers.map(|power| 1.0 - power);
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, gradient), (mean, square)) in
            parameters.iter_mut().zip(gradient).zip(moments)
        {
            *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
            *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
            *parameter -= step * (*mean / mean_bias) / ((*square / square_bias).sqrt() + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let bottom = [3.0, -2.0];
        let mut point = [0.0, 0.0];
        let mut adam = Adam::new(2);
        for step in 0..2000 {
            let gradient = [2.0 * (point[0] - bottom[0]), 20.0 * (point[1] - bottom[1])];
            adam.step(&mut point, &gradient, 0.05 * (1.0 - step as f32 / 2000.0));
        }
        assert!(
            (point[0] - bottom[0]).abs() < 0.01 && (point[1] - bottom[1]).abs() < 0.01,
            "{point:?}"
        );
    }

    #[test]
    fn the_first_step_is_as_long_as_asked_whatever_the_gradient() {
        for gradient in [1e-3, 1.0, 1e3] {
            let mut point = [0.0];
            Adam::new(1).step(&mut point, &[gradient], 0.25);
            assert!((point[0] + 0.25).abs() < 1e-3, "{point:?}");
        }
    }
}
