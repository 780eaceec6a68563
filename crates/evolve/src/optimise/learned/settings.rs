//! The settings of a run with learned features.

use std::time::Duration;

use mancala::endgame::BuildPlan;
use mancala::eval::{FeatureSet, Layer, SecondLayer, Taper};
use mancala::game::ayo::Ayo;
use mancala::game::{AnyGame, Encoded, Feature, GameKind, HiddenNeuron, with_type};
use mancala::search::MAX_DEPTH;

use super::{Learned, Place};
use crate::learn::SIZES;
use crate::optimise::genetic::GeneticSettings;
use crate::optimise::{
    Coding, Digest, Entry, Layers, LearningNeeds, LoadError, Method, Optimiser, OptimiserSettings,
    Preset, RecordedChampion, Saved, SettingRefusal, Task, entries, require, set, settings,
};

pub(crate) static METHOD: Method = Method {
    name: "learned",
    settings: || Box::new(LearnedSettings::defaults()),
    presets: &[
        // At first, we use shallow searches. This is good enough, since good output weights are similar at all depths.
        Preset::new(
            "learned",
            "learns features and evolves their weights; produces the strongest players",
            None,
            "features=u1..u128 generations=560 positions=4000000 first_positions=200000 buffer=8000000 \
             label_tables=12 epochs=4 phases=4 population=41 fitness_set=0 hall_of_fame=2 sparring=6 \
             sparring_step=0.25 openings=random:4,plies=5-12 elite=0 selection=truncation:25% crossover=pool \
             inertia=0.6 mutation=mirrored mutation_rate=1.0 step=0.05 step_floor=0.005 step_half=12 \
             cooling=harmonic warm_up=40 encoding=integer:13 scale=2000 signs=literal perspective=mover \
             quiescence=off ties=hash measure_at=budgets measure_every=80 measure_openings=100 \
             finalist_games=20000",
        ),
        overnight(
            "overnight",
            "like learned, with more positions in later iterations; it ends after eight hours",
            "learned",
        ),
        Preset::new(
            "kalah-learned",
            "learned features for kalah",
            Some("learned"),
            "game=kalah features=ku1..ku64 depth=4 perspective=root label_tables=0",
        ),
        overnight(
            "kalah-overnight",
            "like kalah-learned, with more positions in later iterations; it ends after eight hours",
            "kalah-learned",
        ),
    ],
    has_move_cache: true,
    digest: Digest::Words(&["seed", "features", "game", "depth", "population"]),
};

/// Returns a preset whose runs end at their time limit, before all generations are evaluated.
const fn overnight(name: &'static str, about: &'static str, from: &'static str) -> Preset {
    let changes = "generations=20000 positions=20000000 buffer=40000000 measure_every=200";
    let time = Some(Duration::from_secs(8 * 60 * 60));
    Preset { time, ..Preset::new(name, about, Some(from), changes) }
}

settings! {
    pub(crate) LearnedSettings() {
        // A branch can't change this setting, because it determines which iteration a checkpoint belongs to.
        42 fit_every: u32 = 40, whole(1..=100_000) [taken_over] =
            "generations from one fit of the features to the next";
        43 positions: u32 = 700_000, whole(100..=20_000_000) =
            "new positions collected in each iteration";
        51 first_positions: u32 = 0, whole(0..=20_000_000) =
            "positions collected in the first iteration, half as many again in each later one, up to positions; 0 for no \
             growth";
        52 buffer: u32 = 0, whole(0..=200_000_000) =
            "positions in a fit, with those of earlier iterations; if less than positions, only new ones";
        46 label_depth: u32 = 5, whole(1..=MAX_DEPTH.into()) =
            "depth of the search that labels a position";
        53 label_tables: u32 = 0, whole(0..=MAX_TABLES.into()) =
            "most seeds in endgame tables that label positions; 0 for none, as in kalah";
        44 epochs: u32 = 8, whole(1..=1000) =
            "number of passes over the positions in a fit";
        47 phases: u32 = 1, whole(1..=Taper::MAX as u64) =
            "phases of a game with different output weights; 1 for the same weights in the whole game";
        45 gate_openings: u32 = 500, whole(1..=1000) =
            "most openings, with both colours, of the match between evolved and fitted weights";
    } {
        genetic: GeneticSettings = GeneticSettings::defaults();
        layers: Layers = Layers::default();
    }
}

/// The maximum number of seeds in tables for labelling. Building the largest tables takes ten seconds and 30 MB.
const MAX_TABLES: u8 = 16;

/// The number of bytes per stored position, in addition to one byte for each group of inputs.
const BYTES_OF_POSITION: u64 = 10;

/// The settings of the genetic algorithm that don't apply, because weights are fitted and fitness comes from games.
const EXCLUDED: [&str; 5] = ["founders", "fitness", "tables_positions", "tables_depth", "fix"];

/// Counts the units in the first layer and the neurons in the second layer.
pub(super) fn sizes_of(features: &FeatureSet) -> (usize, usize) {
    let is_second = |it: Feature| matches!(it, Feature::HiddenNeuron(neuron) if neuron.is_second);
    let (second, first): (Vec<_>, Vec<_>) = features.units().partition(|&it| is_second(it));
    (first.len(), second.len())
}

impl LearnedSettings {
    fn most_positions(&self) -> u64 {
        let positions = u64::from(self.positions);
        u64::from(self.buffer).clamp(positions, 2 * positions)
    }

    /// Returns how many new positions an iteration collects. Iterations are numbered from 1.
    pub(super) fn positions_of(&self, iteration: u32) -> u32 {
        if self.first_positions == 0 {
            return self.positions;
        }
        let grown = (1..iteration).try_fold(self.first_positions, |positions, _| {
            (positions < self.positions).then_some(positions.saturating_add((positions / 2).max(1)))
        });
        grown.map_or(self.positions, |grown| grown.min(self.positions))
    }

    /// Estimates the processor time in seconds. The constants were measured in the runs in `populations/learned`, so
    /// there is no estimate for other depths, other games or networks with a second layer.
    fn seconds(&self, task: &Task, generations: u32) -> Option<f64> {
        // The estimated seconds to collect a position, to fit it (per epoch and unit), and to evolve a generation.
        let [collecting, mut fitting, evolution] = [12.8e-6, 14.0e-9, 0.14];
        let (units, second) = sizes_of(&task.features);
        fitting *= f64::from(self.epochs) * units as f64;
        let iteration = |number| {
            let datasets = self.datasets_of(number);
            let fitted: f64 = datasets.iter().map(|&(_, positions)| f64::from(positions)).sum();
            collecting * f64::from(datasets[0].1) + fitting * fitted
        };
        let iterations = (1..=generations.div_ceil(self.fit_every)).map(iteration);
        let is_known = task.game.kind() == GameKind::Ayo
            && (task.depth, self.label_depth, second) == (5, 5, 0);
        is_known.then(|| iterations.sum::<f64>() + evolution * f64::from(generations))
    }

    /// Returns the iterations whose positions we use for a fit (newest first), along with the number of positions from
    /// each iteration. Earlier positions must not outnumber new ones. Positions from the first iteration are labelled
    /// with the results of games, so we only use them in that iteration.
    pub(super) fn datasets_of(&self, newest: u32) -> Vec<(u32, u32)> {
        let new = u64::from(self.positions_of(newest));
        let room = u64::from(self.buffer).saturating_sub(new).min(new);
        let mut old = 0;
        let older = (2..newest).rev().map(|iteration| (iteration, self.positions_of(iteration)));
        let older = older.take_while(|&(_, positions)| {
            old += u64::from(positions);
            old <= room
        });
        [(newest, self.positions_of(newest))].into_iter().chain(older).collect()
    }
}

impl OptimiserSettings for LearnedSettings {
    fn entries(&self) -> Vec<Entry> {
        let genetic = self.genetic.entries().into_iter();
        let genetic = genetic.filter(|entry| !EXCLUDED.contains(&entry.name));
        entries(KEYS, self).into_iter().chain(genetic).collect()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        if EXCLUDED.contains(&name) {
            return None;
        }
        set(KEYS, self, name, value).or_else(|| self.genetic.set(name, value))
    }

    fn complete(&mut self, task: &Task) -> Result<(), SettingRefusal> {
        self.genetic.complete(task)
    }

    fn check(&self, task: &Task) -> Result<(), SettingRefusal> {
        let (units, neurons) = sizes_of(&task.features);
        // The features must form a layer.
        let all = HiddenNeuron::all(task.features.game());
        let learned = all.filter(|it| match it.is_second {
            false => usize::from(it.number) <= units,
            true => usize::from(it.number) <= neurons,
        });
        let is_second_layer = neurons == 0 || SecondLayer::SIZES.contains(&neurons);
        let is_in_order = task.features.units().eq(learned.map(Feature::from));
        let list =
            |sizes: &[usize]| sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let reason = format!(
            "learned units must be the first {} in order, optionally followed by the first {} neurons of a second \
             layer",
            list(&SIZES),
            list(&SecondLayer::SIZES),
        );
        let is_layer = SIZES.contains(&units) && is_second_layer && is_in_order;
        require(is_layer, "features", &task.features, reason)?;
        let (has_tables, rules) = match task.game {
            AnyGame::Ayo(Ayo { rules }) => {
                (BuildPlan::in_memory(rules, MAX_TABLES).is_ok(), rules.to_string())
            }
            AnyGame::Kalah(_) => (false, task.game.to_string()),
        };
        let reason = format!("must be 0, since there are no endgame tables for {rules}");
        require(has_tables || self.label_tables == 0, "label_tables", self.label_tables, reason)?;
        self.genetic.check(task)
    }

    fn coding(&self, task: &Task) -> Coding {
        let fixed = vec![None; task.features.features().len()];
        let mut coding = Coding::new(task, self.genetic.encoding, fixed);
        coding.layers = Some(self.layers.clone());
        coding
    }

    fn candidates(&self) -> u32 {
        self.genetic.candidates()
    }

    fn games_of_step(&self, step: u32) -> u64 {
        let place = Place::of(step, self.fit_every);
        let gate_games =
            if place.is_first() && place.iteration > 1 { 2 * self.gate_openings } else { 0 };
        self.genetic.games_of_step(place.generation) + u64::from(gate_games)
    }

    fn best_possible_fitness(&self, step: u32, migrants: u32) -> u64 {
        self.genetic.best_possible_fitness(Place::of(step, self.fit_every).generation, migrants)
    }

    fn recorded(&self, _: u32) -> RecordedChampion {
        RecordedChampion::FittestOnly
    }

    fn migrant_places(&self) -> Result<u32, &'static str> {
        Err(
            "islands that learn their features would have different layers, so their weights cannot be exchanged",
        )
    }

    fn layers(&self) -> Option<&Layers> {
        Some(&self.layers)
    }

    fn learning_needs(&self, task: &Task, generations: u32) -> LearningNeeds {
        let (units, neurons) = sizes_of(&task.features);
        let inputs = Layer::inputs(task.features.game());
        let parameters = (units * (inputs + 1 + neurons)) as u64;
        // A weight takes up to two bytes in a layer file, and twelve in the saved state of a fit.
        let layers = u64::from(generations.div_ceil(self.fit_every)) * 2 * parameters;
        let groups = with_type!(task.game.kind(), G => G::groups().len() as u64);
        let positions = self.most_positions() * (groups + BYTES_OF_POSITION);
        // A growing vector may reserve up to twice the space it needs.
        let memory = 2 * positions;
        LearningNeeds {
            memory,
            disk: positions + layers + 12 * parameters,
            seconds: self.seconds(task, generations),
        }
    }

    fn start(&self, task: Task, saved: Option<Saved>) -> Result<Box<dyn Optimiser>, LoadError> {
        Ok(Box::new(Learned::start(task, self.clone(), saved)?))
    }

    fn boxed(&self) -> Box<dyn OptimiserSettings> {
        Box::new(self.clone())
    }

    fn for_another_run(&self) -> Box<dyn OptimiserSettings> {
        Box::new(LearnedSettings { layers: Layers::default(), ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use mancala::laws::prelude::*;

    use super::*;

    laws! {
        #[test]
        fn datasets_grow_and_fit_in_the_buffer(
            positions in 100u32..1_000_000,
            first_positions in 0u32..1_000_000,
            buffer in 0u32..3_000_000,
            newest in 1u32..60,
        ) {
            let own =
                LearnedSettings { positions, first_positions, buffer, ..LearnedSettings::defaults() };
            let sizes: Vec<u32> = (1..60).map(|iteration| own.positions_of(iteration)).collect();
            prop_assert!(sizes.is_sorted() && sizes[58] == positions, "{:?}", sizes);
            let datasets = own.datasets_of(newest);
            let all: u64 = datasets.iter().map(|it| u64::from(it.1)).sum();
            prop_assert!(all <= own.most_positions());
            let expected = (1..=newest).rev().take(datasets.len());
            prop_assert!(datasets.iter().map(|it| it.0).eq(expected));
            // A dataset may only be left out if it does not fit or if it is from the first iteration.
            let next = newest - datasets.len() as u32;
            let with_next = all + u64::from(own.positions_of(next.max(1)));
            let fits = with_next <= u64::from(buffer).min(2 * u64::from(datasets[0].1));
            prop_assert!(next <= 1 || !fits, "{:?}", datasets);
        }
    }
}
