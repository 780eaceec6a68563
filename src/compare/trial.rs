//! A search for weights within a budget.
//!
//! At several points along the budget, the best weights so far are measured against reference opponents. Measurements
//! do not count towards the budget and do not affect the search.

use std::time::{Duration, Instant};

use arena::LocalGames;
use evolve::run::{MeasuredAt, Panel, Settings, StopPolicy, Trainer, Watched};
use mancala::eval::{Strength, Weights, mean_strength};
use mancala::game::AnyGame;
use mancala::progress::Progress;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Budget, Contestant};
use crate::train::strength::{Score, against};

/// Number of measurements within a budget. Each is taken when the cost has doubled since the previous one.
pub const POINTS: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonTerms {
    pub game: AnyGame,
    pub budget: Budget,
    pub depth: u32,
    pub openings: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    pub games: u64,
    pub nodes: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Number of the measurement, from 1 to [`POINTS`]. The last one is at the full budget.
    pub number: u32,
    /// The cost of the search up to this measurement. It does not exceed the part of the budget after which the
    /// measurement is taken.
    pub cost: Cost,
    pub time: Duration,
    /// The non-zero weights, as in `a9=-120 a10=115`.
    pub weights: String,
    pub strength: Vec<Strength>,
}

impl Point {
    /// Returns the mean score and half the width of its 95 % interval.
    pub fn mean(&self) -> (f64, f64) {
        mean_strength(&self.strength).unwrap_or((0.5, 0.5))
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Score { score, score_ci95 } = Score::within(self.mean());
        let point = json!({
            "games": self.cost.games,
            "nodes": self.cost.nodes,
            "seconds": self.time.as_secs_f64(),
            "panel": score,
            "panel_ci95": score_ci95,
            "strength": against(&self.strength),
            "weights": weights(&self.weights),
        });
        point.serialize(serializer)
    }
}

/// Parses weights written as `a9=-120 a10=115`.
fn weights(shown: &str) -> Map<String, Value> {
    let term = |term: &str| {
        let (name, weight) = term.split_once('=')?;
        Some((name.to_owned(), weight.parse::<i64>().ok()?.into()))
    };
    shown.split(' ').filter_map(term).collect()
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    pub contestant: String,
    pub seed: u64,
    /// Hash of everything that affects the search.
    pub settings: String,
    /// One or more measurements, by increasing cost.
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrialError {
    #[error("interrupted")]
    Stopped,
    /// The first step exceeds the budget.
    #[error("{0}")]
    TooSmall(String),
}

/// A callback that reports progress. It gets the fraction of the budget that has been spent, and the mean score in the
/// last measurement with half the width of its 95 % interval.
pub type Follow<'a> = &'a dyn Fn(f64, Option<(f64, f64)>);

/// Runs a contestant with this seed until the next step would exceed the budget.
pub fn compete(
    contestant: &Contestant,
    seed: u64,
    terms: &ComparisonTerms,
    progress: &dyn Progress,
    follow: Follow,
) -> Result<Trial, TrialError> {
    let trainer = contestant.trainer(seed);
    let measured = Settings {
        depth: terms.depth,
        nodes: 0,
        measure_openings: terms.openings,
        measure_at: MeasuredAt::Depth,
        panel: Panel::First,
        ..trainer.settings().clone()
    };
    let mut search = BudgetedSearch {
        trainer,
        budget: terms.budget,
        progress,
        follow,
        cost: Cost::default(),
        time: Duration::ZERO,
        reached: None,
        ahead: None,
        is_over: false,
        strength: None,
    };
    let mut points: Vec<Point> = Vec::new();
    for number in 1..=POINTS {
        let limit = terms.budget.share(number);
        let Some(state) = search.up_to(limit)? else { continue };
        if points.last().is_some_and(|last| last.cost == state.cost) {
            continue;
        }
        let strength = measured.measure(&state.weights, &[], &LocalGames::new(), progress);
        let strength = strength.ok_or(TrialError::Stopped)?;
        let State { cost, time, weights } = state;
        let point = Point { number, cost, time, weights: shown(&weights), strength };
        search.strength = Some(point.mean());
        points.push(point);
    }
    if points.is_empty() {
        let (budget, step) = (terms.budget, search.first_step());
        return Err(TrialError::TooSmall(format!(
            "the budget {budget} is too small for {contestant}: the first step takes {step}"
        )));
    }
    let settings = contestant.hash(seed);
    Ok(Trial { contestant: contestant.name.clone(), seed, settings, points })
}

/// Best weights found by a search, and its cost so far.
#[derive(Debug, Clone)]
struct State {
    cost: Cost,
    time: Duration,
    weights: Weights,
}

/// A search that takes steps up to a limit on its cost, and returns the last state that does not exceed it.
struct BudgetedSearch<'a> {
    trainer: Trainer,
    budget: Budget,
    progress: &'a dyn Progress,
    follow: Follow<'a>,
    cost: Cost,
    time: Duration,
    /// State after the last step within the limit.
    reached: Option<State>,
    /// State after the next step, if that step exceeded the limit.
    ahead: Option<State>,
    /// Whether no further step is possible.
    is_over: bool,
    strength: Option<(f64, f64)>,
}

impl BudgetedSearch<'_> {
    /// Returns the last state whose cost is at most `limit`.
    fn up_to(&mut self, limit: f64) -> Result<Option<State>, TrialError> {
        loop {
            if self.ahead.is_none() && !self.is_over {
                self.step()?;
            }
            let is_within = |state: &State| self.budget.amount(&state.cost, state.time) <= limit;
            if !self.ahead.as_ref().is_some_and(is_within) {
                return Ok(self.reached.clone());
            }
            self.reached = self.ahead.take();
        }
    }

    fn step(&mut self) -> Result<(), TrialError> {
        let share = self.budget.amount(&self.cost, self.time) / self.budget.share(POINTS);
        (self.follow)(share, self.strength);
        let begun = Instant::now();
        // Stop at the deadline, since a step that ends later would not count.
        let stop = StopPolicy::new(self.budget.time().map(|all| all - self.time));
        let watched = Watched { progress: self.progress, stop: &stop };
        match self.trainer.step(&watched.at_once()) {
            Some(nodes) => {
                self.cost.games += self.trainer.last().map_or(0, |last| last.games_played);
                self.cost.nodes += nodes;
            }
            None if stop.end().is_some() && !self.progress.should_stop() => self.is_over = true,
            None => return Err(TrialError::Stopped),
        }
        self.time += begun.elapsed();
        if let Some(all) = self.budget.time() {
            self.is_over |= self.time >= all;
            self.time = self.time.min(all);
        }
        if let Some(weights) = self.trainer.champion().filter(|_| !self.is_over) {
            self.ahead = Some(State { cost: self.cost, time: self.time, weights });
        }
        Ok(())
    }

    /// Describes the cost of the first step, for the error message if it exceeds the budget.
    fn first_step(&self) -> String {
        match self.budget {
            Budget::Games(_) => format!("{} games", self.cost.games),
            Budget::Nodes(_) => format!("{} nodes", self.cost.nodes),
            Budget::Time(_) => "longer".into(),
        }
    }
}

fn shown(weights: &Weights) -> String {
    let terms = weights.features().features().iter().zip(weights.effective());
    let terms = terms.filter(|(_, weight)| *weight != 0);
    let terms = terms.map(|(feature, weight)| format!("{}={weight}", feature.name()));
    terms.collect::<Vec<_>>().join(" ")
}
