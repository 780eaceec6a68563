//! The genetic algorithm as the registry and a run see it.

use mancala::eval::{Feature, Weights};
use mancala::game::with_game;

use super::choices::FitnessSource;
use super::presets::PRESETS;
use super::settings::{ALL_KEPT, GeneticSettings, KEYS, Setup, check};
use super::{Genetic, founders};
use crate::optimise::ask::Optimiser;
use crate::optimise::genome::Chromosome;
use crate::optimise::key::{Entry, entries, set};
use crate::optimise::method::{
    Digest, Method, Moves, OptimiserSettings, Recorded, Refusal, TableFitness,
};
use crate::optimise::saved::{LoadError, Saved};
use crate::optimise::task::{Coding, Task};

pub(crate) static METHOD: Method = Method {
    name: "genetic",
    settings: || Box::new(GeneticSettings::default()),
    presets: &PRESETS,
    moves: Moves::Cached,
    digest: Digest::Lines,
};

impl OptimiserSettings for GeneticSettings {
    fn entries(&self) -> Vec<Entry> {
        entries(&KEYS, self)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        set(&KEYS, self, name, value)
    }

    fn complete(&mut self, task: &Task) -> Result<(), Refusal> {
        let named = self.openings.to_string();
        self.openings.read_file().map_err(|reason| Refusal::new("openings", named, reason))?;
        let named = self.opponents.to_string();
        let identified = with_game!(task.game, game => self.opponents.identify(game));
        identified.map_err(|reason| Refusal::new("opponents", named, reason))
    }

    fn check(&self, task: &Task) -> Result<(), Refusal> {
        check(&Setup::new(task.clone(), self.clone()))
    }

    fn coding(&self, task: &Task) -> Coding {
        Setup::new(task.clone(), self.clone()).coding()
    }

    fn candidates(&self) -> u32 {
        self.population
    }

    fn games_of_step(&self, generation: u32) -> u64 {
        u64::from(self.population) * self.games_of_member(generation)
    }

    /// By games: two points for each of two games with each opponent from each opening. By tables: a
    /// million, for giving nothing away of what is at stake. By both: twice a hundred for every other
    /// member that is worse by both.
    fn best_possible_fitness(&self, generation: u32) -> u64 {
        match self.fitness {
            FitnessSource::Tournament => 2 * self.games_of_member(generation),
            FitnessSource::Tables => ALL_KEPT,
            FitnessSource::Mix(_) => 200 * (u64::from(self.population) - 1),
        }
    }

    fn table_fitness(&self) -> Option<TableFitness> {
        let (fitness, positions) = (self.fitness.to_string(), self.tables_positions);
        (self.fitness != FitnessSource::Tournament).then_some(TableFitness { fitness, positions })
    }

    fn recorded(&self, generation: u32) -> Recorded {
        let place = self.place_of_mean(generation, self.population as usize);
        if self.reports_mean() || place.is_some() {
            Recorded::FittestOnly
        } else {
            Recorded::FittestAndLeader
        }
    }

    fn founder(&self, task: &Task, weights: &Weights) -> Option<Chromosome> {
        founders::founder(&Setup::new(task.clone(), self.clone()), weights)
    }

    fn left_out(&self, task: &Task, weights: &Weights) -> Vec<Feature> {
        founders::left_out(&Setup::new(task.clone(), self.clone()), weights)
    }

    fn begin(&self, task: Task) -> Box<dyn Optimiser> {
        Box::new(Genetic::new(Setup::new(task, self.clone())))
    }

    fn load(&self, task: Task, saved: Saved) -> Result<Box<dyn Optimiser>, LoadError> {
        Ok(Box::new(Genetic::load(Setup::new(task, self.clone()), saved)?))
    }

    fn boxed(&self) -> Box<dyn OptimiserSettings> {
        Box::new(self.clone())
    }
}
