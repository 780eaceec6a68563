//! Ratings fitted to all all_pairs of a tournament together.

use std::f64::consts::LN_10;
use std::fmt::{self, Display};

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use serde::Serialize;

use super::crosstable::Crosstable;
use super::likelihood::Weights;
use super::normal;

/// Elo points in a unit of the natural logarithm of the odds.
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// What ratings are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// The mean of all players is 0.
    Mean,
    /// This player is 0, as the one that meets all others in a gauntlet.
    Player(usize),
}

/// Elo points with their uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// Elo points above the reference.
    pub elo: f64,
    /// The 95 % interval.
    pub elo_ci95: (f64, f64),
}

/// The strengths of all players of a tournament. [`Ratings::fit`] says how they are found.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// Elo points; their mean is 0.
    elo: DVector<f64>,
    /// The covariances of `elo`.
    covariance: DMatrix<f64>,
}

/// Players that cannot be compared, since no chain of games leads from one to the other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Disconnected {
    /// The players in groups that no games connect.
    pub groups: Vec<Vec<usize>>,
}

impl Display for Disconnected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers =
            |group: &Vec<usize>| group.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let groups: Vec<String> = self.groups.iter().map(numbers).collect();
        write!(f, "no games link the players of these groups: {}", groups.join("; "))
    }
}

impl Ratings {
    /// Fits the model of R. A. Bradley and M. E. Terry (Biometrika 39 (1952), 324–345), in which player
    /// i expects `1 / (1 + 10^((Rⱼ − Rᵢ)/400))` points a game from player j, by maximum likelihood, a
    /// draw being half a win.
    ///
    /// ```
    /// use arena::{Crosstable, PairScore, Ratings, Reference};
    /// let mut table = Crosstable::new(3);
    /// for _ in 0..20 {
    ///     table.add(0, 1, PairScore::Wd);
    ///     table.add(1, 2, PairScore::Wd);
    /// }
    /// let ratings = Ratings::fit(&table).unwrap();
    /// let first = ratings.of(0, Reference::Mean);
    /// assert!(first.elo_ci95.0 < 191.0 && 191.0 < first.elo_ci95.1);
    /// assert_eq!(ratings.of(1, Reference::Player(1)).elo, 0.0);
    /// assert!(ratings.los(0, 2) > 0.999);
    /// ```
    ///
    /// # Prior
    ///
    /// Every player brings half a pair of games, shared out evenly among the opponents that it met and
    /// spread evenly over the five scores of a pair, so that all ratings are finite. Between two
    /// players this is the prior of Perks of [`Pentanomial::estimate`](super::Pentanomial::estimate),
    /// and the Elo difference is the same.
    ///
    /// # Uncertainty
    ///
    /// Covariances come from the sandwich estimator (P. J. Huber, Proc. Fifth Berkeley Symposium 1
    /// (1967), 221–233; H. White, Econometrica 50 (1982), 1–25) with pairs as independent units:
    /// `H⁻¹ M H⁻¹`, where a meeting of `n` pairs with expected score `μ` adds `n μ (1 − μ)` to the
    /// information `H` and the pairs' squared deviations from `μ` to `M`. Games of a pair may thus be
    /// correlated, and draws may be frequent or rare. `M` is enlarged by `n / (n − k + 1)` for `n` pairs
    /// and `k` players, the usual correction for fitted parameters. Pairs of different all_pairs that
    /// share an opening are taken for independent.
    ///
    /// # Errors
    ///
    /// If no chain of games leads from one player to another.
    pub fn fit(table: &Crosstable) -> Result<Ratings, Disconnected> {
        let groups = table.groups();
        if groups.len() > 1 {
            return Err(Disconnected { groups });
        }
        let all_pairs = all_pairs(table);
        let strengths = strengths(table.players(), &all_pairs);
        let covariance = covariance(&strengths, &all_pairs);
        Ok(Ratings {
            elo: strengths * ELO_PER_LOGIT,
            covariance: covariance * (ELO_PER_LOGIT * ELO_PER_LOGIT),
        })
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.elo.len()
    }

    /// The rating of `player`.
    pub fn of(&self, player: usize, reference: Reference) -> Rating {
        let (elo, deviation) = match reference {
            Reference::Mean => (self.elo[player], self.covariance[(player, player)].sqrt()),
            Reference::Player(anchor) => self.difference(player, anchor),
        };
        let margin = normal::QUANTILE_975 * deviation;
        Rating { elo, elo_ci95: (elo - margin, elo + margin) }
    }

    /// The likelihood that `a` is stronger than `b`, between 0 and 1: `Φ(difference / its standard
    /// deviation)`; ½ for `a` itself.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        if a == b {
            return 0.5;
        }
        let (elo, deviation) = self.difference(a, b);
        normal::share_below(elo / deviation)
    }

    /// The Elo difference of two players and its standard deviation.
    fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let covariance = &self.covariance;
        let variance = covariance[(a, a)] + covariance[(b, b)] - 2.0 * covariance[(a, b)];
        (self.elo[a] - self.elo[b], variance.max(0.0).sqrt())
    }
}

/// The pairs of two players, with their share of the prior.
struct WeighedPairs {
    players: [usize; 2],
    pairs: Weights,
}

fn all_pairs(table: &Crosstable) -> Vec<WeighedPairs> {
    let share = |player| 0.5 / table.opponents(player).count() as f64;
    let weighed = |a: usize, b: usize| WeighedPairs {
        players: [a, b],
        pairs: table.between(a, b).with_prior(share(a) + share(b)),
    };
    let opponents = |a| table.opponents(a).filter(move |&b| a < b).map(move |b| (a, b));
    (0..table.players()).flat_map(opponents).map(|(a, b)| weighed(a, b)).collect()
}

/// The natural logarithms of the odds that maximise the likelihood; their mean is 0.
///
/// The likelihood is concave. Newton's steps are halved until they do not lower it.
fn strengths(players: usize, all_pairs: &[WeighedPairs]) -> DVector<f64> {
    let mut strengths = DVector::zeros(players);
    let mut likelihood = log_likelihood(&strengths, all_pairs);
    for _ in 0..200 {
        let mut gradient = DVector::zeros(players);
        for WeighedPairs { players: [a, b], pairs } in all_pairs {
            let excess = pairs.total() * (pairs.mean() - expected(&strengths, *a, *b));
            gradient[*a] += excess;
            gradient[*b] -= excess;
        }
        let mut step = information(&strengths, all_pairs).solve(&gradient);
        while step.amax() > 1e-12 {
            let next = &strengths + &step;
            let improved = log_likelihood(&next, all_pairs);
            if improved >= likelihood {
                (strengths, likelihood) = (next, improved);
                break;
            }
            step /= 2.0;
        }
        if step.amax() <= 1e-12 {
            break;
        }
    }
    strengths.add_scalar(-strengths.mean())
}

fn log_likelihood(strengths: &DVector<f64>, all_pairs: &[WeighedPairs]) -> f64 {
    let term = |WeighedPairs { players: [a, b], pairs }: &WeighedPairs| {
        let mean = pairs.mean();
        let wins = mean * libm::log(expected(strengths, *a, *b));
        let losses = (1.0 - mean) * libm::log(expected(strengths, *b, *a));
        pairs.total() * (wins + losses)
    };
    all_pairs.iter().map(term).sum()
}

/// The points a game that `a` expects from `b`.
fn expected(strengths: &DVector<f64>, a: usize, b: usize) -> f64 {
    1.0 / (1.0 + libm::exp(strengths[b] - strengths[a]))
}

/// The information, made invertible in the direction in which all strengths grow alike: there it is 0
/// and nothing depends on it.
fn information(strengths: &DVector<f64>, all_pairs: &[WeighedPairs]) -> Cholesky<f64, Dyn> {
    let players = strengths.len();
    let information = contrasts(players, all_pairs, |WeighedPairs { players: [a, b], pairs }| {
        pairs.total() * expected(strengths, *a, *b) * expected(strengths, *b, *a)
    });
    let level = information.trace().max(1.0) / (players * players) as f64;
    information.add_scalar(level).cholesky().expect("a connected table has full information")
}

/// The sandwich estimate for the strengths with mean 0.
fn covariance(strengths: &DVector<f64>, all_pairs: &[WeighedPairs]) -> DMatrix<f64> {
    let players = strengths.len();
    let total: f64 = all_pairs.iter().map(|meeting| meeting.pairs.total()).sum();
    let correction = total / (total + 1.0 - players as f64).max(1.0);
    let scatter = contrasts(players, all_pairs, |WeighedPairs { players: [a, b], pairs }| {
        correction * pairs.squares_about(expected(strengths, *a, *b))
    });
    let information = information(strengths, all_pairs);
    information.solve(&information.solve(&scatter).transpose())
}

/// The sum over the all_pairs of `weight · (eₐ − e_b) (eₐ − e_b)ᵀ`.
fn contrasts(
    players: usize,
    all_pairs: &[WeighedPairs],
    weight: impl Fn(&WeighedPairs) -> f64,
) -> DMatrix<f64> {
    let mut sum = DMatrix::zeros(players, players);
    for meeting in all_pairs {
        let ([a, b], weight) = (meeting.players, weight(meeting));
        sum[(a, a)] += weight;
        sum[(b, b)] += weight;
        sum[(a, b)] -= weight;
        sum[(b, a)] -= weight;
    }
    sum
}

#[cfg(test)]
mod tests;
