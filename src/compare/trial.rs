//! A search for weights within a budget.
//!
//! At several points along the budget, the best weights so far are measured against reference opponents. Measurements
//! do not count towards the budget and do not affect the search.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use arena::LocalGames;
use evolve::run::{Conditions, MeasuredAt, Panel, Trainer};
use mancala::eval::{Strength, Weights, mean_strength};
use mancala::game::AnyGame;
use mancala::progress::Progress;
use mancala::search::Limits;
use serde::Serialize;

use super::budget::Budget;
use super::contestant::Contestant;
use super::result::SearchPoint;

/// Number of measurements along a budget. Each is taken at twice the cost of the previous one.
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

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.games += other.games;
        self.nodes += other.nodes;
    }
}

/// Strength of the best weights at a measurement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(into = "SearchPoint")]
pub struct Point {
    /// Number of the measurement; [`POINTS`] is the one at the full budget.
    pub number: u32,
    /// Cost so far, at most the amount set for this measurement.
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

/// A single search by a contestant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    pub contestant: String,
    pub seed: u64,
    /// Hash of everything that affects the search.
    pub settings: String,
    /// The measurements, at least one.
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

/// Progress of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advance {
    /// Fraction of the budget spent, from 0 to 1.
    pub share: f64,
    /// Mean score in the last measurement, and half the width of its 95 % interval.
    pub strength: Option<(f64, f64)>,
}

/// Runs a contestant with this seed until the next step would exceed the budget.
pub fn compete(
    contestant: &Contestant,
    seed: u64,
    terms: &ComparisonTerms,
    progress: &dyn Progress,
    follow: &dyn Fn(Advance),
) -> Result<Trial, TrialError> {
    let trainer = contestant.trainer(seed);
    let &ComparisonTerms { game, depth, .. } = terms;
    let (options, at) = (trainer.settings().options, MeasuredAt::Depth);
    let limits = Limits::depth(depth);
    let conditions = Conditions { game, limits, options, at, panel: Panel::First };
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
        let strength =
            conditions.measure(terms.openings, &state.weights, &[], &LocalGames::new(), progress);
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
    let settings = contestant.settings(seed);
    Ok(Trial { contestant: contestant.name().into(), seed, settings, points })
}

/// Best weights found by a search, and its cost so far.
#[derive(Debug, Clone)]
struct State {
    cost: Cost,
    time: Duration,
    weights: Weights,
}

/// A search that advances in steps and returns the last state within a limit.
struct BudgetedSearch<'a> {
    trainer: Trainer,
    budget: Budget,
    progress: &'a dyn Progress,
    follow: &'a dyn Fn(Advance),
    cost: Cost,
    time: Duration,
    /// State after the last step within the limit.
    reached: Option<State>,
    /// State after the step that follows `reached`.
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
        (self.follow)(Advance { share, strength: self.strength });
        let begun = Instant::now();
        let deadline = self.budget.time().and_then(|all| begun.checked_add(all - self.time));
        let until = Until { progress: self.progress, deadline };
        match self.trainer.step(&until) {
            Some(nodes) => {
                let games = self.trainer.last().map_or(0, |last| last.games_played);
                self.cost += Cost { games, nodes };
            }
            None if until.is_late() && !self.progress.should_stop() => self.is_over = true,
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

    /// Returns the cost of the first step, for the error message if it exceeds the budget.
    fn first_step(&self) -> String {
        match self.budget {
            Budget::Games(_) => format!("{} games", self.cost.games),
            Budget::Nodes(_) => format!("{} nodes", self.cost.nodes),
            Budget::Time(_) => "longer".into(),
        }
    }
}

/// Stops a step at the deadline, because a late step would not count.
struct Until<'a> {
    progress: &'a dyn Progress,
    deadline: Option<Instant>,
}

impl Until<'_> {
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Progress for Until<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        self.progress.should_stop() || self.is_late()
    }
}

/// Formats the non-zero weights with their names.
fn shown(weights: &Weights) -> String {
    let terms = weights.features().features().iter().zip(weights.effective());
    let terms = terms.filter(|(_, weight)| *weight != 0);
    let terms = terms.map(|(feature, weight)| format!("{}={weight}", feature.name()));
    terms.collect::<Vec<_>>().join(" ")
}
