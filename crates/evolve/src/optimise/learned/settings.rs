//! The settings of a run that learns its features.

use crate::optimise::genetic::GeneticSettings;
use crate::optimise::key::{Entry, Key, entries, late, set, taken_over, whole};
use crate::optimise::layers::Layers;
use crate::optimise::method::OptimiserSettings;
use mancala::eval::Phases;
use mancala::search::MAX_DEPTH;

/// What is learned, and how it is evolved.
#[derive(Debug, Clone)]
pub(crate) struct LearnedSettings {
    /// Generations of an epoch.
    pub(crate) epoch: u32,
    /// Positions that the units of an epoch are fitted to.
    pub(crate) positions: u32,
    /// Plies that a position is searched to label it.
    pub(crate) label_depth: u32,
    /// How often the fit goes through them.
    pub(crate) passes: u32,
    /// Phases of a game in which units have output weights of their own.
    pub(crate) phases: u32,
    /// Openings in which the champion of an epoch meets that of the epochs before.
    pub(crate) duel_openings: u32,
    /// How output weights are evolved.
    pub(crate) genetic: GeneticSettings,
    /// The layers that there are.
    pub(crate) layers: Layers,
}

impl Default for LearnedSettings {
    fn default() -> Self {
        LearnedSettings {
            epoch: 40,
            positions: 700_000,
            label_depth: 5,
            passes: 8,
            phases: 1,
            duel_openings: 200,
            genetic: GeneticSettings::default(),
            layers: Layers::default(),
        }
    }
}

static KEYS: [Key<LearnedSettings>; 6] = [
    // Which layer a generation weighs, and where a checkpoint stands in its epoch, follow from it.
    taken_over(Key::new(
        42,
        "epoch",
        "generations from one fit of the features to the next",
        |s| s.epoch.to_string(),
        |s, v| whole(v, 1..=100_000).map(|n| s.epoch = n as u32),
    )),
    Key::new(
        43,
        "positions",
        "positions that features are fitted to, collected anew for every fit",
        |s| s.positions.to_string(),
        |s, v| whole(v, 100..=20_000_000).map(|n| s.positions = n as u32),
    ),
    Key::new(
        46,
        "label_depth",
        "plies that a position is searched to label it",
        |s| s.label_depth.to_string(),
        |s, v| whole(v, 1..=MAX_DEPTH.into()).map(|n| s.label_depth = n as u32),
    ),
    Key::new(
        44,
        "passes",
        "how often a fit goes through all positions",
        |s| s.passes.to_string(),
        |s, v| whole(v, 1..=1000).map(|n| s.passes = n as u32),
    ),
    late(Key::new(
        47,
        "phases",
        "phases of a game in which a unit is worth something else: 1 if it is always worth the same",
        |s| s.phases.to_string(),
        |s, v| whole(v, 1..=Phases::MOST as u64).map(|n| s.phases = n as u32),
    )),
    Key::new(
        45,
        "duel_openings",
        "openings in which new features meet those before them, with both colours, to take their place",
        |s| s.duel_openings.to_string(),
        |s, v| whole(v, 1..=1000).map(|n| s.duel_openings = n as u32),
    ),
];

/// Settings of the genetic algorithm that a run with learned features does without: an epoch begins from what was
/// fitted, and its fitness is of games.
const WITHOUT: [&str; 5] = ["founders", "fitness", "tables_positions", "tables_depth", "fix"];

impl LearnedSettings {
    /// All settings by name.
    pub(super) fn all(&self) -> Vec<Entry> {
        let genetic = self.genetic.entries().into_iter();
        let genetic = genetic.filter(|entry| !WITHOUT.contains(&entry.name));
        entries(&KEYS, self).into_iter().chain(genetic).collect()
    }

    /// Changes one; `None` if there is none of that name.
    pub(super) fn change(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        if WITHOUT.contains(&name) {
            return None;
        }
        set(&KEYS, self, name, value).or_else(|| self.genetic.set(name, value))
    }
}
