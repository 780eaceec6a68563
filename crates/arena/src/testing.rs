//! Simulated matches between players of known strength.

use rand::RngExt;

use crate::game::GameResult;
use crate::pentanomial::{PairScore, Pentanomial};
use mancala::random::{ChaCha8Rng, Purpose, stream};

/// The correlation of the two games of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coupling {
    Independent,
    /// In six pairs of ten both games end alike.
    Alike,
    /// In six pairs of ten a good result in one game goes with a bad one in the other.
    Opposite,
}

impl Coupling {
    pub(crate) const ALL: [Coupling; 3] =
        [Coupling::Independent, Coupling::Alike, Coupling::Opposite];
}

/// Two players. `score` is the expected score of the first; draws are fewer where it does not allow `draws`.
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

    /// The result at the quantile `q` of the distribution.
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

/// The random numbers of the `index`-th simulation.
pub(crate) fn rng(index: u64) -> ChaCha8Rng {
    stream(2004, Purpose::Player, 0, index)
}

/// The share of `runs` simulations that end so.
pub(crate) fn share(runs: u64, ends_so: impl Fn(&mut ChaCha8Rng) -> bool) -> f64 {
    (0..runs).filter(|&run| ends_so(&mut rng(run))).count() as f64 / runs as f64
}

/// Runs `work` on a pool of `threads` threads.
pub(crate) fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn couplings_keep_the_score_and_change_the_variance() {
    let squares = |coupling| {
        let model = Model { score: 0.6, draws: 0.1, coupling };
        let pairs = model.pairs(20_000, &mut rng(0));
        assert!((pairs.score().unwrap() - 0.6).abs() < 0.01, "{coupling:?}");
        pairs.with_prior(0.0).squares_about(0.6)
    };
    let [independent, alike, opposite] = Coupling::ALL.map(squares);
    assert!(opposite < 0.7 * independent && 1.4 * independent < alike);
}
