//! The settings that searches for a direction have in common.

use mancala::eval::MAX_WEIGHT;

use super::{Direction, Search};
use crate::optimise::ask::Optimiser;
use crate::optimise::genome::Encoding;
use crate::optimise::key::{Entry, Key, entries, set, taken_over, whole};
use crate::optimise::method::{Digest, OptimiserSettings, Recorded, Refusal};
use crate::optimise::saved::{LoadError, Saved};
use crate::optimise::task::{Coding, Task};

/// A kind of search.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Candidates of a step, by the setting `population`.
    pub(crate) tried: fn(u32) -> u32,
    /// Pairs of games that a step plays from each opening at most, by the setting `population`.
    pub(crate) pairs: fn(u32) -> u64,
    /// Pairs of games from each opening that a candidate plays at most.
    pub(crate) pairs_of_one: fn(u32) -> u64,
    /// The search, which has not begun.
    pub(crate) begin: fn(&Task, &Directions) -> Box<dyn Direction>,
}

/// The settings of a search for a direction.
#[derive(Debug, Clone)]
pub(crate) struct Directions {
    pub(crate) kind: &'static Kind,
    /// What is tried in a step: challengers, offspring or perturbations.
    pub(crate) population: u32,
    /// Openings of every meeting of a step.
    pub(crate) openings: u32,
    /// The length that all weights together are held at.
    pub(crate) length: u32,
}

static KEYS: [Key<Directions>; 3] = [
    taken_over(Key::new(
        50,
        "population",
        "what is tried in a step: challengers, offspring or perturbations",
        |s| s.population.to_string(),
        |s, v| whole(v, 4..=1000).map(|n| s.population = n as u32),
    )),
    Key::new(
        140,
        "openings",
        "openings of every meeting of a step, new ones each step",
        |s| s.openings.to_string(),
        |s, v| whole(v, 1..=1000).map(|n| s.openings = n as u32),
    ),
    taken_over(Key::new(
        280,
        "length",
        "length that the weights are held at",
        |s| s.length.to_string(),
        |s, v| whole(v, 1..=MAX_WEIGHT as u64).map(|n| s.length = n as u32),
    )),
];

/// What a search depends on, in the order in which files of comparisons have always had it.
pub(crate) const DIGEST: Digest =
    Digest::Words(&["seed", "features", "length", "game", "depth", "openings", "population"]);

impl Directions {
    pub(crate) fn coding_of(&self, task: &Task) -> Coding {
        Coding::new(task, Encoding::WEIGHTS, vec![None; task.features.features().len()])
    }

    /// Candidates of a step.
    pub(crate) fn tried(&self) -> u32 {
        (self.kind.tried)(self.population)
    }
}

impl OptimiserSettings for Directions {
    fn entries(&self) -> Vec<Entry> {
        entries(&KEYS, self)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        set(&KEYS, self, name, value)
    }

    fn check(&self, _: &Task) -> Result<(), Refusal> {
        Ok(())
    }

    fn coding(&self, task: &Task) -> Coding {
        self.coding_of(task)
    }

    fn candidates(&self) -> u32 {
        self.tried()
    }

    fn games_of_step(&self, _: u32) -> u64 {
        2 * u64::from(self.openings) * (self.kind.pairs)(self.population)
    }

    fn best_possible_fitness(&self, _: u32) -> u64 {
        4 * u64::from(self.openings) * (self.kind.pairs_of_one)(self.population)
    }

    fn recorded(&self, _: u32) -> Recorded {
        Recorded::LeaderOnly
    }

    fn begin(&self, task: Task) -> Box<dyn Optimiser> {
        Box::new(Search::new(task, self.clone()))
    }

    fn load(&self, task: Task, saved: Saved) -> Result<Box<dyn Optimiser>, LoadError> {
        Ok(Box::new(Search::load(task, self.clone(), saved)?))
    }

    fn boxed(&self) -> Box<dyn OptimiserSettings> {
        Box::new(self.clone())
    }
}
