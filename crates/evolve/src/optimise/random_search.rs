//! Random search: what luck and selection do without learning.

use std::ops::RangeInclusive;

use super::direction::vectors::{Point, norm, normals};
use super::direction::{DIGEST, Direction, Directions, Kind, Pairing, Trial};
use super::method::{Method, Moves, Preset};
use super::saved::{LoadError, Numbers};
use super::task::Task;
use mancala::random::{Purpose, stream};

pub(crate) static METHOD: Method = Method {
    name: "random-search",
    settings: || Box::new(Directions { kind: &KIND, population: 8, openings: 10, length: 400 }),
    presets: &[Preset {
        name: "random-search",
        about: "what luck and selection find without learning",
        from: None,
        changes: &[
            ("signs", "literal"),
            ("perspective", "mover"),
            ("quiescence", "captures"),
            ("ties", "hash"),
            ("measure_at", "budgets"),
            ("generations", "1500"),
            ("measure_every", "250"),
            ("measure_early", "halves"),
            ("finalist_games", "20000"),
        ],
        time: None,
    }],
    moves: Moves::Searched,
    digest: DIGEST,
};

pub(super) static KIND: Kind = Kind {
    // The best so far is the last of them.
    tried: |challengers| challengers + 1,
    pairs: |challengers| u64::from(challengers) - 1 + FINAL as u64,
    pairs_of_one: |challengers| u64::from(challengers.next_power_of_two().ilog2()) + FINAL as u64,
    begin: |task, settings| Box::new(RandomSearch::new(task, settings)),
};

/// The last meeting, with the best so far, is worth so many of the others.
const FINAL: usize = 4;

/// Lengths of points that arithmetic can bring to another length.
const LENGTHS: RangeInclusive<f64> = 1e-100..=1e100;

/// Challengers drawn at random meet in a knockout, and its winner replaces the best so far by beating it.
#[derive(Debug)]
struct RandomSearch {
    seed: u64,
    challengers: usize,
    openings: usize,
    best: Point,
}

/// Where a knockout stands.
struct Knockout {
    /// The challengers that are left, by number.
    left: Vec<usize>,
    /// The scores of the final, once it was played.
    last: Vec<f64>,
}

impl RandomSearch {
    fn new(task: &Task, settings: &Directions) -> Self {
        let dimensions = task.features.features().len();
        RandomSearch {
            seed: task.seed,
            challengers: settings.population as usize,
            openings: settings.openings as usize,
            best: normals(dimensions, &mut stream(task.seed, Purpose::Trial, 0, 0)),
        }
    }

    /// What the rounds that were played left.
    fn knockout(&self, trial: &Trial) -> Knockout {
        let mut left: Vec<usize> = (0..self.challengers).collect();
        let mut scores = trial.scores.as_slice();
        while left.len() > 1 && !scores.is_empty() {
            let (ties, odd) = left.as_chunks::<2>();
            let (round, rest) = scores.split_at(ties.len() * self.openings);
            scores = rest;
            // Of two that are even the later one wins, which is as good as lots.
            let winners = ties.iter().zip(round.chunks(self.openings));
            let winners = winners.map(|(&[a, b], scores)| if is_ahead(scores) { a } else { b });
            left = winners.chain(odd.iter().copied()).collect();
        }
        Knockout { left, last: scores.to_vec() }
    }

    /// Each of these meets the other of its tie from so many openings.
    fn ties(&self, ties: &[[usize; 2]], openings: usize) -> Vec<Pairing> {
        let tie =
            |&[a, b]: &[usize; 2]| (0..openings).map(move |opening| Pairing { a, b, opening });
        ties.iter().flat_map(tie).collect()
    }
}

/// Whether the scores of some pairs of games are more than even.
fn is_ahead(scores: &[f64]) -> bool {
    scores.iter().sum::<f64>() > scores.len() as f64 / 2.0
}

impl Direction for RandomSearch {
    fn players(&self, step: u64) -> Vec<Point> {
        let draw = |index| {
            let mut dice = stream(self.seed, Purpose::Trial, step, index);
            normals(self.best.len(), &mut dice)
        };
        (0..self.challengers as u64).map(draw).chain([self.best.clone()]).collect()
    }

    fn pairings(&self, trial: &Trial) -> Vec<Pairing> {
        let Knockout { left, last } = self.knockout(trial);
        match left.as_slice() {
            &[winner] if last.is_empty() => {
                self.ties(&[[winner, self.challengers]], FINAL * self.openings)
            }
            [_] => Vec::new(),
            left => self.ties(left.as_chunks::<2>().0, self.openings),
        }
    }

    fn learn(&mut self, trial: &Trial) {
        let Knockout { left, last } = self.knockout(trial);
        if is_ahead(&last) {
            self.best = trial.players[left[0]].clone();
        }
    }

    fn best(&self) -> &Point {
        &self.best
    }

    fn save(&self) -> Numbers {
        Numbers::default().with("best", self.best.clone())
    }

    fn load(&mut self, numbers: &mut Numbers) -> Result<(), LoadError> {
        self.best = numbers.take("best", self.best.len())?;
        if !LENGTHS.contains(&norm(&self.best)) {
            return Err(LoadError::Content("best has no direction".into()));
        }
        Ok(())
    }
}
