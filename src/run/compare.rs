//! Ways to find weights, compared at equal budgets.
//!
//! Every contestant searches once with every seed. Along the budget the best that it knows is measured
//! against the panel; measurements cost nothing and nothing depends on them.

mod budget;
mod contestant;
mod results;
mod standing;

pub use budget::{Budget, BudgetError};
pub use contestant::{Contestant, ContestantError};
pub use results::{COMPARISON_HEADER, Row, comparison_rows, played, read_comparison};
pub use standing::{Mean, Standing, standings};

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::arena::LocalGames;
use crate::optimise::baseline::{Optimiser, Spent};
use crate::optimise::fitness::{Control, Measured};
use crate::run::trainer::End;
use crate::run::yardstick::Yardstick;
use mancala::eval::{Strength, Weights, mean_strength};
use mancala::game::AnyGame;
use mancala::progress::Progress;

/// How often strength is measured along a budget, each time at twice the share of the time before.
pub const POINTS: u32 = 8;

/// What all contestants have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// What all of them play.
    pub game: AnyGame,
    /// What each search may spend.
    pub budget: Budget,
    /// Plies that weights are searched when their strength is measured.
    pub depth: u32,
    /// Openings of a measurement.
    pub openings: u32,
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
    /// The seed.
    pub seed: u64,
    /// What stands for all that the search depends on.
    pub settings: String,
    /// The measurements in order, at least one.
    pub points: Vec<Point>,
}

/// Why there is no trial.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTrial {
    /// `control` stopped it.
    #[error("interrupted")]
    Stopped,
    /// Not a single step fits.
    #[error("the budget {budget} is too small for {contestant}: its first step takes {step}")]
    TooSmall {
        /// The budget.
        budget: Budget,
        /// Who would need more.
        contestant: String,
        /// How much.
        step: String,
    },
}

/// Somebody who watches a trial.
pub trait Spectator: Control {
    /// Such a share of the budget is spent, and the last measurement found this mean score and margin.
    fn watch(&self, share: f64, strength: Option<(f64, f64)>);
}

/// Lets a contestant search with a seed until the next step would exceed the budget.
///
/// # Errors
/// If it is stopped, or no step fits into the budget.
pub fn compete(
    contestant: &Contestant,
    seed: u64,
    terms: &Terms,
    spectator: &dyn Spectator,
) -> Result<Trial, NoTrial> {
    let yardstick = Yardstick::new(terms.game, terms.depth, terms.openings);
    let mut course = Course::new(contestant.optimiser(seed), terms.budget, spectator);
    let mut points: Vec<Point> = Vec::new();
    for number in 1..=POINTS {
        let limit = terms.budget.share(number);
        let Some(state) = course.up_to(limit)? else { continue };
        if points.last().is_some_and(|last| last.spent == state.spent) {
            continue;
        }
        let strength = yardstick
            .measure(&state.weights, &[], &LocalGames::new(), &Measured(spectator))
            .ok_or(NoTrial::Stopped)?;
        let State { spent, time, weights } = state;
        let point = Point { number, spent, time, weights: shown(&weights), strength };
        course.strength.set(Some(point.mean()));
        points.push(point);
    }
    if points.is_empty() {
        let (budget, contestant) = (terms.budget, contestant.name().into());
        return Err(NoTrial::TooSmall { budget, contestant, step: course.first_step() });
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
struct Course<'a> {
    optimiser: Box<dyn Optimiser>,
    budget: Budget,
    spectator: &'a dyn Spectator,
    spent: Spent,
    time: Duration,
    /// The state after the last step that was within a limit.
    reached: Option<State>,
    /// The state after one step more.
    ahead: Option<State>,
    /// No step can be made any more.
    is_over: bool,
    strength: Cell<Option<(f64, f64)>>,
}

impl<'a> Course<'a> {
    fn new(optimiser: Box<dyn Optimiser>, budget: Budget, spectator: &'a dyn Spectator) -> Self {
        Course {
            optimiser,
            budget,
            spectator,
            spent: Spent::default(),
            time: Duration::ZERO,
            reached: None,
            ahead: None,
            is_over: false,
            strength: Cell::new(None),
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
        self.spectator.watch(share, self.strength.get());
        let begun = Instant::now();
        let deadline = self.budget.time().and_then(|all| begun.checked_add(all - self.time));
        let control = Hurried { spectator: self.spectator, deadline };
        match self.optimiser.step(&control) {
            Some(spent) => self.spent += spent,
            None if control.is_late() && !self.spectator.should_stop() => self.is_over = true,
            None => return Err(NoTrial::Stopped),
        }
        self.time += begun.elapsed();
        if let Some(all) = self.budget.time() {
            self.is_over |= self.time >= all;
            self.time = self.time.min(all);
        }
        if !self.is_over {
            let weights = self.optimiser.best();
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
struct Hurried<'a> {
    spectator: &'a dyn Spectator,
    deadline: Option<Instant>,
}

impl Hurried<'_> {
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Progress for Hurried<'_> {
    fn should_stop(&self) -> bool {
        self.spectator.should_stop() || self.is_late()
    }
}

impl Control for Hurried<'_> {
    fn leave(&self) -> Option<End> {
        self.spectator.leave()
    }

    fn games_played(&self, played: u64, of: u64) {
        self.spectator.games_played(played, of);
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
