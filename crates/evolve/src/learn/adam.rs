//! Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015).

/// Shares of the running means of gradients and of their squares that a step keeps.
const KEPT: [f32; 2] = [0.9, 0.999];
/// Keeps the quotient finite where there was no gradient.
const LEAST: f32 = 1e-8;

/// The running means of as many parameters as a list has.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The share of each running mean that is not yet there: the power of [`KEPT`] by the steps.
    missing: [f32; 2],
}

impl Adam {
    pub(super) fn new(parameters: usize) -> Adam {
        Adam { means: vec![0.0; parameters], squares: vec![0.0; parameters], missing: [1.0; 2] }
    }

    /// Moves the parameters against their gradient, by about `step` each.
    pub(super) fn step(&mut self, parameters: &mut [f32], gradient: &[f32], step: f32) {
        for (missing, kept) in self.missing.iter_mut().zip(KEPT) {
            *missing *= kept;
        }
        let [mean_there, square_there] = self.missing.map(|missing| 1.0 - missing);
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, gradient), (mean, square)) in
            parameters.iter_mut().zip(gradient).zip(moments)
        {
            *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * gradient;
            *square = KEPT[1] * *square + (1.0 - KEPT[1]) * gradient * gradient;
            *parameter -= step * (*mean / mean_there) / ((*square / square_there).sqrt() + LEAST);
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
