//! Computes the fitness of weights by playing games, for optimisers that are written in Python.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arena::{Batch, BatchPlayer, Games, LocalGames, Outcome, ScheduledGame, balanced_openings};
use evolve::run::{Settings, provenance};
use mancala::eval::{self, MAX_WEIGHT, Weights};
use mancala::game::{Game, Side, with_game};
use mancala::random::{Purpose, stream};
use mancala::text::Message;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::evaluator::Evaluator;
use crate::position::{Integer, invalid};
use crate::threads;
use crate::training::settings_of;

/// The number of random plies in an opening. By default, the built-in optimisers use 5 to 12 plies.
const PLIES: std::ops::RangeInclusive<u32> = 2..=10;
const MAX_GAMES: usize = 10_000_000;

/// Games between candidate weights and opponents, as in a training run with these settings.
#[pyclass(frozen, subclass, module = "ayo._ayo")]
pub(crate) struct Problem {
    settings: Settings,
    opponents: Vec<Weights>,
    games: AtomicU64,
    steps: AtomicU64,
}

#[pymethods]
impl Problem {
    #[new]
    fn new(
        preset: Option<&str>,
        settings: Vec<(String, String)>,
        opponents: Vec<PathBuf>,
    ) -> PyResult<Problem> {
        let settings = settings_of(preset, &settings)?;
        if let Some(unit) = settings.features.units().next() {
            return Err(invalid(format!("{}: a Problem has no learned features", unit.name())));
        }
        let opponents = opponents.iter().map(|name| {
            let weights = eval::load(&name.to_string_lossy());
            let only = "opponents of a Problem are weights";
            let weights = weights.map_err(|error| invalid(format!("{only}: {error}")))?;
            let error = || invalid(format!("{}: weights of another game", name.display()));
            let is_own = weights.features().game() == settings.game().kind();
            is_own.then_some(weights).ok_or_else(error)
        });
        let opponents = opponents.collect::<PyResult<_>>()?;
        Ok(Problem { settings, opponents, games: AtomicU64::new(0), steps: AtomicU64::new(0) })
    }

    /// The names of the features, in the order of the columns of a population.
    #[getter]
    fn features(&self) -> Vec<&'static str> {
        self.settings.features.features().iter().map(|it| it.name()).collect()
    }

    /// The number of games played so far.
    #[getter]
    fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    #[getter]
    fn _opponents(&self) -> Vec<Evaluator> {
        self.opponents.iter().cloned().map(Evaluator::of).collect()
    }

    /// The number of games and the number of calls without a step, for pickling.
    #[getter]
    fn _counts(&self) -> [u64; 2] {
        [&self.games, &self.steps].map(|it| it.load(Ordering::Relaxed))
    }

    #[setter(_counts)]
    fn set_counts(&self, counts: [u64; 2]) {
        let [games, steps] = counts;
        self.games.store(games, Ordering::Relaxed);
        self.steps.store(steps, Ordering::Relaxed);
    }

    /// Plays population members, given as rows of 64-bit floats. Returns their mean points per game, from 0 to 1.
    #[pyo3(signature = (population, opponents, openings, step=None, threads=None))]
    fn _evaluate(
        &self,
        py: Python,
        population: &[u8],
        opponents: &[u8],
        openings: Integer,
        step: Option<Integer>,
        threads: Option<Integer>,
    ) -> PyResult<Vec<f64>> {
        let openings = openings.within("openings", 1..=MAX_GAMES)?;
        let step = step.map(|step| step.within("step", 0..=u64::MAX)).transpose()?;
        let step = step.unwrap_or_else(|| self.steps.fetch_add(1, Ordering::Relaxed));
        let (members, others) = (self.read(population)?, self.read(opponents)?);
        let others: Vec<Weights> = self.opponents.iter().cloned().chain(others).collect();
        if others.is_empty() {
            return Err(invalid(
                "there are no opponents: pass names or evaluators to Problem(opponents=…), or rows to \
                 evaluate(…, opponents=…)",
            ));
        }
        let games = members.len().saturating_mul(others.len()).saturating_mul(2 * openings);
        if games > MAX_GAMES {
            return Err(invalid(format!("{games} games are too many: at most {MAX_GAMES}")));
        }
        let batch = self.batch(&members, &others, openings, step);
        let batch = batch.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let pool = threads::pool(threads)?;
        let play = |cancel: &AtomicBool| LocalGames::new().outcomes(&batch, cancel);
        let outcomes = threads::run(py, Some(&pool), play)?;
        let outcomes = outcomes.expect("only a signal stops the games");
        self.games.fetch_add(outcomes.len() as u64, Ordering::Relaxed);
        Ok(fitness(&outcomes, members.len()))
    }

    /// Returns the evaluator with the weights that the games of `evaluate` use for a row of 64-bit floats.
    fn _evaluator(&self, row: &[u8], name: String) -> PyResult<Evaluator> {
        let mut weights = self.read(row)?.pop().ok_or_else(|| invalid("there are no weights"))?;
        weights.name = name;
        weights.provenance = Some(provenance(&self.settings, 0, None));
        Ok(Evaluator::of(weights))
    }
}

impl Problem {
    /// Reads rows of weights. Only a row's direction matters, so the largest absolute value becomes [`MAX_WEIGHT`].
    fn read(&self, bytes: &[u8]) -> PyResult<Vec<Weights>> {
        let numbers: Vec<f64> =
            bytes.as_chunks().0.iter().map(|it| f64::from_ne_bytes(*it)).collect();
        let rows = numbers.chunks_exact(self.settings.features.features().len()).enumerate();
        rows.map(|(index, row)| {
            if row.iter().any(|number| !number.is_finite()) {
                return Err(invalid(format!(
                    "row {index} has a weight that is not a finite number"
                )));
            }
            let largest = row.iter().fold(f64::MIN_POSITIVE, |largest, it| largest.max(it.abs()));
            let values = row.iter().map(|it| (it / largest * f64::from(MAX_WEIGHT)).round() as i64);
            let values: Vec<i64> = values.collect();
            let Settings { features, signs, .. } = &self.settings;
            Weights::new("candidate", features.clone(), &values, *signs).map_err(invalid)
        })
        .collect()
    }

    /// Returns the games of all members against all opponents. The openings depend on the seed and the step.
    fn batch(
        &self,
        members: &[Weights],
        others: &[Weights],
        openings: usize,
        step: u64,
    ) -> Result<Batch, Message> {
        let settings = &self.settings;
        let mut rng = stream(settings.seed, Purpose::BaselineOpening, step, 0);
        let texts: Vec<String> = with_game!(settings.game(), game => {
            let drawn = balanced_openings(game, openings, PLIES, &mut rng);
            let start = drawn.is_empty().then(|| game.start(Side::South));
            drawn.into_iter().chain(start).map(|it| it.to_string()).collect()
        });
        let player = |weights| BatchPlayer::new(weights, settings.limits(), settings.options());
        let players = members.iter().chain(others).map(player).collect();
        let (first, all) = (members.len() as u32, (members.len() + others.len()) as u32);
        let pairings: Vec<[u32; 2]> =
            (0..first).flat_map(|a| (first..all).map(move |b| [a, b])).collect();
        let schedule = ScheduledGame::all(&pairings, texts.len() as u32);
        Batch::new(settings.game(), players, texts, schedule)
    }
}

/// Returns the mean points per game of each member. The games of a member are consecutive, and the member moves first
/// in every other game, starting with the first one.
fn fitness(outcomes: &[Outcome], members: usize) -> Vec<f64> {
    let points = |(index, outcome): (usize, &Outcome)| match f64::from(outcome.result.points()) {
        points if index.is_multiple_of(2) => points / 2.0,
        points => 1.0 - points / 2.0,
    };
    let per_member = outcomes.len() / members.max(1);
    let mean =
        |games: &[Outcome]| games.iter().enumerate().map(points).sum::<f64>() / games.len() as f64;
    outcomes.chunks_exact(per_member.max(1)).map(mean).collect()
}
