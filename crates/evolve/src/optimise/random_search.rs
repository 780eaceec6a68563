//! Random search, a baseline without learning.

use std::ops::RangeInclusive;

use super::direction::{Direction, Directions, Games, Kind, Point, method, norm, normals};
use super::{Method, Numbers, WorkError};
use mancala::random::{Purpose, stream};

pub(crate) static METHOD: Method = method!(
    "random-search",
    "random weight vectors, as a baseline without learning",
    Directions { openings: 10, ..Directions::defaults(&KIND) },
    "1500",
    "250"
);

pub(super) static KIND: Kind = Kind {
    // In addition to the challengers, the best point so far is a candidate.
    tried: |challengers| challengers + 1,
    pairs: |challengers| u64::from(challengers) - 1 + FINAL as u64,
    pairs_of_one: |challengers| u64::from(challengers.next_power_of_two().ilog2()) + FINAL as u64,
    begin: |task, settings| {
        let dimensions = task.features.features().len();
        Box::new(RandomSearch {
            seed: task.seed,
            challengers: settings.population as usize,
            openings: settings.openings as usize,
            best: normals(dimensions, &mut stream(task.seed, Purpose::Trial, 0, 0)),
        })
    },
};

/// The final has this many times the games of other matches, because it determines which point we keep.
const FINAL: usize = 4;

/// Vectors whose lengths are in this range can be scaled to any other length without overflow.
const LENGTHS: RangeInclusive<f64> = 1e-100..=1e100;

/// Random challengers play a knockout tournament. The winner then has to beat the best point so far to replace it.
#[derive(Debug)]
struct RandomSearch {
    seed: u64,
    challengers: usize,
    openings: usize,
    best: Point,
}

fn is_ahead(scores: &[f64]) -> bool {
    scores.iter().sum::<f64>() > scores.len() as f64 / 2.0
}

impl Direction for RandomSearch {
    fn step(&mut self, number: u64, games: &mut Games) -> Result<Vec<Point>, WorkError> {
        let draw = |index| {
            let mut rng = stream(self.seed, Purpose::Trial, number, index);
            normals(self.best.len(), &mut rng)
        };
        let players = (0..self.challengers as u64).map(draw).chain([self.best.clone()]);
        let players: Vec<Point> = players.collect();
        let mut remaining: Vec<usize> = (0..self.challengers).collect();
        while remaining.len() > 1 {
            let (ties, odd) = remaining.as_chunks::<2>();
            let scores = games.play(&players, ties, self.openings)?;
            // If a match is drawn, the second player wins. Both players are random, so this is fair.
            let winners = ties.iter().zip(scores.chunks(self.openings));
            let winners = winners.map(|(&[a, b], scores)| if is_ahead(scores) { a } else { b });
            remaining = winners.chain(odd.iter().copied()).collect();
        }
        let pair = [remaining[0], self.challengers];
        if is_ahead(&games.play(&players, &[pair], FINAL * self.openings)?) {
            self.best = players[remaining[0]].clone();
        }
        Ok(players)
    }

    fn best(&self) -> &Point {
        &self.best
    }

    fn save(&self) -> Numbers {
        Numbers::from([("best".into(), self.best.clone())])
    }

    fn load(&mut self, numbers: &Numbers) -> Option<()> {
        let best = numbers.get("best")?;
        let is_valid = best.len() == self.best.len() && LENGTHS.contains(&norm(best));
        is_valid.then(|| self.best.clone_from(best))
    }
}
