//! Tournament fitness: every member plays the same opponents from the same openings.

use std::collections::BTreeMap;

use rand::RngExt;
use rustc_hash::FxHashMap;

use super::beginnings::Beginnings;
use super::breeding::sparring_partner;
use super::field::Field;
use super::settings::Setup;
use crate::optimise::ask::Champion;
use crate::optimise::genome::Chromosome;
use crate::optimise::task::Finals;
use arena::Meeting;
use mancala::random::{Purpose, drawn, stream};

/// All members meet the same opponents: a fitness set of members drawn without replacement, which meet
/// themselves too (Daoud et al. 2004), champions of the past from a hall of fame (Rosin and Belew 1997),
/// and mutants of such champions, which differ more from the members than champions do. A member plays
/// each of them from every opening of the generation, once moving first and once second. A win is worth
/// two points, a draw one.
///
/// Players are deterministic, so two chromosomes that met before from the same opening would repeat
/// their game: its result is remembered instead. That changes no fitness, only how many games are
/// played.
#[derive(Debug, Clone)]
pub(super) struct Tournament {
    setup: Setup,
    /// Champions of past generations, a bounded number of them, oldest first.
    pub(super) hall: Vec<Champion>,
    /// Points of the one that moves first from the start position, by (first, second). Openings that
    /// are new in every generation leave nothing to remember.
    pub(super) results: FxHashMap<(Chromosome, Chromosome), Remembered>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Remembered {
    pub(super) points: u8,
    /// The generation that last asked for it.
    pub(super) generation: u32,
}

/// Champions that the hall of fame keeps.
pub(super) const MOST_CHAMPIONS: usize = 256;
/// Pairings that are remembered from one generation to the next.
const MOST_PAIRINGS: usize = 1 << 18;

impl Tournament {
    /// A tournament that remembers nothing yet.
    pub(super) fn new(setup: Setup) -> Self {
        Tournament { setup, hall: Vec::new(), results: FxHashMap::default() }
    }

    pub(super) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The hall of fame, oldest first.
    pub(super) fn hall(&self) -> &[Champion] {
        &self.hall
    }

    /// The points of the first player in the game of a pairing, if it is remembered.
    pub(super) fn known(&self, pairing: (Chromosome, Chromosome)) -> Option<u8> {
        self.results.get(&pairing).map(|remembered| remembered.points)
    }

    /// Forgets all games.
    pub(super) fn forget_games(&mut self) {
        self.results.clear();
    }

    /// All that play in a generation of these members.
    pub(super) fn field(&self, generation: u32, members: &[Chromosome]) -> Field {
        let set = Purpose::FitnessSet;
        let opponents =
            self.draw(set, generation, members.len(), self.setup.own.fitness_set_size());
        let size = (self.setup.own.hall_of_fame as usize).min(self.hall.len());
        let champions = self.draw(Purpose::HallOfFame, generation, self.hall.len(), size);
        let champions = champions.into_iter().map(|index| self.hall[index].chromosome.clone());
        let partners = self.sparring_partners(generation, members);
        let outsiders = self.setup.own.opponents.count();
        Field::new(members, champions.chain(partners), opponents, outsiders)
    }

    /// Mutants of champions, drawn from all of the past so that few are close to the members;
    /// of members, as long as there are no champions.
    fn sparring_partners(&self, generation: u32, members: &[Chromosome]) -> Vec<Chromosome> {
        let partner = |index: u64| {
            let purpose = Purpose::Sparring;
            let mut dice = stream(self.setup.task.seed, purpose, generation.into(), index);
            let of = match self.hall.len() as u32 {
                0 => &members[dice.random_range(0..members.len() as u32) as usize],
                champions => &self.hall[dice.random_range(0..champions) as usize].chromosome,
            };
            sparring_partner(&self.setup, of, &mut dice)
        };
        (0..self.setup.own.sparring.into()).map(partner).collect()
    }

    /// So many of the first numbers, without replacement, in the order drawn.
    fn draw(&self, purpose: Purpose, generation: u32, of: usize, size: usize) -> Vec<usize> {
        let mut dice = stream(self.setup.task.seed, purpose, generation.into(), 0);
        drawn(size, of, &mut dice)
    }

    /// Keeps the results of a generation's games, as far as they can occur again.
    pub(super) fn remember(
        &mut self,
        generation: u32,
        field: &Field,
        known: FxHashMap<Meeting, u8>,
    ) {
        if self.setup.own.openings != Beginnings::Start {
            return;
        }
        for (meeting, points) in known {
            if let Some(pairing) = field.pairing(meeting) {
                self.results.insert(pairing, Remembered { points, generation });
            }
        }
        self.forget(generation);
    }

    /// Bounds what is remembered: pairings that were not asked for in the last generations go, and
    /// the longest unasked of those that are too many.
    fn forget(&mut self, generation: u32) {
        let mut oldest = (generation + 1).saturating_sub(self.setup.own.pairing_memory);
        if oldest == 0 && self.results.len() <= MOST_PAIRINGS {
            return;
        }
        let mut by_generation = BTreeMap::new();
        for result in self.results.values().filter(|result| result.generation >= oldest) {
            *by_generation.entry(result.generation).or_insert(0) += 1;
        }
        let mut kept: usize = by_generation.values().sum();
        for (generation, count) in by_generation {
            if kept <= MOST_PAIRINGS {
                break;
            }
            oldest = generation + 1;
            kept -= count;
        }
        self.results.retain(|_, result| result.generation >= oldest);
    }

    /// Takes the champion of a generation into the hall of fame, if the run has one. If it is full, one
    /// of those in it, drawn by lot, makes room.
    pub(super) fn enter_hall(&mut self, generation: u32, champion: &Chromosome) {
        let Setup { task, own } = &self.setup;
        let is_met = own.hall_of_fame + own.sparring > 0;
        if !is_met && !own.reports_mean() && task.finals == Finals::None {
            return;
        }
        if self.hall.len() == MOST_CHAMPIONS {
            // The stream that drew this generation's opponents: it is the first of them that leaves, still
            // uniformly drawn. Another stream would change runs.
            let out = self.draw(Purpose::HallOfFame, generation, MOST_CHAMPIONS, 1);
            self.hall.remove(out[0]);
        }
        self.hall.push(Champion { generation, chromosome: champion.clone() });
    }
}

#[cfg(test)]
mod tests;
