//! Fitness from games. All members play against the same opponents from the same openings.
//!
//! There are four kinds of opponents in each generation: a fitness set of members that are drawn without replacement
//! and also play themselves (Daoud et al. 2004); past champions from a hall of fame (Rosin and Belew 1997); mutants of
//! past champions; and players outside the population. A member plays each opponent from every opening with both
//! colours. A win is worth two points, and a draw one. Players are deterministic, so we cache and reuse results.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use arena::{Batch, ScheduledGame};
use mancala::random::{Purpose, sample, stream};
use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::openings::Openings;
use super::reproduction::perturbed;
use super::{Genetic, Setup};
use crate::optimise::{
    Champion, Chromosome, Evaluated, Executor, LoadError, Pairings, WorkError, checked_champions,
    ranking,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Remembered {
    /// The points of the player who moved first.
    points: u8,
    /// The last generation that needed the result.
    generation: u32,
}

pub(super) const MAX_CHAMPIONS: usize = 256;
/// The maximum number of cached results that we keep after a generation.
pub(super) const MAX_RESULTS: usize = 1 << 18;

impl Genetic {
    /// Plays the games of a generation in rounds and caches results. After each round, we eliminate the worse half.
    pub(super) fn play(
        &mut self,
        generation: u32,
        members: Vec<Chromosome>,
        executor: &mut dyn Executor,
    ) -> Result<Evaluated, WorkError> {
        let (setup, field) = (&self.setup, self.field(generation, &members));
        let Setup { task, own } = setup;
        let openings = own.openings.draw(task.game, task.seed, generation);
        let (count, rounds) = (openings.len(), (own.rounds as usize).min(openings.len()));
        let (coding, limits) = (setup.coding(), task.limits(setup.depth_of(generation)));
        let players = field.players.iter().map(|member| coding.player(member, limits));
        let players: Vec<_> = players.chain(own.opponents.players()).collect();
        let mut remaining: Vec<usize> = (0..members.len()).collect();
        let fitness = vec![0; members.len()];
        let mut evaluated = Evaluated::new(generation, members, fitness);
        // The points of the player who moved first in each game.
        let mut results: FxHashMap<ScheduledGame, u8> = FxHashMap::default();
        for round in 0..rounds {
            let numbers = count * round / rounds..count * (round + 1) / rounds;
            let games = field.schedule(&remaining, numbers);
            // The games whose results we don't know yet, without duplicates.
            let mut unknown = Vec::new();
            for &scheduled in &games {
                if let Entry::Vacant(entry) = results.entry(scheduled) {
                    let pairing = field.chromosomes(scheduled);
                    let cached = pairing.and_then(|pairing| self.results.get(&pairing));
                    if cached.is_none() {
                        unknown.push(scheduled);
                    }
                    // The placeholder prevents the same game from being listed twice.
                    entry.insert(cached.map_or(0, |it| it.points));
                }
            }
            if !unknown.is_empty() {
                let batch = Batch::new(task.game, players.clone(), &openings, unknown.clone());
                let batch = batch.expect("players for this game");
                let outcomes = executor.games(&batch)?;
                evaluated.games_played += outcomes.len() as u64;
                results
                    .extend(unknown.into_iter().zip(outcomes.iter().map(|it| it.result.points())));
            }
            let games_of_member = (games.len() / remaining.len()).max(1);
            for (&member, games) in remaining.iter().zip(games.chunks(games_of_member)) {
                let points = |both: &[ScheduledGame]| {
                    u64::from(results[&both[0]]) + 2 - u64::from(results[&both[1]])
                };
                evaluated.fitness[member] += games.chunks(2).map(points).sum::<u64>();
            }
            evaluated.games_asked += games.len() as u64;
            let best = ranking(&evaluated.fitness);
            remaining.sort_by_key(|member| best.iter().position(|other| other == member));
            remaining.truncate(remaining.len().div_ceil(2));
            remaining.sort();
        }
        self.remember(generation, &field, results);
        Ok(evaluated)
    }

    fn field(&self, generation: u32, members: &[Chromosome]) -> Field {
        let own = &self.setup.own;
        let size = own.fitness_set_size();
        let mut opponents = self.draw(Purpose::FitnessSet, generation, members.len(), size);
        let size = (own.hall_of_fame as usize).min(self.hall.len());
        let champions = self.draw(Purpose::HallOfFame, generation, self.hall.len(), size);
        let champions = champions.into_iter().map(|index| self.hall[index].chromosome.clone());
        let mutants = self.perturbed_champions(generation, members);
        let players = members.iter().cloned().chain(champions).chain(mutants);
        let players: Vec<Chromosome> = players.collect();
        opponents.extend(members.len()..players.len() + own.opponents.0.len());
        let mut first = FxHashMap::default();
        let equal_to = players.iter().enumerate();
        let equal_to = equal_to.map(|(index, player)| *first.entry(player).or_insert(index));
        Field { equal_to: equal_to.collect(), players, opponents }
    }

    /// Returns mutants of past champions from all generations, or of members if there are no champions yet.
    fn perturbed_champions(&self, generation: u32, members: &[Chromosome]) -> Vec<Chromosome> {
        let step = self.setup.own.sparring_step * self.setup.unit();
        let mutant = |index: u64| {
            let purpose = Purpose::PerturbedChampion;
            let mut rng = stream(self.setup.task.seed, purpose, generation.into(), index);
            let champion = match self.hall.len() as u32 {
                0 => &members[rng.random_range(0..members.len() as u32) as usize],
                champions => &self.hall[rng.random_range(0..champions) as usize].chromosome,
            };
            perturbed(&self.setup, champion, step, 1.0, &mut rng)
        };
        (0..self.setup.own.sparring.into()).map(mutant).collect()
    }

    fn draw(&self, purpose: Purpose, generation: u32, count: usize, size: usize) -> Vec<usize> {
        let mut rng = stream(self.setup.task.seed, purpose, generation.into(), 0);
        sample(size, count, &mut rng)
    }

    /// Caches the results if games begin at the start position. Other openings are drawn anew in each generation.
    fn remember(&mut self, generation: u32, field: &Field, results: FxHashMap<ScheduledGame, u8>) {
        if self.setup.own.openings != Openings::START {
            return;
        }
        for (scheduled, points) in results {
            if let Some(pairing) = field.chromosomes(scheduled) {
                self.results.insert(pairing, Remembered { points, generation });
            }
        }
        self.forget(generation);
    }

    /// Drops results that were not needed in recent generations. If too many results remain, drops the oldest ones too.
    fn forget(&mut self, generation: u32) {
        let mut oldest = (generation + 1).saturating_sub(self.setup.own.pairing_memory);
        if oldest == 0 && self.results.len() <= MAX_RESULTS {
            return;
        }
        let mut by_generation = BTreeMap::new();
        for result in self.results.values().filter(|result| result.generation >= oldest) {
            *by_generation.entry(result.generation).or_insert(0) += 1;
        }
        let mut kept: usize = by_generation.values().sum();
        for (generation, count) in by_generation {
            if kept <= MAX_RESULTS {
                break;
            }
            oldest = generation + 1;
            kept -= count;
        }
        self.results.retain(|_, result| result.generation >= oldest);
    }

    /// Adds a champion to the hall of fame, if the run has one. If the hall is full, then a random champion is removed.
    pub(super) fn enter_hall(&mut self, generation: u32, champion: &Chromosome) {
        let Setup { task, own } = &self.setup;
        let plays_champions = own.hall_of_fame + own.sparring > 0;
        if !plays_champions && !own.reports_mean() && !task.has_finals {
            return;
        }
        if self.hall.len() == MAX_CHAMPIONS {
            // Opponents are drawn from this stream too. Changing that would change the output of existing runs.
            let removed = self.draw(Purpose::HallOfFame, generation, MAX_CHAMPIONS, 1);
            self.hall.remove(removed[0]);
        }
        self.hall.push(Champion::past(generation, champion.clone()));
    }

    /// Inserts a migrant before the newest champion. If the hall is full, then a random older champion is removed.
    pub(super) fn admit_to_hall(&mut self, migrant: &Chromosome) {
        let Some(Champion { generation, .. }) = self.hall.last().cloned() else { return };
        if self.hall.len() == MAX_CHAMPIONS {
            self.hall.remove(self.draw(Purpose::Island, generation, MAX_CHAMPIONS - 1, 1)[0]);
        }
        self.hall.insert(self.hall.len() - 1, Champion::past(generation, migrant.clone()));
    }

    pub(super) fn pairings(&self) -> Pairings {
        let players = self.results.keys().flat_map(|(first, second)| [first, second]);
        let players: FxHashSet<&Chromosome> = players.collect();
        let mut players: Vec<&Chromosome> = players.into_iter().collect();
        players.sort_unstable();
        let index: FxHashMap<_, u32> = players.iter().copied().zip(0..).collect();
        let results = self.results.iter().map(|((first, second), result)| {
            (index[first], index[second], result.points, result.generation)
        });
        let mut results: Vec<_> = results.collect();
        results.sort_unstable();
        Pairings {
            chromosomes: players.into_iter().cloned().collect(),
            results,
            hall: self.hall.clone(),
        }
    }

    /// Restores the hall of fame and the cached results after a generation.
    pub(super) fn load(&mut self, saved: Pairings, generation: u32) -> Result<(), LoadError> {
        let bits = self.setup.chromosome_bits();
        let no_chromosome = |error| LoadError::content(format!("cached chromosome {error}"));
        let read = |stored: &Chromosome| {
            Chromosome::from_hex(&stored.to_hex(), bits).map_err(no_chromosome)
        };
        let players = saved.chromosomes.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let coding = self.setup.coding();
        self.hall = checked_champions(&saved.hall, MAX_CHAMPIONS, generation, &coding)?;
        let player = |index: u32| players.get(index as usize).cloned();
        let result = |(first, second, points, used)| {
            let is_possible = points <= 2 && (1..=generation).contains(&used);
            let pairing = (player(first)?, player(second)?);
            is_possible.then_some((pairing, Remembered { points, generation: used }))
        };
        let results: Option<_> = saved.results.into_iter().map(result).collect();
        self.results = results.ok_or_else(|| LoadError::content("cached games are invalid"))?;
        Ok(())
    }
}

#[derive(Debug)]
struct Field {
    /// The members, past champions and mutants of past champions.
    players: Vec<Chromosome>,
    /// For each player, the index of the first player with the same chromosome.
    equal_to: Vec<usize>,
    /// The indices of the opponents of every member. Indices beyond `players` are players outside the population.
    opponents: Vec<usize>,
}

impl Field {
    /// Schedules the games of the given members from the given openings, ordered by member, opponent and opening.
    fn schedule(&self, members: &[usize], openings: Range<usize>) -> Vec<ScheduledGame> {
        let mut schedule = Vec::new();
        for &member in members {
            for &opponent in &self.opponents {
                let [one, other] = [member, opponent]
                    .map(|index| self.equal_to.get(index).map_or(index, |&equal| equal) as u32);
                for opening in openings.clone() {
                    schedule.extend(ScheduledGame::pair(one, other, opening as u32));
                }
            }
        }
        schedule
    }

    /// Returns the chromosomes of both players in a game, or `None` if one of them is outside the population.
    fn chromosomes(&self, scheduled: ScheduledGame) -> Option<(Chromosome, Chromosome)> {
        let player = |index: u32| self.players.get(index as usize).cloned();
        Some((player(scheduled.first)?, player(scheduled.second)?))
    }
}

#[cfg(test)]
mod tests;
