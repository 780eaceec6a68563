//! Matches between players of known strength, for tests.

use rand::RngExt;

use super::game_result::GameResult;
use super::pentanomial::{PairScore, Pentanomial};
use mancala::random::{ChaCha8Rng, Purpose, stream};

/// How the two games of a pair hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coupling {
    /// Not at all.
    Independent,
    /// In six pairs of ten both games end alike.
    Alike,
    /// In six pairs of ten a good result in one goes with a bad one in the other.
    Opposite,
}

impl Coupling {
    pub(super) const ALL: [Coupling; 3] =
        [Coupling::Independent, Coupling::Alike, Coupling::Opposite];
}

/// Two players. The first has this expected score a game, whatever the coupling; draws are fewer
/// where the score does not allow as many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub(super) score: f64,
    pub(super) draws: f64,
    pub(super) coupling: Coupling,
}

impl Model {
    pub(super) fn pair(&self, dice: &mut ChaCha8Rng) -> PairScore {
        let first: f64 = dice.random();
        let coupled = dice.random_bool(0.6);
        let second = match self.coupling {
            Coupling::Alike if coupled => first,
            Coupling::Opposite if coupled => 1.0 - first,
            _ => dice.random(),
        };
        PairScore::of([self.outcome(first), self.outcome(second)])
    }

    pub(super) fn pairs(&self, count: u64, dice: &mut ChaCha8Rng) -> Pentanomial {
        (0..count).map(|_| self.pair(dice)).collect()
    }

    /// The outcome at this place of the distribution.
    fn outcome(&self, place: f64) -> GameResult {
        let draws = self.draws.min(2.0 * self.score.min(1.0 - self.score));
        let losses = 1.0 - self.score - draws / 2.0;
        if place < losses {
            GameResult::Loss
        } else if place < losses + draws {
            GameResult::Draw
        } else {
            GameResult::Win
        }
    }
}

/// The dice of a test's `index`-th simulation.
pub(super) fn dice(index: u64) -> ChaCha8Rng {
    stream(2004, Purpose::Player, 0, index)
}

#[test]
fn couplings_keep_the_score_and_change_the_spread() {
    let spread = |coupling| {
        let model = Model { score: 0.6, draws: 0.1, coupling };
        let pairs = model.pairs(20_000, &mut dice(0));
        assert!((pairs.score().unwrap() - 0.6).abs() < 0.01, "{coupling:?}");
        pairs.with_prior(0.0).squares_about(0.6) / 20_000.0
    };
    let [independent, alike, opposite] = Coupling::ALL.map(spread);
    assert!(opposite < 0.7 * independent && 1.4 * independent < alike);
}
