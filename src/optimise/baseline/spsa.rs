//! Simultaneous perturbation stochastic approximation.

use rand::Rng;

use super::{Duels, Meeting, Plan, Point, Spent, Strategy, norm, plus, times};
use crate::optimise::fitness::Control;
use mancala::random::{Purpose, stream};

/// The length of the first perturbation; weights have length 1.
const PERTURBATION: f64 = 0.5;
/// The length of the first step, if all who went that way won all their games.
const GAIN: f64 = 3.0;
/// Steps during which the gain falls little.
const STABILITY: f64 = 10.0;
/// How fast gains and perturbations fall, by J. C. Spall, "Implementation of the simultaneous
/// perturbation algorithm for stochastic optimization" (IEEE Transactions on Aerospace and Electronic
/// Systems 34 (1998), 817–823).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// `w + δ` plays `w − δ` for several δ at a time, and `w` goes towards the winners.
pub(crate) struct Spsa {
    seed: u64,
    perturbations: u64,
    openings: usize,
    /// Of length 1; zero before the first step.
    weights: Point,
}

impl Spsa {
    pub(crate) fn new(plan: &Plan) -> Self {
        Spsa {
            seed: plan.seed,
            perturbations: plan.population.into(),
            openings: plan.openings as usize,
            weights: vec![0.0; plan.dimensions()],
        }
    }

    /// A perturbation of length 1, every coordinate of the same size.
    fn perturbation(&self, step: u64, index: u64) -> Point {
        let mut coins = stream(self.seed, Purpose::Trial, step, index);
        let size = 1.0 / (self.weights.len() as f64).sqrt();
        let coordinate = |_| if coins.next_u32() & 1 == 1 { size } else { -size };
        (0..self.weights.len()).map(coordinate).collect()
    }
}

impl Strategy for Spsa {
    fn step(&mut self, step: u64, duels: &dyn Duels, control: &dyn Control) -> Option<Spent> {
        let number = step as f64;
        let size = PERTURBATION / libm::pow(number, GAMMA);
        let gain = GAIN * libm::pow((1.0 + STABILITY) / (number + STABILITY), ALPHA);
        let deltas: Vec<Point> =
            (0..self.perturbations).map(|index| self.perturbation(step, index)).collect();
        let sides = |delta: &Point| [size, -size].map(|size| plus(&self.weights, size, delta));
        let players: Vec<Point> = deltas.iter().flat_map(sides).collect();
        let meetings: Vec<Meeting> = (0..deltas.len())
            .flat_map(|it| {
                let (a, b) = (2 * it, 2 * it + 1);
                (0..self.openings).map(move |opening| Meeting { a, b, opening })
            })
            .collect();
        let (scores, spent) = duels.play(step, &players, &meetings, control)?;
        let mut next = self.weights.clone();
        for (delta, scores) in deltas.iter().zip(scores.chunks(self.openings)) {
            let mean = scores.iter().sum::<f64>() / self.openings as f64;
            let towards = gain * (2.0 * mean - 1.0) / deltas.len() as f64;
            next = plus(&next, towards, delta);
        }
        let length = norm(&next);
        if length > 0.0 {
            self.weights = times(1.0 / length, &next);
        }
        Some(spent)
    }

    fn best(&self) -> &Point {
        &self.weights
    }
}
