//! Random search: what luck and selection do without learning.

use super::{Duels, Meeting, Plan, Point, Spent, Strategy, normals};
use crate::optimise::fitness::Control;
use mancala::random::{Purpose, stream};

/// The last meeting, with the best so far, is worth so many of the others.
const FINAL: usize = 4;

/// Challengers drawn at random meet in a knockout, and its winner replaces the best so far if he beats it.
pub(crate) struct RandomSearch {
    seed: u64,
    challengers: u64,
    openings: usize,
    best: Point,
}

impl RandomSearch {
    pub(crate) fn new(plan: &Plan) -> Self {
        RandomSearch {
            seed: plan.seed,
            challengers: plan.population.into(),
            openings: plan.openings as usize,
            best: normals(plan.dimensions(), &mut stream(plan.seed, Purpose::Trial, 0, 0)),
        }
    }

    /// A is ahead of B after meetings from so many openings.
    fn ahead(
        &self,
        ties: &[[usize; 2]],
        openings: usize,
        mut play: impl FnMut(&[Meeting]) -> Option<Vec<f64>>,
    ) -> Option<Vec<bool>> {
        let meetings: Vec<Meeting> = ties
            .iter()
            .flat_map(|&[a, b]| (0..openings).map(move |opening| Meeting { a, b, opening }))
            .collect();
        let scores = play(&meetings)?;
        let even = openings as f64 / 2.0;
        Some(scores.chunks(openings).map(|scores| scores.iter().sum::<f64>() > even).collect())
    }
}

impl Strategy for RandomSearch {
    fn step(&mut self, step: u64, duels: &dyn Duels, control: &dyn Control) -> Option<Spent> {
        let draw = |index| {
            let mut dice = stream(self.seed, Purpose::Trial, step, index);
            normals(self.best.len(), &mut dice)
        };
        let mut players: Vec<Point> = (0..self.challengers).map(draw).collect();
        players.push(self.best.clone());
        let mut spent = Spent::default();
        let mut play = |meetings: &[Meeting]| {
            let (scores, cost) = duels.play(step, &players, meetings, control)?;
            spent += cost;
            Some(scores)
        };
        let mut left: Vec<usize> = (0..self.challengers as usize).collect();
        while left.len() > 1 {
            let (ties, odd) = left.as_chunks::<2>();
            // Of two who are even the later one wins, which is as good as lots.
            let first_wins = self.ahead(ties, self.openings, &mut play)?;
            let winners = ties.iter().zip(first_wins);
            let winners = winners.map(|(&[a, b], first)| if first { a } else { b });
            left = winners.chain(odd.iter().copied()).collect();
        }
        let last = [left[0], self.challengers as usize];
        if self.ahead(&[last], FINAL * self.openings, &mut play)?[0] {
            self.best = players.swap_remove(left[0]);
        }
        Some(spent)
    }

    fn best(&self) -> &Point {
        &self.best
    }
}
