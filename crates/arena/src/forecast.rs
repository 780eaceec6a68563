//! Forecasts how much stronger the champion of a run would become with further training.

use serde::Serialize;

use crate::rating::Ratings;
use crate::regression::{Line, QUANTILE_95, quantile_95};
use crate::statistics::{mean_and_variance, normal_cdf};

/// The predicted gain from further training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    /// The additional cost, in the same unit as the run's costs so far (e.g. hours).
    pub more: f64,
    /// The expected Elo gain, from the newest champion's fitted rating to the rating after the additional cost.
    pub gain: f64,
    pub gain_ci90: (f64, f64),
    /// The number of champions on which the forecast is based: those found in the second half of the total cost.
    pub champions: usize,
}

/// The exponents of the fitted curves, where 0 stands for a logarithm. Curves with negative exponents level off.
const EXPONENTS: [f64; 4] = [0.0, -1.0, -2.0, -4.0];
/// The probability that the run has stopped improving. We assume this value regardless of the ratings.
const NO_GAIN: f64 = 0.2;
const MIN_CHAMPIONS: usize = 4;

/// Predicts how much stronger the champion becomes if the run continues for an additional cost of `more`. `costs`
/// contains the cumulative cost of the run at each champion.
///
/// We fit the curves `a + b · cost^p` to the joint ratings of the champions in the second half of the run, for several
/// exponents `p`. We use logarithms and curves that level off, but no straight lines, since real runs slow down. The
/// forecast is the average over all curves, weighted by their likelihoods. We also include the case that the run has
/// stopped improving, with a fixed probability. Ratings also tend to drift up and down over several champions, so the
/// newest and the future champion may deviate from the curve by as much as the ratings deviate from their mean.
///
/// The interval does not account for changes in the run itself, such as a new phase of training. Returns `None` if the
/// second half of the run has fewer than four champions, or if costs do not increase.
pub fn forecast(costs: &[f64], ratings: &Ratings, more: f64) -> Option<Forecast> {
    let &cost = costs.last()?;
    let first = costs.iter().position(|&it| it > cost / 2.0)?;
    let champions = costs.len() - first;
    if champions < MIN_CHAMPIONS || !costs.is_sorted() || costs[first] == cost {
        return None;
    }
    let elo = &ratings.elo.as_slice()[first..costs.len()];
    let (_, variance) = mean_and_variance(elo);
    // The variance of the difference between two champions. The variance of one champion around the curve is half as
    // large, but we also use this value for the fit, so that the intervals account for drift.
    let scatter = 2.0 * variance;
    let fitted = first..costs.len();
    let covariance = ratings.covariance.view_range(fitted.clone(), fitted).into_owned();
    // We model ratings as linear in `power(cost / total cost, exponent)`, which is 0 at the end of the run.
    let curve = |exponent: f64| {
        let x: Vec<f64> = costs[first..].iter().map(|it| power(it / cost, exponent)).collect();
        (exponent, Line::fit(&x, elo, covariance.clone(), scatter))
    };
    let curves = EXPONENTS.map(curve);
    let best = curves.iter().map(|(_, line)| line.misfit).fold(f64::INFINITY, f64::min);
    let likelihood = |line: &Line| libm::exp((best - line.misfit) / 2.0);
    let total: f64 = curves.iter().map(|(_, line)| likelihood(line)).sum();
    // There are few points, so we widen the intervals by the ratio of Student's quantile to the normal quantile.
    let widening = quantile_95(champions - 2) / QUANTILE_95;
    let of_curve = |(exponent, line): &(f64, Line)| {
        let distance = power(1.0 + more / cost, *exponent);
        let deviation = (line.slope_deviation * distance).hypot(scatter.sqrt());
        let weight = (1.0 - NO_GAIN) * likelihood(line) / total;
        (weight, line.slope * distance, deviation * widening)
    };
    let mut parts = vec![(NO_GAIN, 0.0, scatter.sqrt() * widening)];
    parts.extend(curves.iter().map(of_curve));
    let gain = parts.iter().map(|(weight, gain, _)| weight * gain).sum();
    let gain_ci90 = (quantile(&parts, 0.05), quantile(&parts, 0.95));
    Some(Forecast { more, gain, gain_ci90, champions })
}

/// Returns the Box–Cox transform of `x`: `(x^exponent − 1) / exponent`, or `log x` for an exponent of 0.
fn power(x: f64, exponent: f64) -> f64 {
    if exponent == 0.0 { libm::log(x) } else { (libm::pow(x, exponent) - 1.0) / exponent }
}

/// Returns a quantile of a mixture of normal distributions. Each part has a weight, a mean and a standard deviation.
fn quantile(parts: &[(f64, f64, f64)], share: f64) -> f64 {
    let ends = |sign: f64| parts.iter().map(move |(_, mean, sd)| mean + sign * 10.0 * sd);
    let mut low = ends(-1.0).fold(f64::INFINITY, f64::min);
    let mut high = ends(1.0).fold(f64::NEG_INFINITY, f64::max);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let below = |&(weight, mean, sd): &(f64, f64, f64)| {
            weight * normal_cdf((middle - mean) / sd.max(1e-9))
        };
        if parts.iter().map(below).sum::<f64>() < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests;
