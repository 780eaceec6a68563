//! Simultaneous perturbation stochastic approximation (J. C. Spall, IEEE Transactions on Automatic Control 37 (1992)).

use rand::Rng;

use super::direction::{
    Direction, Directions, Games, Kind, Point, is_unit, method, norm, plus, times,
};
use super::{Method, Numbers, WorkError};
use mancala::random::{Purpose, stream};

pub(crate) static METHOD: Method = method!(
    "spsa",
    "simultaneous perturbation; learns from few games",
    Directions::defaults(&KIND),
    "3000",
    "500"
);

pub(super) static KIND: Kind = Kind {
    tried: |perturbations| 2 * perturbations,
    pairs: |perturbations| perturbations.into(),
    pairs_of_one: |_| 1,
    begin: |task, settings| {
        Box::new(Spsa {
            seed: task.seed,
            perturbations: settings.population.into(),
            openings: settings.openings as usize,
            weights: vec![0.0; task.features.features().len()],
        })
    },
};

/// The length of the first perturbation, relative to the length of the weight vector.
const PERTURBATION: f64 = 0.5;
/// The maximum length of the first step, before the weights are scaled to length 1.
const GAIN: f64 = 3.0;
/// The stability constant `A`: the number of steps after which the gain has noticeably decreased.
const STABILITY: f64 = 10.0;
/// The decay exponents of gains and perturbations (J. C. Spall, IEEE Trans. Aerosp. Electron. Syst. 34 (1998)).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// In each step, we draw several perturbations δ, let `w + δ` play `w − δ`, and move `w` towards the winners.
#[derive(Debug)]
struct Spsa {
    seed: u64,
    perturbations: u64,
    openings: usize,
    /// The current weights, scaled to length 1. They are zero until a step changes them for the first time.
    weights: Point,
}

impl Spsa {
    /// Returns a random perturbation of length 1 whose coordinates all have the same magnitude.
    fn perturbation(&self, step: u64, index: u64) -> Point {
        let mut coins = stream(self.seed, Purpose::Trial, step, index);
        let size = 1.0 / (self.weights.len() as f64).sqrt();
        let coordinate = |_| if coins.next_u32() & 1 == 1 { size } else { -size };
        (0..self.weights.len()).map(coordinate).collect()
    }
}

impl Direction for Spsa {
    fn step(&mut self, number: u64, games: &mut Games) -> Result<Vec<Point>, WorkError> {
        let deltas = (0..self.perturbations).map(|index| self.perturbation(number, index));
        let deltas: Vec<Point> = deltas.collect();
        let size = PERTURBATION / libm::pow(number as f64, GAMMA);
        let sides = |delta: &Point| [size, -size].map(|size| plus(&self.weights, size, delta));
        let players: Vec<Point> = deltas.iter().flat_map(sides).collect();
        let pairs: Vec<_> = (0..deltas.len()).map(|it| [2 * it, 2 * it + 1]).collect();
        let scores = games.play(&players, &pairs, self.openings)?;
        let gain = GAIN * libm::pow((1.0 + STABILITY) / (number as f64 + STABILITY), ALPHA);
        let mut next = self.weights.clone();
        for (delta, scores) in deltas.iter().zip(scores.chunks(self.openings)) {
            let mean = scores.iter().sum::<f64>() / self.openings as f64;
            let factor = gain * (2.0 * mean - 1.0) / self.perturbations as f64;
            next = plus(&next, factor, delta);
        }
        let length = norm(&next);
        if length > 0.0 {
            self.weights = times(1.0 / length, &next);
        }
        Ok(players)
    }

    fn best(&self) -> &Point {
        &self.weights
    }

    fn save(&self) -> Numbers {
        Numbers::from([("weights".into(), self.weights.clone())])
    }

    fn load(&mut self, numbers: &Numbers) -> Option<()> {
        let weights = numbers.get("weights")?;
        let has_length = is_unit(weights) || norm(weights) == 0.0;
        let is_valid = weights.len() == self.weights.len() && has_length;
        is_valid.then(|| self.weights.clone_from(weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_load_if_they_are_zero_or_have_length_1() {
        let settings = Directions { kind: &KIND, population: 4, openings: 1, length: 400 };
        let task = crate::optimise::testing::task_of(&METHOD);
        let mut spsa = (KIND.begin)(&task, &settings);
        let zeros = vec![0.0; spsa.best().len()];
        let mut loads = |first: f64| {
            let mut weights = zeros.clone();
            weights[0] = first;
            spsa.load(&Numbers::from([("weights".into(), weights)])).is_some()
        };
        assert_eq!([0.0, 1.0, -1.0, 0.5, 2.0].map(&mut loads), [true, true, true, false, false]);
    }
}
