//! Scores of pairs of games, and strength estimates that are computed from these scores.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::game::GameResult;
use crate::statistics::{QUANTILE_975, SCORES, Weights, elo_of_score, normal_cdf};

/// Player A's score in a pair of games from the same opening, with sides swapped. The two games aren't independent of
/// each other, so all statistics are computed over pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairScore {
    /// Two losses: 0 points per game.
    Ll,
    /// A loss and a draw: ¼.
    Ld,
    /// Two draws, or a win and a loss: ½.
    DdWl,
    /// A win and a draw: ¾.
    Wd,
    Ww,
}

impl PairScore {
    /// All scores, worst first.
    pub const ALL: [PairScore; 5] =
        [PairScore::Ll, PairScore::Ld, PairScore::DdWl, PairScore::Wd, PairScore::Ww];

    /// Returns the score of a pair of games. The order of the two games doesn't matter.
    pub fn of(games: [GameResult; 2]) -> PairScore {
        PairScore::ALL[games[0] as usize + games[1] as usize]
    }

    /// Returns the points per game: 0, ¼, ½, ¾ or 1.
    pub fn points(self) -> f64 {
        SCORES[self as usize]
    }
}

/// The number of pairs of games with each [score](PairScore), from player A's point of view.
///
/// ```
/// use arena::Pentanomial;
/// let pairs = Pentanomial { ll: 13, ld: 37, dd_wl: 50, wd: 25, ww: 3 };
/// assert_eq!((pairs.pairs(), pairs.score()), (128, Some(0.4375)));
/// let estimate = pairs.estimate();
/// assert_eq!(format!("{:.0}", estimate.elo), "-43");
/// assert!(estimate.elo_ci95.1 < 0.0 && estimate.los < 0.025);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pentanomial {
    pub ll: u64,
    pub ld: u64,
    pub dd_wl: u64,
    pub wd: u64,
    pub ww: u64,
}

impl Pentanomial {
    /// Returns the five counts, worst score first.
    pub fn counts(&self) -> [u64; 5] {
        [self.ll, self.ld, self.dd_wl, self.wd, self.ww]
    }

    /// Creates a pentanomial from the five counts, worst score first.
    pub fn of_counts([ll, ld, dd_wl, wd, ww]: [u64; 5]) -> Pentanomial {
        Pentanomial { ll, ld, dd_wl, wd, ww }
    }

    pub fn pairs(&self) -> u64 {
        self.counts().iter().sum()
    }

    pub fn add(&mut self, pair: PairScore) {
        let mut counts = self.counts();
        counts[pair as usize] += 1;
        *self = Pentanomial::of_counts(counts);
    }

    /// Returns the same pairs from player B's point of view.
    pub fn swapped(&self) -> Pentanomial {
        Pentanomial { ll: self.ww, ld: self.wd, dd_wl: self.dd_wl, wd: self.ld, ww: self.ll }
    }

    /// Returns player A's points per game, between 0 and 1, or `None` if there are no games.
    pub fn score(&self) -> Option<f64> {
        let pairs = self.pairs();
        let quarters = self.ld + 2 * self.dd_wl + 3 * self.wd + 4 * self.ww;
        (pairs > 0).then(|| quarters as f64 / (4 * pairs) as f64)
    }

    /// Estimates player A's strength relative to player B's.
    ///
    /// # Method
    ///
    /// We assume nothing about the probabilities of the five scores, so the two games of a pair may be correlated in
    /// either direction. We add the Perks prior (*Some observations on inverse probability*, Journal of the Institute
    /// of Actuaries 73 (1947), 285–334) to the counts, i.e. a fifth of a pair for each score. The support for a mean
    /// score is the logarithm of the maximum likelihood given this mean, relative to the unconstrained maximum.
    ///
    /// - The Elo difference is computed from the mean score, including the prior.
    /// - The confidence interval contains all means whose support is above −1.96²/2 (S. S. Wilks, Annals of
    ///   Mathematical Statistics 9 (1938), 60–62; A. B. Owen, Biometrika 75 (1988), 237–249).
    /// - The likelihood of superiority is `Φ(±√(−2 · support(½)))`, which uses the signed root of the same likelihood
    ///   ratio. It exceeds 0.975 if and only if the confidence interval lies above ½.
    ///
    /// In simulated matches of 30 to 1014 pairs, the interval covers the true score in 94 to 97 % of cases.
    pub fn estimate(&self) -> Estimate {
        let weights = self.with_prior(1.0);
        let mean = weights.mean();
        let low = farthest_supported(&weights, 0.0);
        let high = farthest_supported(&weights, 1.0);
        let score = self.score().unwrap_or(mean);
        Estimate {
            score,
            score_ci95: (low.min(score), high.max(score)),
            elo: elo_of_score(mean),
            elo_ci95: (elo_of_score(low), elo_of_score(high)),
            los: self.los(),
        }
    }

    /// Returns the [likelihood of superiority](Estimate::los), which takes much less time than the intervals.
    pub(crate) fn los(&self) -> f64 {
        let weights = self.with_prior(1.0);
        let deviance = (-2.0 * weights.support(0.5)).max(0.0);
        normal_cdf(deviance.sqrt().copysign(weights.mean() - 0.5))
    }

    /// Returns the counts after adding a prior of `pairs` pairs, which is spread evenly over the five scores.
    pub(crate) fn with_prior(&self, pairs: f64) -> Weights {
        Weights(self.counts().map(|count| count as f64 + pairs / 5.0))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        let (one, other) = (self.counts(), other.counts());
        *self = Pentanomial::of_counts(std::array::from_fn(|score| one[score] + other[score]));
    }
}

impl FromIterator<PairScore> for Pentanomial {
    fn from_iter<I: IntoIterator<Item = PairScore>>(pairs: I) -> Self {
        let mut counts = Pentanomial::default();
        pairs.into_iter().for_each(|pair| counts.add(pair));
        counts
    }
}

/// A strength estimate. All values are always finite. See [`Pentanomial::estimate`] for the method.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The points per game, between 0 and 1, or ½ if there are no games.
    pub score: f64,
    /// The 95 % confidence interval for the expected points per game. This interval always contains `score`.
    pub score_ci95: (f64, f64),
    /// The Elo difference in points, positive if A is stronger. The prior pulls it slightly towards 0.
    pub elo: f64,
    pub elo_ci95: (f64, f64),
    #[serde(default)]
    pub los: f64,
}

/// Returns the lower end of the confidence interval if `end` is 0, or the upper end if it is 1.
fn farthest_supported(weights: &Weights, end: f64) -> f64 {
    const MIN_SUPPORT: f64 = -0.5 * QUANTILE_975 * QUANTILE_975;
    let (mut inside, mut outside) = (weights.mean(), end);
    for _ in 0..52 {
        let middle = (inside + outside) / 2.0;
        if weights.support(middle) > MIN_SUPPORT {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

#[cfg(test)]
mod tests;
