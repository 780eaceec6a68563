//! Runs searches for weights within a budget.
//!
//! Whenever the search has spent a certain part of its budget, we measure the strength of the best weights so far in
//! games against reference opponents. These measurements do not count towards the budget and do not affect the search.

use std::time::{Duration, Instant};

use arena::LocalGames;
use evolve::optimise::unless_stopped;
use evolve::run::{GameRunner, MeasuredAt, Panel, Settings, StopPolicy, Trainer, Watched};
use mancala::eval::{Strength, Weights, mean_strength};
use mancala::game::AnyGame;
use mancala::progress::Progress;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Budget, Contestant};
use crate::train::strength::{Score, against};

/// The maximum number of measurements per search. We take a measurement each time the cost has doubled.
pub const POINTS: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonTerms {
    pub game: AnyGame,
    pub budget: Budget,
    pub depth: u32,
    pub openings: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Cost {
    pub games: u64,
    pub nodes: u64,
    pub seconds: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The number of this measurement, from 1 to [`POINTS`]. The last one is taken at the end of the budget.
    pub number: u32,
    /// The cost of the search up to this measurement. It never exceeds the [`Budget::share`] of `number`.
    pub cost: Cost,
    /// The non-zero weights, e.g. `a9=-120 a10=115`.
    pub weights: String,
    pub strength: Vec<Strength>,
}

impl Point {
    /// Returns the mean score and half the width of its 95 % confidence interval.
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
            "seconds": self.cost.seconds,
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
    /// A hash of everything that affects the search.
    pub settings: String,
    /// One or more measurements, in order of increasing cost.
    pub points: Vec<Point>,
}

/// A progress callback. Its arguments are the fraction of the budget spent so far, and the mean score at the last
/// measurement along with half the width of its 95 % confidence interval.
pub type Follow<'a> = &'a dyn Fn(f64, Option<(f64, f64)>);

/// Trains a contestant with this seed until a step exceeds the budget. Returns `None` if `progress` requests a stop.
/// Fails if even the first step exceeds the budget.
pub fn compete(
    contestant: &Contestant,
    seed: u64,
    terms: &ComparisonTerms,
    progress: &dyn Progress,
    follow: Follow,
) -> Result<Option<Trial>, String> {
    let &ComparisonTerms { budget, depth, openings, .. } = terms;
    let trainer = contestant.trainer(seed);
    let mut search = Search { trainer, budget, cost: Cost::default() };
    let measured = Settings {
        depth,
        nodes: 0,
        measure_openings: openings,
        measure_at: MeasuredAt::Depth,
        panel: Panel::First,
        ..search.trainer.settings().clone()
    };
    let (mut points, mut reached, mut number) = (Vec::<Point>::new(), None, 1);
    while number <= POINTS {
        let share = budget.amount(&search.cost) / budget.share(POINTS);
        follow(share, points.last().map(Point::mean));
        let Some(is_over) = search.step(progress)? else { return Ok(None) };
        let cost = search.cost;
        let next = match search.trainer.champion().filter(|_| !is_over) {
            Some(weights) => Some(State { cost, weights }),
            None if is_over => None,
            None => continue,
        };
        // This step may pass several measurement points. They all use the state before the step, so we measure once.
        let is_passed = |number| {
            let is_beyond = |it: &State| budget.amount(&it.cost) > budget.share(number);
            number <= POINTS && next.as_ref().is_none_or(is_beyond)
        };
        while is_passed(number) {
            if let Some(State { cost, weights }) = &reached
                && points.last().is_none_or(|last| last.cost.nodes != cost.nodes)
            {
                let runner = GameRunner { games: &LocalGames::new(), progress };
                let strength = measured.measure(weights, &[], runner);
                let strength = unless_stopped(strength).map_err(|error| error.to_string())?;
                let Some(strength) = strength else { return Ok(None) };
                let (cost, weights) = (*cost, shown(weights));
                points.push(Point { number, cost, weights, strength });
            }
            number += 1;
        }
        reached = next;
    }
    if points.is_empty() {
        let step = match budget {
            Budget::Games(_) => format!("{} games", search.cost.games),
            Budget::Nodes(_) => format!("{} nodes", search.cost.nodes),
            Budget::Time(_) => "longer".into(),
        };
        return Err(format!(
            "the budget {budget} is too small for {contestant}: the first step takes {step}"
        ));
    }
    let settings = contestant.hash(seed);
    Ok(Some(Trial { contestant: contestant.name.clone(), seed, settings, points }))
}

struct Search {
    trainer: Trainer,
    budget: Budget,
    cost: Cost,
}

/// The best weights so far, and the cost of finding them.
struct State {
    cost: Cost,
    weights: Weights,
}

impl Search {
    /// Runs a step of the search. Returns `true` if there is no time left, or `None` if `progress` requests a stop.
    fn step(&mut self, progress: &dyn Progress) -> Result<Option<bool>, String> {
        let (begun, limit) = (Instant::now(), self.budget.time());
        // We stop at the deadline, because a step that ends later wouldn't count anyway.
        let stop = StopPolicy::new(
            limit.map(|all| all.saturating_sub(Duration::from_secs_f64(self.cost.seconds))),
        );
        let nodes = self.trainer.step(&Watched { progress, stop: &stop }.at_once());
        self.cost.seconds += begun.elapsed().as_secs_f64();
        let Some(nodes) = unless_stopped(nodes).map_err(|error| error.to_string())? else {
            return Ok((stop.end().is_some() && !progress.should_stop()).then_some(true));
        };
        self.cost.games += self.trainer.last().map_or(0, |last| last.games_played);
        self.cost.nodes += nodes;
        Ok(Some(limit.is_some_and(|all| self.cost.seconds >= all.as_secs_f64())))
    }
}

fn shown(weights: &Weights) -> String {
    let terms = weights.features().features().iter().zip(weights.effective());
    let terms = terms.filter(|(_, weight)| *weight != 0);
    let terms = terms.map(|(feature, weight)| format!("{}={weight}", feature.name()));
    terms.collect::<Vec<_>>().join(" ")
}
