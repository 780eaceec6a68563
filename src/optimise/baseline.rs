//! Optimisers that the genetic algorithm is compared with: random search, CMA-ES and SPSA.
//!
//! They know strength only from games between their own candidates, on openings that no measurement
//! plays: common to all games of a step, new in the next. Candidates are directions, since an
//! evaluation's scale changes no move; their weights are held at one length.

mod cma_es;
mod games;
mod genetic;
mod plan;
mod random_search;
mod spsa;

pub use plan::{Algorithm, Plan, PlanError};

use std::ops::AddAssign;

use rand::Rng;

use crate::optimise::fitness::Control;
use crate::optimise::genetic::breeding::normal;
use mancala::eval::Weights;

/// What a search for weights has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Games played.
    pub games: u64,
    /// Positions searched in them.
    pub nodes: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.games += other.games;
        self.nodes += other.nodes;
    }
}

/// Searches for good weights step by step.
pub trait Optimiser: Send {
    /// Makes one step and says what it took. `None` if `control` stopped it: the search then stands
    /// where it stood.
    fn step(&mut self, control: &dyn Control) -> Option<Spent>;

    /// What it would call its best if it ended here.
    fn best(&self) -> Weights;
}

/// A place in the space of weights. Only its direction matters.
type Point = Vec<f64>;

/// A pair of games of two players from one opening, both by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Meeting {
    a: usize,
    b: usize,
    opening: usize,
}

/// Plays pairs of games.
trait Duels: Send {
    /// The points a game of each meeting's player A, from 0 to 1, and what the games took.
    fn play(
        &self,
        step: u64,
        players: &[Point],
        meetings: &[Meeting],
        control: &dyn Control,
    ) -> Option<(Vec<f64>, Spent)>;
}

/// What an optimiser does with the results of games.
trait Strategy: Send {
    /// Makes step number `step`, from 1. `None` if the games were stopped: nothing has changed then.
    fn step(&mut self, step: u64, duels: &dyn Duels, control: &dyn Control) -> Option<Spent>;

    /// The best that it knows.
    fn best(&self) -> &Point;
}

/// A strategy that plays its games.
struct Search<S> {
    strategy: S,
    plan: Plan,
    duels: Box<dyn Duels>,
    /// Steps made.
    steps: u64,
}

impl<S> Search<S> {
    fn new(strategy: S, plan: &Plan) -> Self {
        Search { strategy, plan: plan.clone(), duels: games::duels(plan), steps: 0 }
    }
}

impl<S: Strategy> Optimiser for Search<S> {
    fn step(&mut self, control: &dyn Control) -> Option<Spent> {
        let spent = self.strategy.step(self.steps + 1, &*self.duels, control)?;
        self.steps += 1;
        Some(spent)
    }

    fn best(&self) -> Weights {
        self.plan.weights(self.strategy.best())
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `a + factor · b`
fn plus(a: &[f64], factor: f64, b: &[f64]) -> Point {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

fn times(factor: f64, a: &[f64]) -> Point {
    a.iter().map(|a| factor * a).collect()
}

fn normals(dimensions: usize, dice: &mut impl Rng) -> Point {
    (0..dimensions).map(|_| normal(dice)).collect()
}

/// So many numbers below `of` without replacement, in the order drawn.
fn drawn(count: usize, of: usize, dice: &mut impl Rng) -> Vec<usize> {
    use rand::RngExt;
    let mut all: Vec<usize> = (0..of).collect();
    let count = count.min(of);
    for index in 0..count {
        let other = dice.random_range(index as u32..of as u32);
        all.swap(index, other as usize);
    }
    all.truncate(count);
    all
}

#[cfg(test)]
mod tests;
