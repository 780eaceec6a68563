//! The scale that converts scores of an evaluator to log odds of winning.

/// Newton's method ends once the step is smaller than this, relative to the factor.
const TOLERANCE: f64 = 1e-6;
/// Maximum number of steps. Usually six suffice.
const MAX_STEPS: usize = 50;

/// Returns the factor `f` for which the logistic function of `f · score` best predicts the points, measured by
/// cross-entropy. Returns `None` if scores and points are not correlated.
pub(super) fn scale(samples: &[(i32, f32)]) -> Option<f64> {
    let mean = samples.iter().map(|(score, _)| f64::from(score.abs())).sum::<f64>();
    let mean = mean / samples.len() as f64;
    if mean.is_nan() || mean <= 0.0 {
        return None;
    }
    // Scores are divided by their mean absolute value, for which the factor is about 1.
    let mut factor = 0.5;
    for _ in 0..MAX_STEPS {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for &(score, points) in samples {
            let score = f64::from(score) / mean;
            let predicted = logistic(factor * score);
            slope += (f64::from(points) - predicted) * score;
            curvature += predicted * (1.0 - predicted) * score * score;
        }
        let step = if curvature > 0.0 { slope / curvature } else { 0.0 };
        let next = (factor + step).clamp(factor / 2.0, factor * 2.0);
        let is_exact = (next - factor).abs() < TOLERANCE * factor;
        factor = next;
        if is_exact {
            break;
        }
    }
    (1e-3..1e3).contains(&factor).then_some(factor / mean)
}

/// The logistic function.
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    laws! {
        #[test]
        fn the_scale_that_made_results_is_found(factor in 0.0005f64..0.05, sizes: [u16; 40]) {
            let scores = sizes.iter().map(|&size| i32::from(size % 500) - 250);
            let samples: Vec<(i32, f32)> = scores
                .map(|score| (score, logistic(factor * f64::from(score)) as f32))
                .collect();
            prop_assume!(samples.iter().any(|(score, _)| score.abs() > 50));
            let found = scale(&samples).unwrap();
            prop_assert!((found / factor - 1.0).abs() < 1e-3, "{found} {factor}");
        }
    }

    #[test]
    fn uncorrelated_scores_have_no_scale() {
        assert_eq!(scale(&[]), None);
        assert_eq!(scale(&[(0, 1.0), (0, 0.0)]), None);
        // The scores are wrong about every game.
        assert_eq!(scale(&[(50, 0.0), (-50, 1.0)]), None);
    }
}
