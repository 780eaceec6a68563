//! Statistical errors of figures, and rank correlation.

use arena::{QUANTILE_975, wilson};

/// A mean or a ratio of means, with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// The standard error of the value.
    pub error: f64,
}

impl Estimate {
    /// Estimates the ratio of two sums over games, Σx / Σy. If y is always 1, this is a mean. Otherwise, it is a ratio
    /// such as captures per move. The error is the error of the linearised ratio, √Σ(x − ry)² / Σy.
    pub fn ratio(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Estimate {
        let (x, y) = pairs.clone().fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
        let value = x / y;
        let squares: f64 = pairs.map(|(x, y)| (x - value * y).powi(2)).sum();
        Estimate { value, error: squares.sqrt() / y }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The number of games with the property.
    pub count: u64,
    /// The number of all games, which is at least 1.
    pub of: u64,
}

/// A measured figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    Share(Share),
    /// A mean or a ratio.
    Mean(Estimate),
}

impl Measure {
    /// Returns the share or the mean.
    pub fn value(&self) -> f64 {
        match self {
            Measure::Share(share) => share.count as f64 / share.of as f64,
            Measure::Mean(mean) => mean.value,
        }
    }

    /// Returns the 95 % interval. This is Wilson's interval for a share, and the normal interval for a mean.
    pub fn interval(&self) -> [f64; 2] {
        match self {
            Measure::Share(share) => wilson(share.count as f64, share.of as f64),
            Measure::Mean(Estimate { value, error }) => {
                [value - QUANTILE_975 * error, value + QUANTILE_975 * error]
            }
        }
    }

    /// Returns whether the 95 % interval of the difference from another value contains 0. The other value is based on
    /// `size` times as many games. For means, we use the errors of both values. For shares, we combine the Wilson
    /// intervals of both values (R. G. Newcombe, Statistics in Medicine 17 (1998), 873–890, method 10).
    pub fn agrees_with(&self, other: f64, size: f64) -> bool {
        let [low, high] = self.difference(other, size);
        low <= 0.0 && 0.0 <= high
    }

    /// Returns the 95 % interval of the difference from another value.
    fn difference(&self, other: f64, size: f64) -> [f64; 2] {
        let (value, [low, high]) = (self.value(), self.interval());
        let [other_low, other_high] = match self {
            Measure::Share(share) => {
                let of = size * share.of as f64;
                wilson(other * of, of)
            }
            Measure::Mean(mean) => {
                let half = QUANTILE_975 * mean.error / size.sqrt();
                [other - half, other + half]
            }
        };
        let difference = value - other;
        [
            difference - (value - low).hypot(other_high - other),
            difference + (high - value).hypot(other - other_low),
        ]
    }
}

/// Returns Spearman's rank correlation of pairs, from −1 to 1, or `None` if either side is constant. Equal values share
/// their mean rank.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let a = ranks(pairs.iter().map(|pair| pair.0).collect());
    let b = ranks(pairs.iter().map(|pair| pair.1).collect());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    let spread = (sum(&a, &a) * sum(&b, &b)).sqrt();
    (spread > 0.0).then(|| sum(&a, &b) / spread)
}

/// Returns the rank of each value, counted from 1. Equal values share their mean rank.
fn ranks(values: Vec<f64>) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_rank() {
        assert_eq!(ranks(vec![3.0, 1.0, 3.0, 7.0]), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(rank_correlation(&[(1.0, 10.0), (2.0, 20.0), (5.0, 21.0)]), Some(1.0));
        assert_eq!(rank_correlation(&[(1.0, 2.0), (2.0, 1.0)]), Some(-1.0));
        assert_eq!(rank_correlation(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }

    #[test]
    fn a_ratio_has_the_error_of_its_games() {
        let mean = Estimate::ratio([(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (0.0, 1.0)].into_iter());
        assert_eq!((mean.value, mean.error), (0.75, 0.1875_f64.sqrt() / 2.0));
        let every_game = Estimate::ratio([(2.0, 1.0), (4.0, 2.0)].into_iter());
        assert_eq!((every_game.value, every_game.error), (2.0, 0.0));
    }

    /// Examples from table II of Newcombe: 56 of 70 and 48 of 80, 9 of 10 and 3 of 10, 5 of 56 and 0 of 29.
    #[test]
    fn shares_differ_as_published() {
        let all = Measure::Share(Share { count: 800, of: 800 });
        assert!(all.agrees_with(0.9975, 1.0) && !all.agrees_with(0.99, 1.0));
        for (count, of, other, others, low, high) in [
            (56, 70, 48.0, 80.0, 0.0524, 0.3339),
            (9, 10, 3.0, 10.0, 0.1705, 0.8090),
            (5, 56, 0.0, 29.0, -0.0381, 0.1926),
        ] {
            let (share, size) = (Measure::Share(Share { count, of }), others / of as f64);
            let [found_low, found_high] = share.difference(other / others, size);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{count}");
            assert_eq!(share.agrees_with(other / others, size), low < 0.0);
        }
    }

    #[test]
    fn means_differ_by_both_errors() {
        let mean = Measure::Mean(Estimate { value: 1.0, error: 0.1 });
        let reach = 0.196 * 2_f64.sqrt();
        assert!(mean.agrees_with(1.0 + reach - 1e-3, 1.0) && mean.agrees_with(1.001 - reach, 1.0));
        assert!(!mean.agrees_with(1.001 + reach, 1.0) && !mean.agrees_with(0.999 - reach, 1.0));
        // With more games, the error of the other value is smaller.
        assert!(!mean.agrees_with(1.0 + reach - 1e-3, 4.0));
    }
}
