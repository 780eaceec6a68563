//! Elo differences on the logistic scale.
//!
//! A. E. Elo, *The Rating of Chessplayers, Past and Present* (1978): a player that is rated `d` points above
//! its opponent expects `1 / (1 + 10^(−d/400))` points a game. Logarithms and exponentials are those
//! of `libm`, so that the figures are the same on every machine.

/// The Elo difference, in points, at which `score` points a game are expected:
/// `400 · log₁₀(score / (1 − score))`; infinite at 0 and 1.
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

/// The points a game, between 0 and 1, that are expected at a difference of `elo` points.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-elo / 400.0))
}
