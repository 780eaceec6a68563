//! The settings of the genetic algorithm.

mod check;
mod keys;

pub(super) use check::check;
pub(super) use keys::KEYS;

use mancala::eval::Feature;
use mancala::search::Limits;

use super::beginnings::Beginnings;
use super::choices::{
    Cooling, Crossover, FitnessSource, Fixed, Founders, Mutation, Reported, Scale, Selection, Share,
};
use super::opponents::Opponents;
use crate::optimise::genome::{Chromosome, ChromosomeError, Encoding};
use crate::optimise::task::{Coding, Task};

/// The table fitness of a member that gives nothing away.
pub(crate) const ALL_KEPT: u64 = 1_000_000;

/// The settings of the genetic algorithm.
#[derive(Debug, Clone)]
pub(crate) struct GeneticSettings {
    /// Members of a population.
    pub(crate) population: u32,
    /// Chromosomes that the first population begins from.
    pub(crate) founders: Founders,
    /// What makes a member fit.
    pub(crate) fitness: FitnessSource,
    /// Positions in endgame tables that all members are asked about, new ones each generation.
    pub(crate) tables_positions: u32,
    /// Plies that a member searches in such a position.
    pub(crate) tables_depth: u32,
    /// Members drawn each generation that all members meet.
    pub(crate) fitness_set: Share,
    /// Champions of the past drawn each generation that all members meet.
    pub(crate) hall_of_fame: u32,
    /// Mutants of past champions that all members meet, new ones each generation.
    pub(crate) sparring: u32,
    /// Length of the step that makes one, as a share of the scale.
    pub(crate) sparring_step: f64,
    /// Players outside the population that all members meet.
    pub(crate) opponents: Opponents,
    /// Where games begin.
    pub(crate) openings: Beginnings,
    /// Rounds of a generation; after each but the last the lower half of the members plays no more.
    pub(crate) rounds: u32,
    /// Members copied unchanged into the next generation.
    pub(crate) elite: Share,
    /// Which members enter the mating pool.
    pub(crate) selection: Selection,
    /// How parents are combined.
    pub(crate) crossover: Crossover,
    /// Probability that a pair is crossed.
    pub(crate) crossover_rate: f64,
    /// Share of the mean before that the mean of a pool, or the champion that is a mean, keeps.
    pub(crate) inertia: f64,
    /// Which chromosome a generation reports as its champion.
    pub(crate) champion: Reported,
    /// How an offspring is changed.
    pub(crate) mutation: Mutation,
    /// Probability that a bit flips or a gene takes a step.
    pub(crate) mutation_rate: f64,
    /// Length of a step at the beginning, as a share of the scale.
    pub(crate) step: f64,
    /// Length that steps shrink to, as a share of the scale.
    pub(crate) step_floor: f64,
    /// Generations in which what is above the floor shrinks to a half.
    pub(crate) step_half: u32,
    /// How it shrinks from there.
    pub(crate) cooling: Cooling,
    /// Mean share of bits in which two members differ, below which all but the elite are renewed.
    pub(crate) restart_below: f64,
    /// How genes stand for weights.
    pub(crate) encoding: Encoding,
    /// The length that weights are held to.
    pub(crate) scale: Scale,
    /// Weights that do not evolve.
    pub(crate) fix: Fixed,
    /// Generations after which a pairing that was not met again is forgotten.
    pub(crate) pairing_memory: u32,
    /// Generations at the beginning whose games are searched [`SHALLOW`] plies at most.
    pub(crate) warm_up: u32,
}

/// Plies of a search while a run warms up.
pub(crate) const SHALLOW: u32 = 3;

/// Those of Daoud et al. 2004.
impl Default for GeneticSettings {
    fn default() -> Self {
        GeneticSettings {
            population: 50,
            founders: Founders::default(),
            fitness: FitnessSource::Tournament,
            tables_positions: 200,
            tables_depth: 3,
            fitness_set: Share::Percent(20),
            hall_of_fame: 0,
            sparring: 0,
            sparring_step: 0.15,
            opponents: Opponents::default(),
            openings: Beginnings::Start,
            rounds: 1,
            elite: Share::Percent(10),
            selection: Selection::Proportional,
            crossover: Crossover::OnePoint,
            crossover_rate: 0.5,
            inertia: 0.0,
            champion: Reported::Fittest,
            mutation: Mutation::Flip,
            mutation_rate: 0.001,
            step: 0.1,
            step_floor: 0.1,
            step_half: 1,
            cooling: Cooling::Halving,
            restart_below: 0.0,
            encoding: "binary:4".parse().expect("an encoding"),
            scale: Scale::Free,
            fix: Fixed::default(),
            pairing_memory: 100,
            warm_up: 0,
        }
    }
}

impl GeneticSettings {
    /// Members of the fitness set.
    pub(crate) fn fitness_set_size(&self) -> usize {
        self.fitness_set.of(self.population)
    }

    /// Members of the elite.
    pub(crate) fn elite_size(&self) -> usize {
        self.elite.of(self.population)
    }

    /// Whether games are played.
    pub(super) fn plays_games(&self) -> bool {
        self.fitness != FitnessSource::Tables
    }

    /// Opponents of every member.
    fn opponents_of_member(&self) -> usize {
        let others = self.hall_of_fame as usize + self.sparring as usize + self.opponents.count();
        self.fitness_set_size() + others
    }

    /// The most games that a member is asked for in this generation.
    pub(super) fn games_of_member(&self, generation: u32) -> u64 {
        match self.fitness {
            FitnessSource::Tournament | FitnessSource::Mix(_) => {
                2 * self.openings.count(generation) as u64 * self.opponents_of_member() as u64
            }
            FitnessSource::Tables => 0,
        }
    }

    /// Whether champions are means that are no members. The mean of a pool is one.
    pub(super) fn reports_mean(&self) -> bool {
        self.champion == Reported::Mean && self.crossover != Crossover::Pool
    }

    /// Where in a generation of so many members the mean stands that the other offspring were bred
    /// from, if they were.
    pub(crate) fn place_of_mean(&self, generation: u32, members: usize) -> Option<usize> {
        let mean = self.elite_size();
        let is_bred = generation > 1 && mean < members;
        let always = self.crossover == Crossover::Pool && self.restart_below == 0.0;
        (is_bred && always).then_some(mean)
    }
}

/// The settings with the task: all that the genetic algorithm depends on.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(crate) task: Task,
    pub(crate) own: GeneticSettings,
}

impl Setup {
    pub(crate) fn new(task: Task, own: GeneticSettings) -> Setup {
        Setup { task, own }
    }

    /// Plies that every move of a generation's games is searched.
    pub(crate) fn depth_of(&self, generation: u32) -> u32 {
        let depth = self.task.depth;
        if generation <= self.own.warm_up { depth.min(SHALLOW) } else { depth }
    }

    /// What moves of a generation's games may be searched.
    pub(crate) fn limits_of(&self, generation: u32) -> Limits {
        self.task.limits(self.depth_of(generation))
    }

    /// Whether moves are searched deeper from this generation on, so that games that were played before
    /// would end in another way.
    pub(crate) fn deepens_at(&self, generation: u32) -> bool {
        generation > 1 && self.depth_of(generation) != self.depth_of(generation - 1)
    }

    /// The chromosomes that the settings name to begin from, or why one of them is none.
    pub(crate) fn founders(&self) -> Result<Vec<Chromosome>, ChromosomeError> {
        let bits = self.chromosome_bits();
        let zero = || vec![0; self.free_features().count()];
        let read = |text: &String| match text.as_str() {
            Founders::ZERO => {
                let encoded = self.own.encoding.encode(&zero());
                Ok(encoded.expect("all encodings have a gene for 0"))
            }
            hex => Chromosome::from_hex(hex, bits),
        };
        self.own.founders.0.iter().map(read).collect()
    }

    /// The features whose weights evolve, a gene each.
    pub(crate) fn free_features(&self) -> impl Iterator<Item = Feature> {
        let features = self.task.features.features().iter().copied();
        features.filter(|feature| self.own.fix.weight_of(*feature).is_none())
    }

    /// How chromosomes stand for weights.
    pub(crate) fn coding(&self) -> Coding {
        let features = self.task.features.features().iter();
        let fixed = features.map(|feature| self.own.fix.weight_of(*feature)).collect();
        Coding::new(&self.task, self.own.encoding, fixed)
    }

    /// Bits of a chromosome.
    pub(crate) fn chromosome_bits(&self) -> usize {
        self.free_features().count() * self.own.encoding.bits()
    }

    /// The length that a chromosome's own weights are held to: what the fixed ones leave of the scale.
    pub(crate) fn length_of_genes(&self) -> Option<f64> {
        let Scale::Length(length) = self.own.scale else { return None };
        let fixed: f64 =
            self.own.fix.weights().iter().map(|(_, weight)| (weight * weight) as f64).sum();
        Some((f64::from(length) * f64::from(length) - fixed).max(0.0).sqrt())
    }

    /// The mean length of a step in a gene of the generation bred from `generation`, in weights.
    pub(crate) fn step_after(&self, generation: u32) -> f64 {
        let own = &self.own;
        let halves = f64::from(generation) / f64::from(own.step_half);
        let left = match own.cooling {
            Cooling::Halving => libm::exp2(-halves),
            Cooling::Harmonic => 1.0 / (1.0 + halves),
        };
        let share = own.step_floor + (own.step - own.step_floor) * left;
        share * self.unit()
    }

    /// What steps are shares of: the scale, or half of what a gene can hold.
    pub(crate) fn unit(&self) -> f64 {
        match self.own.scale {
            Scale::Length(length) => f64::from(length),
            Scale::Free => (self.own.encoding.range().end() + 1) as f64,
        }
    }
}
