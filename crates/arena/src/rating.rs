//! Crosstables, and Elo ratings that are fitted jointly to all pairs of games in a tournament.

use std::f64::consts::LN_10;

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use serde::{Deserialize, Serialize};

use crate::pentanomial::Pentanomial;
use crate::statistics::{QUANTILE_975, Weights, normal_cdf};

const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The results of all pairs of games that any two players in a tournament played. Players are numbered from 0.
///
/// ```
/// use arena::{Crosstable, Pentanomial};
/// let mut table = Crosstable::new(3);
/// table.add_all(2, 0, Pentanomial { wd: 1, ..Pentanomial::default() });
/// assert_eq!(table.between(0, 2).ld, 1);
/// assert_eq!(table.of_player(2).score(), Some(0.75));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crosstable {
    players: usize,
    /// The results between two players, from the first player's point of view, at index `players · first + second`.
    results: Vec<Pentanomial>,
}

impl Crosstable {
    /// Creates an empty table for `players` players.
    pub fn new(players: usize) -> Self {
        Crosstable { players, results: vec![Pentanomial::default(); players * players] }
    }

    /// Adds pairs of games between `a` and `b`, from `a`'s point of view. The two players must be different.
    pub fn add_all(&mut self, a: usize, b: usize, pairs: Pentanomial) {
        assert!(a != b && a.max(b) < self.players, "two different players of the table");
        self.results[a * self.players + b] += pairs;
        self.results[b * self.players + a] += pairs.swapped();
    }

    /// Returns the pairs of games between `a` and `b`, from `a`'s point of view.
    pub fn between(&self, a: usize, b: usize) -> Pentanomial {
        self.results[a * self.players + b]
    }

    /// Returns all pairs of games of a player, from that player's point of view.
    pub fn of_player(&self, player: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        self.opponents(player).for_each(|opponent| pairs += self.between(player, opponent));
        pairs
    }

    pub fn opponents(&self, player: usize) -> impl Iterator<Item = usize> {
        (0..self.players).filter(move |&other| self.between(player, other).pairs() > 0)
    }

    /// Returns whether every player is connected to every other player by a chain of games.
    pub fn is_connected(&self) -> bool {
        let mut joined: Vec<usize> = (0..self.players.min(1)).collect();
        let mut visited = 0;
        while let Some(&player) = joined.get(visited) {
            visited += 1;
            let new: Vec<usize> = self.opponents(player).filter(|o| !joined.contains(o)).collect();
            joined.extend(new);
        }
        joined.len() == self.players
    }

    /// Returns all sets of three players that beat each other in a cycle, from the most to the least certain one. Note
    /// that some cycles arise by chance if there are many players. The likelihoods aren't corrected for this.
    pub fn non_transitive_triples(&self) -> Vec<Triple> {
        let mut triples = Vec::new();
        for a in 0..self.players {
            for b in a + 1..self.players {
                for c in b + 1..self.players {
                    triples.extend(self.circle([a, b, c]));
                    triples.extend(self.circle([a, c, b]));
                }
            }
        }
        triples.sort_by(|a, b| b.least_los.total_cmp(&a.least_los));
        triples
    }

    fn circle(&self, players: [usize; 3]) -> Option<Triple> {
        let [a, b, c] = players;
        let steps = [self.between(a, b), self.between(b, c), self.between(c, a)];
        let scores = steps.map(|pairs| pairs.score().filter(|&score| score > 0.5));
        let [Some(ab), Some(bc), Some(ca)] = scores else { return None };
        let least_los = steps.map(|pairs| pairs.los()).into_iter().fold(1.0, f64::min);
        Some(Triple { players, scores: [ab, bc, ca], least_los })
    }
}

/// Three players that beat each other in a cycle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Triple<P = usize> {
    /// The players' numbers or names. Each player beats the next one, and the last player beats the first one.
    pub players: [P; 3],
    /// The points per game of each player against the next one, and of the last against the first. All are above ½.
    pub scores: [f64; 3],
    /// The lowest of the three likelihoods of superiority. Each is computed only from the games between two players.
    pub least_los: f64,
}

impl Triple {
    /// Replaces the players' numbers with their names.
    pub fn named<P>(self, name: impl Fn(usize) -> P) -> Triple<P> {
        let Triple { players, scores, least_los } = self;
        Triple { players: players.map(name), scores, least_los }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// The rating in Elo points, relative to either the mean rating or a given player.
    pub elo: f64,
    pub elo_ci95: (f64, f64),
}

/// The ratings of all players in a tournament. See [`Ratings::fit`] for the method.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The ratings in Elo points. Their mean is 0.
    pub(crate) elo: DVector<f64>,
    pub(crate) covariance: DMatrix<f64>,
}

impl Ratings {
    /// Fits the model of R. A. Bradley and M. E. Terry (Biometrika 39 (1952), 324–345) by maximum likelihood: player i
    /// is expected to score `1 / (1 + 10^((Rⱼ − Rᵢ)/400))` points per game against player j. A draw counts as half a
    /// win. Returns `None` unless the table [is connected](Crosstable::is_connected).
    ///
    /// ```
    /// use arena::{Crosstable, Pentanomial, Ratings};
    /// let mut table = Crosstable::new(3);
    /// let pairs = Pentanomial { wd: 20, ..Pentanomial::default() };
    /// table.add_all(0, 1, pairs);
    /// table.add_all(1, 2, pairs);
    /// let ratings = Ratings::fit(&table).unwrap();
    /// let first = ratings.of(0, None);
    /// assert!(first.elo_ci95.0 < 191.0 && 191.0 < first.elo_ci95.1);
    /// assert_eq!(ratings.of(1, Some(1)).elo, 0.0);
    /// assert!(ratings.los(0, 2) > 0.999);
    /// ```
    ///
    /// # Prior
    ///
    /// To keep all ratings finite, we add half a pair of games for every player, divided evenly among the player's
    /// opponents and the five possible scores of a pair. For two players, this is equal to the Perks prior of
    /// [`Pentanomial::estimate`](super::Pentanomial::estimate), and both methods yield the same Elo difference.
    ///
    /// # Uncertainty
    ///
    /// We compute the covariance matrix with the sandwich estimator `H⁻¹ M H⁻¹` (P. J. Huber, Proc. Fifth Berkeley
    /// Symposium 1 (1967), 221–233; H. White, Econometrica 50 (1982), 1–25), and treat pairs of games as independent
    /// observations. For a match of `n` pairs with expected score `μ`, we add `n μ (1 − μ)` to the information `H`, and
    /// the squared deviations of the pairs from `μ` to `M`, so the games of a pair may be correlated, and draws may be
    /// frequent or rare. We scale `M` by `n / (n − k + 1)` for `n` pairs and `k` players, which is the usual correction
    /// for fitted parameters. Pairs from different matches are treated as independent even if they share an opening.
    pub fn fit(table: &Crosstable) -> Option<Ratings> {
        if !table.is_connected() {
            return None;
        }
        let all_pairs = all_pairs(table);
        let strengths = strengths(table.players, &all_pairs);
        let covariance = covariance(&strengths, &all_pairs);
        Some(Ratings {
            elo: strengths * ELO_PER_LOGIT,
            covariance: covariance * (ELO_PER_LOGIT * ELO_PER_LOGIT),
        })
    }

    /// Returns a player's rating relative to the player `anchor`, or to the mean rating if `anchor` is `None`.
    pub fn of(&self, player: usize, anchor: Option<usize>) -> Rating {
        let (elo, deviation) = match anchor {
            None => (self.elo[player], self.covariance[(player, player)].sqrt()),
            Some(anchor) => self.difference(player, anchor),
        };
        let margin = QUANTILE_975 * deviation;
        Rating { elo, elo_ci95: (elo - margin, elo + margin) }
    }

    /// Returns the likelihood that `a` is stronger than `b`, i.e. `Φ(difference / standard deviation)`.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        if a == b {
            return 0.5;
        }
        let (elo, deviation) = self.difference(a, b);
        normal_cdf(elo / deviation)
    }

    /// Returns the Elo difference between two players and its standard deviation.
    pub(crate) fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let covariance = &self.covariance;
        let variance = covariance[(a, a)] + covariance[(b, b)] - 2.0 * covariance[(a, b)];
        (self.elo[a] - self.elo[b], variance.max(0.0).sqrt())
    }
}

/// Two players, and how many of their pairs of games had each score. These numbers include the prior.
type WeightedPairs = ([usize; 2], Weights);

fn all_pairs(table: &Crosstable) -> Vec<WeightedPairs> {
    let share = |player| 0.5 / table.opponents(player).count() as f64;
    let weighted =
        |(a, b): (usize, usize)| ([a, b], table.between(a, b).with_prior(share(a) + share(b)));
    let opponents = |a| table.opponents(a).filter(move |&b| a < b).map(move |b| (a, b));
    (0..table.players).flat_map(opponents).map(weighted).collect()
}

/// Returns the strengths that maximise the likelihood, as log-odds with mean 0.
///
/// The log-likelihood is concave, so we use Newton's method, halving each step until it doesn't lower the likelihood.
fn strengths(players: usize, all_pairs: &[WeightedPairs]) -> DVector<f64> {
    let mut strengths = DVector::zeros(players);
    let mut likelihood = log_likelihood(&strengths, all_pairs);
    for _ in 0..200 {
        let mut gradient = DVector::zeros(players);
        for ([a, b], pairs) in all_pairs {
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

fn log_likelihood(strengths: &DVector<f64>, all_pairs: &[WeightedPairs]) -> f64 {
    let term = |([a, b], pairs): &WeightedPairs| {
        let mean = pairs.mean();
        let wins = mean * libm::log(expected(strengths, *a, *b));
        let losses = (1.0 - mean) * libm::log(expected(strengths, *b, *a));
        pairs.total() * (wins + losses)
    };
    all_pairs.iter().map(term).sum()
}

/// Returns `a`'s expected points per game against `b`.
fn expected(strengths: &DVector<f64>, a: usize, b: usize) -> f64 {
    1.0 / (1.0 + libm::exp(strengths[b] - strengths[a]))
}

/// Returns the information matrix. The likelihood doesn't change if we add the same number to all strengths, so the
/// matrix is singular. We make it invertible by adding a constant to all entries, which doesn't affect the results.
fn information(strengths: &DVector<f64>, all_pairs: &[WeightedPairs]) -> Cholesky<f64, Dyn> {
    let players = strengths.len();
    let information = contrasts(players, all_pairs, |([a, b], pairs)| {
        pairs.total() * expected(strengths, *a, *b) * expected(strengths, *b, *a)
    });
    let level = information.trace().max(1.0) / (players * players) as f64;
    information.add_scalar(level).cholesky().expect("a connected table has full information")
}

/// Returns the sandwich estimate of the covariance, for strengths with mean 0.
fn covariance(strengths: &DVector<f64>, all_pairs: &[WeightedPairs]) -> DMatrix<f64> {
    let players = strengths.len();
    let total: f64 = all_pairs.iter().map(|(_, pairs)| pairs.total()).sum();
    let correction = total / (total + 1.0 - players as f64).max(1.0);
    let scatter = contrasts(players, all_pairs, |([a, b], pairs)| {
        correction * pairs.squares_about(expected(strengths, *a, *b))
    });
    let information = information(strengths, all_pairs);
    information.solve(&information.solve(&scatter).transpose())
}

/// Sums `weight · (eₐ − e_b) (eₐ − e_b)ᵀ` over all pairs of players.
fn contrasts(
    players: usize,
    all_pairs: &[WeightedPairs],
    weight: impl Fn(&WeightedPairs) -> f64,
) -> DMatrix<f64> {
    let mut sum = DMatrix::zeros(players, players);
    for pairs in all_pairs {
        let ([a, b], weight) = (pairs.0, weight(pairs));
        sum[(a, a)] += weight;
        sum[(b, b)] += weight;
        sum[(a, b)] -= weight;
        sum[(b, a)] -= weight;
    }
    sum
}

#[cfg(test)]
mod tests;
