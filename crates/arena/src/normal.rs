//! The standard normal distribution, and intervals that come of it.

use std::f64::consts::SQRT_2;

/// The point above which 2.5 % of the distribution lie.
pub const QUANTILE_975: f64 = 1.959_963_984_540_054;

/// The share of the distribution that lies below `z`.
pub(super) fn share_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The 95 % interval of a share, `count` of `of`, from 0 to 1: the shares from which the one seen is no
/// farther than 1.96 of their standard errors (E. B. Wilson, Journal of the American Statistical
/// Association 22 (1927), 209–212). Unlike the normal interval it has a width at 0 and at 1 too.
///
/// ```
/// let [low, high] = arena::wilson(800.0, 800.0);
/// assert!((low - 0.9952).abs() < 5e-5 && high == 1.0);
/// ```
pub fn wilson(count: f64, of: f64) -> [f64; 2] {
    let (share, z) = (count / of, QUANTILE_975 * QUANTILE_975 / of);
    let half = (z * (share * (1.0 - share) + z / 4.0)).sqrt();
    let middle = share + z / 2.0;
    // At 0 and at 1 an end is the share itself, which rounding would miss.
    let low = if count > 0.0 { (middle - half) / (1.0 + z) } else { 0.0 };
    let high = if count < of { (middle + half) / (1.0 + z) } else { 1.0 };
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_shares() {
        assert_eq!(share_below(0.0), 0.5);
        assert!((share_below(QUANTILE_975) - 0.975).abs() < 1e-15);
        assert!((share_below(-1.0) - 0.158_655_253_931_457).abs() < 1e-15);
    }

    /// Newcombe, Statistics in Medicine 17 (1998), 857–872, table I: 81 of 263, 15 of 148, 0 of 20.
    #[test]
    fn intervals_of_shares_are_those_published() {
        for (count, of, low, high) in
            [(81.0, 263.0, 0.2553, 0.3662), (15.0, 148.0, 0.0624, 0.1605), (0.0, 20.0, 0.0, 0.1611)]
        {
            let [found_low, found_high] = wilson(count, of);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{count}");
        }
    }

    #[test]
    fn the_interval_of_a_share_holds_it() {
        for of in (1..2000).map(f64::from) {
            for count in [0.0, 1.0, of - 1.0, of] {
                let ([low, high], share) = (wilson(count, of), count / of);
                assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{count}/{of}");
            }
        }
    }
}
