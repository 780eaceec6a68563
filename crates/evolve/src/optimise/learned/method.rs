//! A run that learns its features, as the registry and a run see it.

use mancala::game::{Feature, Unit};

use super::Learned;
use super::epoch::Place;
use super::settings::LearnedSettings;
use crate::learn::SIZES;
use crate::optimise::ask::Optimiser;
use crate::optimise::key::Entry;
use crate::optimise::layers::Layers;
use crate::optimise::method::{
    Digest, Method, Moves, OptimiserSettings, Preset, Recorded, Refusal,
};
use crate::optimise::saved::{LoadError, Saved};
use crate::optimise::task::{Coding, Task};

pub(crate) static METHOD: Method = Method {
    name: "learned",
    settings: || Box::new(LearnedSettings::default()),
    presets: &[
        Preset {
            name: "learned",
            about: "features that the run learns itself, and weights of them that evolve: the strongest",
            from: None,
            changes: &[
                ("features", "u1..u16"),
                ("generations", "640"),
                ("phases", "4"),
                ("population", "41"),
                ("fitness_set", "0"),
                ("hall_of_fame", "2"),
                ("sparring", "6"),
                ("sparring_step", "0.25"),
                ("openings", "random:4,plies=5-12"),
                ("elite", "0"),
                ("selection", "truncation:25%"),
                ("crossover", "pool"),
                ("inertia", "0.6"),
                ("mutation", "mirrored"),
                ("mutation_rate", "1.0"),
                ("step", "0.05"),
                ("step_floor", "0.005"),
                ("step_half", "12"),
                ("cooling", "harmonic"),
                // Games of three plies are cheap, and output weights that win them win deeper ones too.
                ("warm_up", "40"),
                ("encoding", "integer:13"),
                ("scale", "2000"),
                ("signs", "literal"),
                ("perspective", "mover"),
                ("quiescence", "off"),
                ("ties", "hash"),
                ("measure_at", "budgets"),
                ("measure_every", "80"),
                ("measure_openings", "100"),
                ("finalist_games", "20000"),
            ],
            time: None,
        },
        Preset {
            name: "kalah-learned",
            about: "learned features for kalah",
            from: Some("learned"),
            changes: &[
                ("game", "kalah"),
                ("features", "ku1..ku16"),
                ("depth", "4"),
                ("perspective", "root"),
            ],
            time: None,
        },
    ],
    moves: Moves::Cached,
    digest: Digest::Words(&["seed", "features", "game", "depth", "population"]),
};

impl OptimiserSettings for LearnedSettings {
    fn entries(&self) -> Vec<Entry> {
        self.all()
    }

    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        self.change(name, value)
    }

    fn complete(&mut self, task: &Task) -> Result<(), Refusal> {
        self.genetic.complete(task)
    }

    fn check(&self, task: &Task) -> Result<(), Refusal> {
        let units = task.features.units().count();
        // A layer has the first units, and its outputs are in their order.
        let all = Unit::all(task.features.game()).take(units).map(Feature::from);
        if !SIZES.contains(&units) || !task.features.units().eq(all) {
            let reason = format!(
                "the units among them are learned, and must be the first {} in order",
                SIZES.map(|size| size.to_string()).join(", ")
            );
            return Err(Refusal::new("features", &task.features, reason));
        }
        self.genetic.check(task)
    }

    fn coding(&self, task: &Task) -> Coding {
        Coding::new(task, self.genetic.encoding, vec![None; task.features.features().len()])
            .of_layers(self.layers.clone())
    }

    fn candidates(&self) -> u32 {
        self.genetic.candidates()
    }

    fn games_of_step(&self, step: u32) -> u64 {
        let place = Place::of(step, self.epoch);
        let duel = if place.is_first() && place.epoch > 2 { 2 * self.duel_openings } else { 0 };
        self.genetic.games_of_step(place.generation) + u64::from(duel)
    }

    fn best_possible_fitness(&self, step: u32) -> u64 {
        self.genetic.best_possible_fitness(Place::of(step, self.epoch).generation)
    }

    fn recorded(&self, generation: u32) -> Recorded {
        self.genetic.recorded(Place::of(generation, self.epoch).generation)
    }

    fn layers(&self) -> Option<&Layers> {
        Some(&self.layers)
    }

    fn begin(&self, task: Task) -> Box<dyn Optimiser> {
        Box::new(Learned::new(task, self.clone()))
    }

    fn load(&self, task: Task, saved: Saved) -> Result<Box<dyn Optimiser>, LoadError> {
        Ok(Box::new(Learned::load(task, self.clone(), saved)?))
    }

    fn boxed(&self) -> Box<dyn OptimiserSettings> {
        Box::new(self.clone())
    }
}
