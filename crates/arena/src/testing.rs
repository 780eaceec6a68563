//! Simulated matches between players of known strength.

use rand::RngExt;

use crate::game::GameResult;
use crate::pentanomial::{PairScore, Pentanomial};
use mancala::random::{ChaCha8Rng, Purpose, stream};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coupling {
    Independent,
    /// With a probability of 0.6, the same player does well in both games of a pair.
    Alike,
    /// With a probability of 0.6, a player that does well in one game does badly in the other.
    Opposite,
}

impl Coupling {
    pub(crate) const ALL: [Coupling; 3] =
        [Coupling::Independent, Coupling::Alike, Coupling::Opposite];
}

/// A model of random results between two players. `score` is the first player's expected score, and `draws` is the
/// probability of a draw. If `score` is close to 0 or 1, then the actual probability is lower.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Model {
    pub(crate) score: f64,
    pub(crate) draws: f64,
    pub(crate) coupling: Coupling,
}

impl Model {
    pub(crate) fn pair(&self, rng: &mut ChaCha8Rng) -> PairScore {
        let first: f64 = rng.random();
        let coupled = rng.random_bool(0.6);
        let second = match self.coupling {
            Coupling::Alike if coupled => first,
            Coupling::Opposite if coupled => 1.0 - first,
            _ => rng.random(),
        };
        PairScore::of([self.result(first), self.result(second)])
    }

    pub(crate) fn pairs(&self, count: u64, rng: &mut ChaCha8Rng) -> Pentanomial {
        (0..count).map(|_| self.pair(rng)).collect()
    }

    fn result(&self, q: f64) -> GameResult {
        let draws = self.draws.min(2.0 * self.score.min(1.0 - self.score));
        let losses = 1.0 - self.score - draws / 2.0;
        if q < losses {
            GameResult::Loss
        } else if q < losses + draws {
            GameResult::Draw
        } else {
            GameResult::Win
        }
    }
}

pub(crate) fn rng(index: u64) -> ChaCha8Rng {
    stream(2004, Purpose::Player, 0, index)
}

/// Returns pentanomials for tests, including some without pairs, with a single kind of score or with very large counts.
pub(crate) fn assorted() -> Vec<Pentanomial> {
    let mut all = vec![[0; 5], [3, 1, 4, 1, 5], [20, 5, 1, 0, 0], [0, 1, 900, 2, 0]];
    for kind in 0..5 {
        for count in [1, 2, 30, 1014, 1_000_000_000] {
            let mut counts = [0; 5];
            counts[kind] = count;
            all.push(counts);
        }
    }
    all.into_iter().map(Pentanomial::of_counts).collect()
}

pub(crate) fn share(runs: u64, ends_so: impl Fn(&mut ChaCha8Rng) -> bool) -> f64 {
    (0..runs).filter(|&run| ends_so(&mut rng(run))).count() as f64 / runs as f64
}
