//! Code shared by random search, CMA-ES and SPSA, which search for the best direction of the weight vector.
//!
//! Scaling an evaluator changes no move, so all weight vectors are given the same length. All games of a step share the
//! same openings, which change with every step.

use std::fmt::Debug;

use arena::{Batch, PairScore, ScheduledGame};
use mancala::eval::MAX_WEIGHT;
use mancala::random::{Purpose, normal, stream};
use rand::Rng;

use super::{
    Answer, Ask, Champion, Chromosome, Coding, Encoding, Entry, Evaluated, LoadError, Memory,
    Numbers, Optimiser, OptimiserSettings, RecordedChampion, Saved, SavedStep, SettingRefusal,
    Task, entries, set, settings,
};
use crate::games::{TRAINING_PLIES, openings_or_start};

/// Two games between players `a` and `b` from one opening. Players and opening are indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pairing {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) opening: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub(crate) step: u64,
    pub(crate) players: Vec<Point>,
    pub(crate) played: Vec<Pairing>,
    /// Player A's mean points in each pairing, from 0 to 1.
    pub(crate) scores: Vec<f64>,
}

/// A search algorithm over points in weight space.
pub(crate) trait Direction: Debug + Send {
    /// Returns the players of a step: its candidates, followed by other opponents.
    fn players(&self, step: u64) -> Vec<Point>;

    /// Returns the next pairings of a step, or none if the step is finished.
    fn pairings(&self, trial: &Trial) -> Vec<Pairing>;

    /// Returns the points of the candidates: two for a win, and one for a draw.
    fn fitness(&self, trial: &Trial, candidates: usize) -> Vec<u64> {
        let mut points = vec![0; trial.players.len()];
        for (pairing, score) in trial.played.iter().zip(&trial.scores) {
            let of_a = (4.0 * score) as u64;
            points[pairing.a] += of_a;
            points[pairing.b] += 4 - of_a;
        }
        points.truncate(candidates);
        points
    }

    fn learn(&mut self, trial: &Trial);

    fn best(&self) -> &Point;

    fn save(&self) -> Numbers;

    fn load(&mut self, numbers: &mut Numbers) -> Result<(), LoadError>;
}

#[derive(Debug)]
pub(crate) struct Search {
    task: Task,
    settings: Directions,
    coding: Coding,
    direction: Box<dyn Direction>,
    last: Option<Evaluated>,
    /// The current step, and the pairings that have been requested.
    current: Option<(Trial, Vec<Pairing>)>,
}

impl Search {
    fn start(task: Task, settings: Directions, saved: Option<Saved>) -> Result<Search, LoadError> {
        let direction = (settings.kind.begin)(&task, &settings);
        let coding = settings.coding(&task);
        let mut search = Search { task, settings, coding, direction, last: None, current: None };
        let Some(saved) = saved else { return Ok(search) };
        let Memory::Numbers(mut numbers) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let candidates = search.settings.candidates() as usize;
        search.last = Some(saved.last.open(candidates, &search.coding)?);
        search.direction.load(&mut numbers)?;
        numbers.finish()?;
        Ok(search)
    }

    fn next_step(&self) -> Trial {
        let step = u64::from(self.generation()) + 1;
        let players = self.direction.players(step);
        Trial { step, players, played: Vec::new(), scores: Vec::new() }
    }

    /// Returns the games of the pairings. If there are too few openings, they are used several times.
    fn batch(&self, trial: &Trial, pairings: &[Pairing]) -> Batch {
        let count = pairings.iter().map(|pairing| pairing.opening + 1).max().unwrap_or(0);
        let rng = stream(self.task.seed, Purpose::BaselineOpening, trial.step, 0);
        let openings = openings_or_start(self.task.game, count, TRAINING_PLIES, rng);
        let limits = self.task.limits(self.task.depth);
        let player = |point: &Point| self.coding.player(&self.candidate(point), limits);
        let players = trial.players.iter().map(player);
        let schedule = pairings.iter().flat_map(|pairing| {
            let opening = pairing.opening % openings.len();
            ScheduledGame::pair(pairing.a as u32, pairing.b as u32, opening as u32)
        });
        let schedule = schedule.collect();
        Batch::new(self.task.game, players.collect(), openings, schedule)
            .expect("candidates and openings are valid for the game")
    }

    /// Scales a point to the length given in the settings and rounds it.
    fn candidate(&self, point: &Point) -> Chromosome {
        let size = norm(point);
        let factor = if size > 0.0 { f64::from(self.settings.length) / size } else { 0.0 };
        let values: Vec<i64> = point.iter().map(|it| (it * factor).round() as i64).collect();
        self.coding.encoding.encode(&values).expect("no weight exceeds the length of the vector")
    }

    fn finish(&mut self, trial: &Trial) {
        let candidates = self.settings.candidates() as usize;
        let members = trial.players[..candidates].iter().map(|it| self.candidate(it)).collect();
        let (generation, games) = (trial.step as u32, 2 * trial.played.len() as u64);
        let fitness = self.direction.fitness(trial, candidates);
        self.direction.learn(trial);
        let (games_asked, games_played) = (games, games);
        self.last = Some(Evaluated { generation, members, fitness, games_asked, games_played });
    }
}

impl Optimiser for Search {
    fn ask(&mut self) -> Ask {
        let trial = self.current.take().map_or_else(|| self.next_step(), |(trial, _)| trial);
        let requested = self.direction.pairings(&trial);
        if requested.is_empty() {
            self.finish(&trial);
            return Ask::Done;
        }
        let batch = self.batch(&trial, &requested);
        self.current = Some((trial, requested));
        Ask::Games(batch)
    }

    fn tell(&mut self, answer: Answer) {
        if let (Some((trial, requested)), Answer::Games(outcomes)) = (&mut self.current, answer) {
            trial.scores.extend(PairScore::of_pairs(&outcomes).into_iter().map(PairScore::points));
            trial.played.append(requested);
        }
    }

    fn abandon(&mut self) {
        self.current = None;
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn current_champion(&self) -> Option<Champion> {
        let last = self.last.as_ref()?;
        let chromosome = self.candidate(self.direction.best());
        let index = last.members.iter().position(|member| *member == chromosome);
        let fitness = index.map(|index| last.fitness[index]);
        Some(Champion { generation: last.generation, chromosome, fitness })
    }

    fn save(&self) -> Option<Saved> {
        let memory = Memory::Numbers(self.direction.save());
        Some(Saved { last: SavedStep::of(self.last.as_ref()?), memory })
    }
}

/// A kind of search algorithm. The counts are functions of the setting `population`.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Number of candidates per step.
    pub(crate) tried: fn(u32) -> u32,
    /// Maximum number of pairings per step and opening.
    pub(crate) pairs: fn(u32) -> u64,
    /// Maximum number of pairings per candidate and opening.
    pub(crate) pairs_of_one: fn(u32) -> u64,
    pub(crate) begin: fn(&Task, &Directions) -> Box<dyn Direction>,
}

settings! {
    /// The settings of a search for a direction.
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

/// Declares the optimiser of a [`Kind`], with a preset of the same name.
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
            // The order is that of the columns in comparison files.
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

    fn best_possible_fitness(&self, _: u32) -> u64 {
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

/// Pairs players from each of the first openings.
pub(crate) fn pair_up(
    pairs: impl IntoIterator<Item = [usize; 2]>,
    openings: usize,
) -> Vec<Pairing> {
    let of = |[a, b]: [usize; 2]| (0..openings).map(move |opening| Pairing { a, b, opening });
    pairs.into_iter().flat_map(of).collect()
}

/// A point in weight space, of which only the direction matters. Arithmetic is limited to + − × ÷ and square roots.
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
