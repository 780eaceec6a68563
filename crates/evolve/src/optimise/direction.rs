//! Code shared by random search, CMA-ES and SPSA, which search for the best direction of the weight vector.
//!
//! Scaling an evaluator doesn't change its moves, so we give all weight vectors the same length. All games in a step
//! share the same openings, and each step draws new openings.

use std::fmt::Debug;

use arena::PairScore;
use mancala::eval::MAX_WEIGHT;
use mancala::random::{Purpose, normal, stream};
use rand::Rng;

use super::{
    Champion, Chromosome, Coding, Encoding, Entry, Evaluated, Executor, LoadError, Memory, Numbers,
    Optimiser, OptimiserSettings, RecordedChampion, Saved, SettingRefusal, Task, WorkError,
    entries, set, settings,
};
use crate::games::{TRAINING_PLIES, openings_or_start, pairs};

/// Plays two games for each pair of players and each opening. The last parameter is the number of openings. For each
/// pair and each opening, returns the mean points (from 0 to 1) of the first player.
pub(crate) type Play<'a> =
    dyn FnMut(&[Point], &[[usize; 2]], usize) -> Result<Vec<f64>, WorkError> + 'a;

pub(crate) struct Games<'a> {
    pub(crate) play: &'a mut Play<'a>,
    played: u64,
    /// The points of each player. A win gives two points and a draw gives one.
    pub(crate) points: Vec<u64>,
}

impl<'a> Games<'a> {
    pub(crate) fn new(play: &'a mut Play<'a>) -> Games<'a> {
        Games { play, played: 0, points: Vec::new() }
    }

    /// [Plays](Play) games and adds up the points.
    pub(crate) fn play(
        &mut self,
        players: &[Point],
        pairs: &[[usize; 2]],
        openings: usize,
    ) -> Result<Vec<f64>, WorkError> {
        let scores = (self.play)(players, pairs, openings)?;
        self.played += 2 * scores.len() as u64;
        self.points.resize(players.len(), 0);
        for (&[a, b], scores) in pairs.iter().zip(scores.chunks(openings)) {
            for score in scores {
                let of_a = (4.0 * score) as u64;
                self.points[a] += of_a;
                self.points[b] += 4 - of_a;
            }
        }
        Ok(scores)
    }
}

/// A search algorithm over points in weight space.
pub(crate) trait Direction: Debug + Send {
    /// Performs a step and returns its candidates. An implementation that plays games must put its candidates first in
    /// the list of players. If the games can't be played, then it must return an error and leave its state unchanged.
    fn step(&mut self, number: u64, games: &mut Games) -> Result<Vec<Point>, WorkError>;

    fn best(&self) -> &Point;

    fn save(&self) -> Numbers;

    /// Restores a saved state. Returns `None` if the numbers are invalid.
    fn load(&mut self, numbers: &Numbers) -> Option<()>;
}

#[derive(Debug)]
pub(crate) struct Search {
    task: Task,
    settings: Directions,
    coding: Coding,
    direction: Box<dyn Direction>,
    last: Option<Evaluated>,
}

impl Search {
    fn start(task: Task, settings: Directions, saved: Option<Saved>) -> Result<Search, LoadError> {
        let direction = (settings.kind.begin)(&task, &settings);
        let coding = settings.coding(&task);
        let mut search = Search { task, settings, coding, direction, last: None };
        let Some(saved) = saved else { return Ok(search) };
        let Memory::Numbers(numbers) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let candidates = search.settings.candidates() as usize;
        search.last = Some(saved.last.checked(candidates, &search.coding)?);
        let are_finite = numbers.values().flatten().all(|it| it.is_finite());
        let loaded = search.direction.load(&numbers).filter(|()| are_finite);
        // If the file has numbers that this optimiser doesn't know, then saving the state again would drop them.
        loaded.filter(|()| search.direction.save() == numbers).ok_or_else(|| {
            LoadError::content("numbers are missing, invalid or from another optimiser")
        })?;
        Ok(search)
    }
}

/// Scales a point to the given length and rounds its coordinates.
fn candidate(coding: &Coding, length: u32, point: &Point) -> Chromosome {
    let size = norm(point);
    let factor = if size > 0.0 { f64::from(length) / size } else { 0.0 };
    let values: Vec<i64> = point.iter().map(|it| (it * factor).round() as i64).collect();
    coding.encoding.encode(&values).expect("no weight exceeds the length of the vector")
}

impl Optimiser for Search {
    fn step(&mut self, executor: &mut dyn Executor) -> Result<(), WorkError> {
        let generation = self.generation() + 1;
        let Search { task, settings, coding, direction, last } = self;
        let candidate = |point: &Point| candidate(coding, settings.length, point);
        let mut play = |players: &[Point], pairings: &[[usize; 2]], count: usize| {
            let rng = stream(task.seed, Purpose::BaselineOpening, generation.into(), 0);
            let openings = openings_or_start(task.game, count, TRAINING_PLIES, rng);
            // If there are too few openings, then we repeat them.
            let openings = openings.iter().cycle().take(count).cloned().collect();
            let limits = task.limits(task.depth);
            let players = players.iter().map(|point| coding.player(&candidate(point), limits));
            let pairings: Vec<_> = pairings.iter().map(|it| it.map(|it| it as u32)).collect();
            let batch = pairs(task.game, players.collect(), &pairings, openings);
            let scores = PairScore::of_pairs(&executor.games(&batch)?);
            Ok(scores.into_iter().map(PairScore::points).collect())
        };
        let mut games = Games::new(&mut play);
        let candidates = direction.step(generation.into(), &mut games)?;
        let (games_asked, games_played, mut fitness) = (games.played, games.played, games.points);
        fitness.truncate(candidates.len());
        let members = candidates.iter().map(candidate).collect();
        *last = Some(Evaluated { generation, members, fitness, games_asked, games_played });
        Ok(())
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn current_champion(&self) -> Option<Champion> {
        let last = self.last.as_ref()?;
        let chromosome = candidate(&self.coding, self.settings.length, self.direction.best());
        let index = last.members.iter().position(|member| *member == chromosome);
        let fitness = index.map(|index| last.fitness[index]);
        Some(Champion { generation: last.generation, chromosome, fitness })
    }

    fn save(&self) -> Option<Saved> {
        let memory = Memory::Numbers(self.direction.save());
        Some(Saved { last: self.last.clone()?, memory })
    }
}

/// The properties of a search algorithm. The first three functions are called with the population size.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The number of candidates per step.
    pub(crate) tried: fn(u32) -> u32,
    /// The maximum number of pairings per step and opening.
    pub(crate) pairs: fn(u32) -> u64,
    /// The maximum number of pairings per candidate and opening.
    pub(crate) pairs_of_one: fn(u32) -> u64,
    pub(crate) begin: fn(&Task, &Directions) -> Box<dyn Direction>,
}

settings! {
    /// Settings of random search, CMA-ES and SPSA.
    pub(crate) Directions(kind: &'static Kind) {
        50 population: u32 = 8, whole(4..=1000) [taken_over] =
            "candidates per step (challengers, offspring or perturbations)";
        140 openings: u32 = 4, whole(1..=1000) =
            "openings per pairing, drawn again for each step";
        280 length: u32 = 400, whole(1..=MAX_WEIGHT as u64) [taken_over] =
            "length of the weight vector";
    } {
        kind: &'static Kind = kind;
    }
}

/// Declares the optimiser for a [`Kind`] and a preset with the same name.
macro_rules! method {
    ($name:literal, $about:literal, $defaults:expr, $generations:literal, $measure_every:literal) => {
        $crate::optimise::Method {
            name: $name,
            settings: || Box::new($defaults),
            presets: &[$crate::optimise::Preset::new(
                $name,
                $about,
                None,
                concat!(
                    "signs=literal perspective=mover quiescence=captures ties=hash measure_at=budgets generations=",
                    $generations, " measure_every=", $measure_every, " measure_early=halves finalist_games=20000"
                ),
            )],
            has_move_cache: false,
            // These are in the order of the columns in comparison files.
            digest: $crate::optimise::Digest::Words(&[
                "seed", "features", "length", "game", "depth", "openings", "population",
            ]),
        }
    };
}
pub(crate) use method;

impl OptimiserSettings for Directions {
    fn entries(&self) -> Vec<Entry> {
        entries(KEYS, self)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        set(KEYS, self, name, value)
    }

    fn check(&self, _: &Task) -> Result<(), SettingRefusal> {
        Ok(())
    }

    fn coding(&self, task: &Task) -> Coding {
        Coding::new(task, Encoding::WEIGHTS, vec![None; task.features.features().len()])
    }

    fn candidates(&self) -> u32 {
        (self.kind.tried)(self.population)
    }

    fn games_of_step(&self, _: u32) -> u64 {
        2 * u64::from(self.openings) * (self.kind.pairs)(self.population)
    }

    fn best_possible_fitness(&self, _: u32, _: u32) -> u64 {
        4 * u64::from(self.openings) * (self.kind.pairs_of_one)(self.population)
    }

    fn recorded(&self, _: u32) -> RecordedChampion {
        RecordedChampion::ChampionOnly
    }

    fn start(&self, task: Task, saved: Option<Saved>) -> Result<Box<dyn Optimiser>, LoadError> {
        Ok(Box::new(Search::start(task, self.clone(), saved)?))
    }

    fn boxed(&self) -> Box<dyn OptimiserSettings> {
        Box::new(self.clone())
    }
}

/// A point in weight space. Only its direction matters. Arithmetic on points only needs + − × ÷ and square roots.
pub(crate) type Point = Vec<f64>;

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn plus(a: &[f64], factor: f64, b: &[f64]) -> Point {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

pub(crate) fn times(factor: f64, a: &[f64]) -> Point {
    a.iter().map(|a| factor * a).collect()
}

pub(crate) fn is_unit(a: &[f64]) -> bool {
    (norm(a) - 1.0).abs() < 1e-6
}

pub(crate) fn normals(dimensions: usize, rng: &mut impl Rng) -> Point {
    (0..dimensions).map(|_| normal(rng)).collect()
}

#[cfg(test)]
mod tests;
