//! Figures with their uncertainty, and how far two orders agree.

/// A mean or a ratio of means, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// The ratio of two sums over the same games, such as captures a move: `sums` are those of x, y,
    /// x², xy and y². The error is that of the linearised ratio, √Σ(x − ry)² / Σy.
    ///
    /// ```
    /// use ayo::study::kansas::Estimate;
    /// // Three wins in four games.
    /// let win = Estimate::ratio([3.0, 4.0, 3.0, 3.0, 4.0]);
    /// assert_eq!((win.value, win.error), (0.75, 0.1875_f64.sqrt() / 2.0));
    /// ```
    pub fn ratio([x, y, xx, xy, yy]: [f64; 5]) -> Estimate {
        let value = x / y;
        let squares = xx - 2.0 * value * xy + value * value * yy;
        Estimate { value, error: squares.max(0.0).sqrt() / y }
    }
}

/// Spearman's rank correlation of pairs, equal values sharing their mean rank; from −1 to 1. `None` if
/// either side is constant.
///
/// ```
/// use ayo::study::kansas::rank_correlation;
/// assert_eq!(rank_correlation(&[(1.0, 10.0), (2.0, 20.0), (5.0, 21.0)]), Some(1.0));
/// assert_eq!(rank_correlation(&[(1.0, 2.0), (2.0, 1.0)]), Some(-1.0));
/// assert_eq!(rank_correlation(&[(1.0, 2.0), (1.0, 3.0)]), None);
/// ```
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

/// From 1, equal values sharing their mean.
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
    }

    #[test]
    fn a_certain_ratio_has_no_error() {
        let every_game = Estimate::ratio([12.0, 6.0, 48.0, 24.0, 12.0]);
        assert_eq!((every_game.value, every_game.error), (2.0, 0.0));
    }
}
