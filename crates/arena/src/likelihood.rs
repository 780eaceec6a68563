//! How well a mean explains the scores of pairs: the one likelihood behind interval, likelihood of
//! superiority and sequential test.

/// The scores that a pair of games can have, in points a game.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Weights of the five pair scores, all positive: how often each was seen, and a little prior.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights(pub(super) [f64; 5]);

impl Weights {
    /// Pairs, those of the prior included.
    pub(super) fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The mean score of a pair, strictly between 0 and 1; exactly ½ where wins and losses balance.
    pub(super) fn mean(&self) -> f64 {
        let [ll, ld, _, wd, ww] = self.0;
        0.5 + ((ww - ll) / 2.0 + (wd - ld) / 4.0) / self.total()
    }

    /// The sum of squared deviations from `centre`.
    pub(super) fn squares_about(&self, centre: f64) -> f64 {
        self.sum_over(|score| (score - centre) * (score - centre))
    }

    /// The support for the mean `s`, 0 < s < 1: the logarithm of the likelihood of the best five
    /// probabilities that have this mean, relative to the best of all. At most 0, which it is at
    /// `mean()`, concave, and −∞ at 0 and 1.
    ///
    /// With weights `nᵢ` of scores `aᵢ`, `n` in all, the best probabilities are
    /// `pᵢ = nᵢ / n / (1 + x (aᵢ − s))`, where `x` solves `Σ nᵢ (aᵢ − s) / (1 + x (aᵢ − s)) = 0`
    /// (A. B. Owen, Biometrika 75 (1988), 237–249; M. Van den Bergh,
    /// cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1), so that the support is
    /// `−Σ nᵢ log(1 + x (aᵢ − s))`.
    pub(super) fn support(&self, s: f64) -> f64 {
        let x = self.multiplier(s);
        -self.sum_over(|score| libm::log1p(x * (score - s)))
    }

    /// The `x` of [`support`](Self::support): the root of a decreasing function between its two poles.
    ///
    /// Newton's method on that function times `(1 + x (a₁ − s)) (1 + x (a₅ − s))`, which has the same
    /// root and no poles, with bisection where a step would leave the bracket.
    fn multiplier(&self, s: f64) -> f64 {
        let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
        let tolerance = 1e-12 * (high - low);
        let mut x = 0.0;
        for _ in 0..200 {
            let (mut value, mut slope) = (0.0, 0.0);
            for (weight, score) in self.0.iter().zip(SCORES) {
                let term = (score - s) / (1.0 + x * (score - s));
                value += weight * term;
                slope -= weight * term * term;
            }
            if value > 0.0 {
                low = x;
            } else {
                high = x;
            }
            let poles = (1.0 - s) / (1.0 + x * (1.0 - s)) - s / (1.0 - x * s);
            let newton = x - value / (slope + value * poles);
            let inside = low <= newton && newton <= high;
            let next = if inside { newton } else { (low + high) / 2.0 };
            let step = (next - x).abs();
            x = next;
            if step <= tolerance {
                break;
            }
        }
        x
    }

    fn sum_over(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(SCORES).map(|(weight, score)| weight * f(score)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_outcomes_give_the_binomial_likelihood() {
        let weights = Weights([3.0, 1e-12, 1e-12, 1e-12, 7.0]);
        let binomial = |p: f64| 7.0 * (p / 0.7).ln() + 3.0 * ((1.0 - p) / 0.3).ln();
        for s in [0.001, 0.3, 0.5, 0.69, 0.9, 0.999] {
            assert!((weights.support(s) - binomial(s)).abs() < 1e-9, "{s}");
        }
    }

    #[test]
    fn a_single_outcome_shares_with_the_farther_end() {
        // Whatever is not ½ must lie at 1 to raise the mean at least cost: p₃ = 1 − 2 (s − ½).
        let weights = Weights([1e-9, 1e-9, 100.0, 1e-9, 1e-9]);
        assert!((weights.support(0.6) - 100.0 * 0.8_f64.ln()).abs() < 1e-6);
        assert!((weights.support(0.4) - 100.0 * 0.8_f64.ln()).abs() < 1e-6);
    }

    #[test]
    fn support_is_concave_and_zero_at_the_mean() {
        let weights = Weights([1.2, 3.2, 0.2, 5.2, 40.2]);
        let mean = weights.mean();
        assert!(weights.support(mean).abs() < 1e-20);
        let at = |i: usize| weights.support(i as f64 / 1000.0);
        for i in 2..999 {
            assert!(at(i) <= 0.0 && at(i - 1) + at(i + 1) < 2.0 * at(i), "{i}");
        }
    }

    #[test]
    fn near_the_mean_support_is_that_of_the_normal_distribution() {
        let weights = Weights([50.0, 100.0, 300.0, 120.0, 70.0]);
        let (n, mean) = (weights.total(), weights.mean());
        let variance = weights.squares_about(mean) / n;
        let distance = 0.3 * (variance / n).sqrt();
        assert!((weights.support(mean + distance) / -0.045 - 1.0).abs() < 0.01);
        assert!((weights.support(mean - distance) / -0.045 - 1.0).abs() < 0.01);
    }
}
