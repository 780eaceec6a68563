//! Ways to find weights, compared at equal budgets.
//!
//! Every contestant searches once with every seed. Along the budget the best that it knows is measured
//! against the panel; measurements cost nothing and nothing depends on them.

mod budget;
mod contestant;
mod results;
mod score;

pub use budget::{Budget, BudgetError};
pub use contestant::{Contestant, ContestantError};
pub use results::{
    COMPARISON_HEADER, ComparisonError, Row, Searched, WrongLine, comparison_header,
    comparison_rows, played, read_comparison,
};
pub use score::{ContestantScore, Mean, PairedDifference, contestant_scores, differences};

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use super::strength_test::{Conditions, MeasuredAt, Panel, StrengthTest};
use super::trainer::Trainer;
use arena::LocalGames;
use mancala::eval::{Strength, Weights, mean_strength};
use mancala::game::AnyGame;
use mancala::progress::Progress;
use mancala::search::Limits;

/// How often strength is measured along a budget, each time at twice the share of the time before.
pub const POINTS: u32 = 8;

/// What all contestants have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonTerms {
    /// What all of them play.
    pub game: AnyGame,
    /// What each search may spend.
    pub budget: Budget,
    /// Plies that weights are searched when their strength is measured.
    pub depth: u32,
    /// Openings of a measurement.
    pub openings: u32,
}

/// What a search for weights has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Games played.
    pub games: u64,
    /// Positions searched.
    pub nodes: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.games += other.games;
        self.nodes += other.nodes;
    }
}

/// How strong a search's best was at some share of the budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Which share, from 1 to [`POINTS`], the whole budget.
    pub number: u32,
    /// What had been spent, no more than that share.
    pub spent: Spent,
    /// How long that took.
    pub time: Duration,
    /// The weights that are not zero, as in `a9=-120 a10=115`.
    pub weights: String,
    /// Their strength against each opponent of the panel.
    pub strength: Vec<Strength>,
}

impl Point {
    /// The mean score against the panel, and half the width of its 95 % interval.
    pub fn mean(&self) -> (f64, f64) {
        mean_strength(&self.strength).unwrap_or((0.5, 0.5))
    }
}

/// One search of one contestant.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The contestant's name.
    pub contestant: String,
    /// Seed of its random streams.
    pub seed: u64,
    /// What stands for all that the search depends on.
    pub settings: String,
    /// The measurements in order, at least one.
    pub points: Vec<Point>,
}

/// Why there is no trial.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTrial {
    /// The progress stopped it.
    #[error("interrupted")]
    Stopped,
    /// Not a single step fits.
    #[error("the budget {budget} is too small for {contestant}: its first step takes {step}")]
    TooSmall {
        /// What there was to spend.
        budget: Budget,
        /// What would need more.
        contestant: String,
        /// How much.
        step: String,
    },
}

/// How far a trial is: the share of the budget that is spent, and the mean score and margin that the
/// last measurement found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advance {
    /// From 0 to 1.
    pub share: f64,
    /// Once something was measured.
    pub strength: Option<(f64, f64)>,
}

/// Told how far a trial is.
pub type Told<'a> = &'a dyn Fn(Advance);

/// Lets a contestant search with a seed until the next step would exceed the budget. The progress counts
/// games of a step or of a measurement.
///
/// # Errors
/// If the progress stops it, or no step fits into the budget.
pub fn compete(
    contestant: &Contestant,
    seed: u64,
    terms: &ComparisonTerms,
    progress: &dyn Progress,
    told: Told,
) -> Result<Trial, NoTrial> {
    let trainer = contestant.trainer(seed);
    let &ComparisonTerms { game, depth, .. } = terms;
    let (options, at) = (trainer.settings().options, MeasuredAt::Depth);
    let limits = Limits::depth(depth);
    let conditions = Conditions { game, limits, options, at, panel: Panel::First };
    let test = StrengthTest::new(conditions, terms.openings);
    let mut search = BudgetedSearch::new(trainer, terms.budget, progress, told);
    let mut points: Vec<Point> = Vec::new();
    for number in 1..=POINTS {
        let limit = terms.budget.share(number);
        let Some(state) = search.up_to(limit)? else { continue };
        if points.last().is_some_and(|last| last.spent == state.spent) {
            continue;
        }
        let strength = test.measure(&state.weights, &[], &LocalGames::new(), progress);
        let strength = strength.ok_or(NoTrial::Stopped)?;
        let State { spent, time, weights } = state;
        let point = Point { number, spent, time, weights: shown(&weights), strength };
        search.strength = Some(point.mean());
        points.push(point);
    }
    if points.is_empty() {
        let (budget, contestant) = (terms.budget, contestant.name().into());
        return Err(NoTrial::TooSmall { budget, contestant, step: search.first_step() });
    }
    let settings = contestant.settings(seed);
    Ok(Trial { contestant: contestant.name().into(), seed, settings, points })
}

/// What a search has come to.
#[derive(Debug, Clone)]
struct State {
    spent: Spent,
    time: Duration,
    weights: Weights,
}

/// A search that goes on until it would exceed a limit.
struct BudgetedSearch<'a> {
    trainer: Trainer,
    budget: Budget,
    progress: &'a dyn Progress,
    told: Told<'a>,
    spent: Spent,
    time: Duration,
    /// The state after the last step that was within a limit.
    reached: Option<State>,
    /// The state after one step more.
    ahead: Option<State>,
    /// No step can be made any more.
    is_over: bool,
    strength: Option<(f64, f64)>,
}

impl<'a> BudgetedSearch<'a> {
    fn new(trainer: Trainer, budget: Budget, progress: &'a dyn Progress, told: Told<'a>) -> Self {
        BudgetedSearch {
            trainer,
            budget,
            progress,
            told,
            spent: Spent::default(),
            time: Duration::ZERO,
            reached: None,
            ahead: None,
            is_over: false,
            strength: None,
        }
    }

    /// The last state that spent no more than `limit`.
    fn up_to(&mut self, limit: f64) -> Result<Option<State>, NoTrial> {
        loop {
            if self.ahead.is_none() && !self.is_over {
                self.step()?;
            }
            let is_within = |state: &State| self.budget.amount(&state.spent, state.time) <= limit;
            if !self.ahead.as_ref().is_some_and(is_within) {
                return Ok(self.reached.clone());
            }
            self.reached = self.ahead.take();
        }
    }

    fn step(&mut self) -> Result<(), NoTrial> {
        let share = self.budget.amount(&self.spent, self.time) / self.budget.share(POINTS);
        (self.told)(Advance { share, strength: self.strength });
        let begun = Instant::now();
        let deadline = self.budget.time().and_then(|all| begun.checked_add(all - self.time));
        let until = Until { progress: self.progress, deadline };
        match self.trainer.step(&until) {
            Some(nodes) => {
                let games = self.trainer.last().map_or(0, |last| last.games_played);
                self.spent += Spent { games, nodes };
            }
            None if until.is_late() && !self.progress.should_stop() => self.is_over = true,
            None => return Err(NoTrial::Stopped),
        }
        self.time += begun.elapsed();
        if let Some(all) = self.budget.time() {
            self.is_over |= self.time >= all;
            self.time = self.time.min(all);
        }
        if let Some(weights) = self.trainer.champion().filter(|_| !self.is_over) {
            self.ahead = Some(State { spent: self.spent, time: self.time, weights });
        }
        Ok(())
    }

    /// What the first step took, which was too much.
    fn first_step(&self) -> String {
        match self.budget {
            Budget::Games(_) => format!("{} games", self.spent.games),
            Budget::Nodes(_) => format!("{} nodes", self.spent.nodes),
            Budget::Time(_) => "longer".into(),
        }
    }
}

/// Stops a step that time is up for: it would not count.
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

/// The weights that are not zero, by name.
fn shown(weights: &Weights) -> String {
    let terms = weights.features().features().iter().zip(weights.effective());
    let terms = terms.filter(|(_, weight)| *weight != 0);
    let terms = terms.map(|(feature, weight)| format!("{}={weight}", feature.name()));
    terms.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
