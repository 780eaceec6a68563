//! The similarity of a row to the rows of the completely determined game (CDG). The thesis calls rows episodes.

use std::fmt;

use mancala::endgame::cdg;
use mancala::game::ayo::PITS;

/// A row in the order that the thesis uses, starting with x₁, the pit closest to the opponent.
pub(super) type Episode = [u32; PITS];

/// Similarity measures. Each of them is 1 for equal episodes, except where it is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// The correlation coefficient, from −1 to 1. Eq. (5) in the paper is 1 minus this, but the paper maximises it.
    Correlation,
    /// 1 − d/6, from 0 to 1, where d = Σ |x − y| / (x + y) is the Canberra distance with 0/0 taken as 0.
    Canberra,
    /// The cosine of the angle between the episodes, from 0 to 1.
    Angular,
    /// The mean of the other three measures. According to the thesis, no single measure is sufficient.
    Combined,
}

impl Metric {
    pub(super) const ALL: [Metric; 4] =
        [Metric::Correlation, Metric::Canberra, Metric::Angular, Metric::Combined];

    /// Returns the similarity of two episodes, or 0 if the similarity is undefined because one of them is constant.
    fn of(self, x: &Episode, y: &Episode) -> f64 {
        match self {
            Metric::Correlation => correlation(x, y),
            Metric::Canberra => canberra(x, y),
            Metric::Angular => cosine(x, y),
            Metric::Combined => (correlation(x, y) + canberra(x, y) + cosine(x, y)) / 3.0,
        }
    }

    /// Returns the highest similarity between an episode and any CDG vector except the empty one.
    pub(super) fn nearest(self, x: &Episode) -> f64 {
        sources().map(|source| self.of(x, &source)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Returns all non-empty CDG vectors of six pits. These are the source episodes that each row is compared with.
fn sources() -> impl Iterator<Item = Episode> {
    cdg::vectors(PITS).skip(1).map(|vector| vector.try_into().expect("a vector of six pits"))
}

/// Returns (6 Σxy − Σx Σy) / √((6 Σxx − Σx Σx) (6 Σyy − Σy Σy)).
fn correlation(x: &Episode, y: &Episode) -> f64 {
    let sum = |x: &Episode| x.iter().map(|&seeds| i64::from(seeds)).sum::<i64>();
    let covariance = |x, y| PITS as i64 * product(x, y) - sum(x) * sum(y);
    quotient(covariance(x, y), covariance(x, x), covariance(y, y))
}

fn cosine(x: &Episode, y: &Episode) -> f64 {
    quotient(product(x, y), product(x, x), product(y, y))
}

fn product(x: &Episode, y: &Episode) -> i64 {
    x.iter().zip(y).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum()
}

/// Returns xy / √(xx·yy), or 0 if xx or yy is 0.
fn quotient(xy: i64, xx: i64, yy: i64) -> f64 {
    if xx == 0 || yy == 0 { 0.0 } else { xy as f64 / ((xx * yy) as f64).sqrt() }
}

fn canberra(x: &Episode, y: &Episode) -> f64 {
    let terms = x.iter().zip(y).filter(|&(a, b)| a + b > 0);
    let d: f64 = terms.map(|(&a, &b)| f64::from(a.abs_diff(b)) / f64::from(a + b)).sum();
    1.0 - d / PITS as f64
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }

    #[test]
    fn similarities_agree_with_those_computed_by_hand() {
        // Both means are 2, and the deviations are (−2, 0, −1, 2, 1, 0) and (0, −1, 1, 2, −1, −1).
        let (x, y) = ([0, 2, 1, 4, 3, 2], [2, 1, 3, 4, 1, 1]);
        close(Metric::Correlation.of(&x, &y), 2.0 / (10.0f64 * 8.0).sqrt());
        // The products sum to 0 + 2 + 3 + 16 + 3 + 2, and the squares to 34 and 32.
        close(Metric::Angular.of(&x, &y), 26.0 / (34.0f64 * 32.0).sqrt());
        close(
            Metric::Canberra.of(&x, &y),
            1.0 - (1.0 + 1.0 / 3.0 + 0.5 + 0.0 + 0.5 + 1.0 / 3.0) / 6.0,
        );
        let (flat, empty) = ([3; PITS], [0; PITS]);
        let other = [1, 0, 2, 0, 0, 0];
        assert_eq!(Metric::Correlation.of(&flat, &other), 0.0);
        assert_eq!(Metric::Angular.of(&empty, &other), 0.0);
        // Two of the terms are 1, and the other four are undefined (0/0).
        close(Metric::Canberra.of(&empty, &other), 1.0 - 2.0 / 6.0);
    }

    #[test]
    fn the_ten_sources_are_nearest_to_themselves() {
        let sources: Vec<Episode> = sources().collect();
        assert_eq!(sources.len(), 10);
        assert_eq!((sources[0], sources[9]), ([2, 0, 0, 0, 0, 0], [2, 2, 1, 3, 5, 7]));
        for metric in Metric::ALL {
            for source in &sources {
                close(metric.nearest(source), 1.0);
            }
        }
    }

    laws! {
        #[test]
        fn similarity_is_symmetric_and_within_its_range(x: [u8; PITS], y: [u8; PITS]) {
            let [x, y] = [x, y].map(|row| row.map(u32::from));
            for metric in Metric::ALL {
                let found = metric.of(&x, &y);
                let least = if metric == Metric::Correlation { -1.0 } else { -1.0 / 3.0 };
                prop_assert!((least - 1e-12..=1.0 + 1e-12).contains(&found));
                prop_assert_eq!(found, metric.of(&y, &x));
            }
        }
    }
}
