//! The standard normal distribution.

use std::f64::consts::SQRT_2;

/// The point above which 2.5 % of the distribution lie.
pub(super) const QUANTILE_975: f64 = 1.959_963_984_540_054;

/// The share of the distribution that lies below `z`.
pub(super) fn share_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
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
}
