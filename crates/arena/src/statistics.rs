//! The Elo scale, the normal distribution, and the likelihood of pair scores.
//!
//! We use the logarithms and exponentials of `libm`, so that results are identical on every machine.

use std::f64::consts::SQRT_2;

/// The 97.5 % quantile of the standard normal distribution.
pub const QUANTILE_975: f64 = 1.959_963_984_540_054;

/// Returns the Elo difference for which the expected score is `score`. This is `400 · log₁₀(score / (1 − score))`,
/// which is infinite for 0 and 1 (A. E. Elo, *The Rating of Chessplayers, Past and Present*, 1978).
///
/// ```
/// use arena::{elo_of_score, score_of_elo};
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(0.75) - 190.85).abs() < 0.01);
/// assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (libm::log10(score) - libm::log10(1.0 - score))
}

/// Returns the expected points per game, between 0 and 1, for a difference of `elo` points.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-elo / 400.0))
}

pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// Returns the 95 % Wilson score interval for the proportion `count` / `of` (E. B. Wilson, Journal of the American
/// Statistical Association 22 (1927), 209–212). Unlike the normal interval, it has a positive width even at 0 and 1.
///
/// ```
/// let [low, high] = arena::wilson(800.0, 800.0);
/// assert!((low - 0.9952).abs() < 5e-5 && high == 1.0);
/// ```
pub fn wilson(count: f64, of: f64) -> [f64; 2] {
    let (share, z) = (count / of, QUANTILE_975 * QUANTILE_975 / of);
    let half = (z * (share * (1.0 - share) + z / 4.0)).sqrt();
    let middle = share + z / 2.0;
    // For a proportion of 0 or 1, we set one end to exactly that value to avoid rounding errors.
    let low = if count > 0.0 { (middle - half) / (1.0 + z) } else { 0.0 };
    let high = if count < of { (middle + half) / (1.0 + z) } else { 1.0 };
    [low, high]
}

/// Returns the mean of `values`, or 0 if there are none. (The `sum` of an empty slice would be −0.)
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64
}

/// Returns the mean of `values` and their sample variance. The variance of a single value is 0.
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|it| (it - mean) * (it - mean)).sum();
    (mean, squares / values.len().saturating_sub(1).max(1) as f64)
}

/// The possible scores of a pair of games, in points per game.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Positive weights for the five scores of a pair, usually their counts plus a small prior. Confidence intervals, the
/// likelihood of superiority and the sequential test are all based on the likelihood that we compute here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weights(pub(crate) [f64; 5]);

impl Weights {
    /// Returns the number of pairs, including the prior.
    pub(crate) fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Returns the mean score of a pair. It is strictly between 0 and 1, and exactly ½ if wins and losses balance.
    pub(crate) fn mean(&self) -> f64 {
        let [ll, ld, _, wd, ww] = self.0;
        0.5 + ((ww - ll) / 2.0 + (wd - ld) / 4.0) / self.total()
    }

    pub(crate) fn squares_about(&self, centre: f64) -> f64 {
        self.sum_over(|score| (score - centre) * (score - centre))
    }

    /// Returns the support for a mean score of `s`, where 0 < s < 1. This is the logarithm of the maximum likelihood
    /// given this mean, relative to the unconstrained maximum. It is concave, has a maximum of 0 at `mean()`, and tends
    /// to −∞ at 0 and 1.
    ///
    /// With weights `nᵢ` for scores `aᵢ` and a total weight of `n`, the maximising probabilities are
    /// `pᵢ = nᵢ / n / (1 + x (aᵢ − s))`, where `x` solves `Σ nᵢ (aᵢ − s) / (1 + x (aᵢ − s)) = 0` (A. B. Owen,
    /// Biometrika 75 (1988), 237–249; M. Van den Bergh, cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition
    /// 1.1). The support is therefore `−Σ nᵢ log(1 + x (aᵢ − s))`.
    pub(crate) fn support(&self, s: f64) -> f64 {
        let x = self.multiplier(s);
        -self.sum_over(|score| libm::log1p(x * (score - s)))
    }

    /// Computes the `x` of [`support`](Self::support), which is the root of a decreasing function between two poles.
    ///
    /// We apply Newton's method to the product of that function and `(1 + x (a₁ − s)) (1 + x (a₅ − s))`, which has the
    /// same root but no poles. Whenever a step would leave the bracket, we bisect instead.
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
            let next = if low <= newton && newton <= high { newton } else { (low + high) / 2.0 };
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
    fn known_values_of_the_normal_distribution() {
        assert_eq!(normal_cdf(0.0), 0.5);
        assert!((normal_cdf(QUANTILE_975) - 0.975).abs() < 1e-15);
        assert!((normal_cdf(-1.0) - 0.158_655_253_931_457).abs() < 1e-15);
    }

    /// The expected intervals are from Newcombe, Statistics in Medicine 17 (1998), 857–872, table I.
    #[test]
    fn wilson_intervals_agree_with_published_ones() {
        for (count, of, low, high) in
            [(81.0, 263.0, 0.2553, 0.3662), (15.0, 148.0, 0.0624, 0.1605), (0.0, 20.0, 0.0, 0.1611)]
        {
            let [found_low, found_high] = wilson(count, of);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{count}");
        }
        for of in (1..2000).map(f64::from) {
            for count in [0.0, 1.0, of - 1.0, of] {
                let ([low, high], share) = (wilson(count, of), count / of);
                assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{count}/{of}");
            }
        }
    }

    #[test]
    fn the_support_of_two_scores_is_the_binomial_likelihood() {
        let weights = Weights([3.0, 1e-12, 1e-12, 1e-12, 7.0]);
        let binomial = |p: f64| 7.0 * (p / 0.7).ln() + 3.0 * ((1.0 - p) / 0.3).ln();
        for s in [0.001, 0.3, 0.5, 0.69, 0.9, 0.999] {
            assert!((weights.support(s) - binomial(s)).abs() < 1e-9, "{s}");
        }
        // If all pairs were drawn, then a mean of 0.6 is most likely if a fifth of the pairs are wins.
        let draws = Weights([1e-9, 1e-9, 100.0, 1e-9, 1e-9]);
        assert!((draws.support(0.6) - 100.0 * 0.8_f64.ln()).abs() < 1e-6);
        assert!((draws.support(0.4) - 100.0 * 0.8_f64.ln()).abs() < 1e-6);
    }
}
