//! Fitness from games: all members play the same opponents from the same openings.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use arena::{Batch, Outcome, ScheduledGame};
use mancala::game::with_game;
use mancala::random::{Purpose, sample, stream};
use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::openings::Openings;
use super::reproduction::perturbed_champion;
use super::settings::Setup;
use crate::optimise::{
    Champion, Chromosome, Evaluated, LoadError, Pairings, ranking, read_champions, save_champions,
};

/// Each generation has four kinds of opponents: a fitness set of members drawn without replacement, which also play
/// themselves (Daoud et al. 2004); past champions from a hall of fame (Rosin and Belew 1997); mutants of past
/// champions; and players outside the population. A member plays each opponent from every opening with both colours. A
/// win counts two points, a draw one.
///
/// Players are deterministic, so results of repeated games are cached.
#[derive(Debug, Clone)]
pub(super) struct Tournament {
    setup: Setup,
    /// Champions of past generations, oldest first.
    pub(super) hall: Vec<Champion>,
    /// Results of games from the start position, keyed by (first mover, other).
    results: FxHashMap<(Chromosome, Chromosome), Remembered>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Remembered {
    /// Points of the player who moved first.
    points: u8,
    /// The last generation that needed the result.
    generation: u32,
}

/// Maximum number of champions in the hall of fame.
const MAX_CHAMPIONS: usize = 256;
/// Maximum number of results that are kept after a generation.
pub(super) const MAX_RESULTS: usize = 1 << 18;

impl Tournament {
    pub(super) fn new(setup: Setup) -> Self {
        Tournament { setup, hall: Vec::new(), results: FxHashMap::default() }
    }

    pub(super) fn forget_games(&mut self) {
        self.results.clear();
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
        let mutant = |index: u64| {
            let purpose = Purpose::PerturbedChampion;
            let mut rng = stream(self.setup.task.seed, purpose, generation.into(), index);
            let champion = match self.hall.len() as u32 {
                0 => &members[rng.random_range(0..members.len() as u32) as usize],
                champions => &self.hall[rng.random_range(0..champions) as usize].chromosome,
            };
            perturbed_champion(&self.setup, champion, &mut rng)
        };
        (0..self.setup.own.sparring.into()).map(mutant).collect()
    }

    fn draw(&self, purpose: Purpose, generation: u32, count: usize, size: usize) -> Vec<usize> {
        let mut rng = stream(self.setup.task.seed, purpose, generation.into(), 0);
        sample(size, count, &mut rng)
    }

    /// Caches the results of a generation, unless its openings are only used once.
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

    /// Drops results that were not needed in recent generations and, if too many remain, the oldest of them.
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

    /// Adds a champion to the hall of fame if the run uses one. If the hall is full, a random champion is removed
    /// first.
    pub(super) fn enter_hall(&mut self, generation: u32, champion: &Chromosome) {
        let Setup { task, own } = &self.setup;
        let plays_champions = own.hall_of_fame + own.sparring > 0;
        if !plays_champions && !own.reports_mean() && !task.has_finals {
            return;
        }
        if self.hall.len() == MAX_CHAMPIONS {
            // The opponents were drawn from the same stream, but another would change the output of existing runs.
            let removed = self.draw(Purpose::HallOfFame, generation, MAX_CHAMPIONS, 1);
            self.hall.remove(removed[0]);
        }
        self.hall.push(Champion::past(generation, champion.clone()));
    }

    /// Adds a champion of another island before the newest one, in the place of a random older one if the hall is full.
    pub(super) fn admit_to_hall(&mut self, migrant: &Chromosome) {
        let Some(Champion { generation, .. }) = self.hall.last().cloned() else { return };
        if self.hall.len() == MAX_CHAMPIONS {
            self.hall.remove(self.draw(Purpose::Island, generation, MAX_CHAMPIONS - 1, 1)[0]);
        }
        self.hall.insert(self.hall.len() - 1, Champion::past(generation, migrant.clone()));
    }

    pub(super) fn save(&self) -> Pairings {
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
            chromosomes: players.iter().map(|player| player.to_hex()).collect(),
            results,
            hall: save_champions(&self.hall),
        }
    }

    pub(super) fn load(setup: Setup, saved: Pairings, generation: u32) -> Result<Self, LoadError> {
        let bits = setup.chromosome_bits();
        let no_chromosome = |error| LoadError::content(format!("cached chromosome {error}"));
        let read = |hex: &String| Chromosome::from_hex(hex, bits).map_err(no_chromosome);
        let players = saved.chromosomes.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let hall = read_champions(&saved.hall, &setup.coding())?;
        let is_past = |of: u32| (1..=generation).contains(&of);
        if hall.len() > MAX_CHAMPIONS
            || !hall.is_sorted_by_key(|champion| champion.generation)
            || !hall.iter().all(|champion| is_past(champion.generation))
        {
            return Err(LoadError::content("champions are too many, not past or not ordered"));
        }
        let player = |index: u32| players.get(index as usize).cloned();
        let result = |(first, second, points, generation)| {
            let is_possible = points <= 2 && is_past(generation);
            let pairing = (player(first)?, player(second)?);
            is_possible.then_some((pairing, Remembered { points, generation }))
        };
        let results: Option<_> = saved.results.into_iter().map(result).collect();
        let impossible = || LoadError::content("cached games are impossible");
        Ok(Tournament { setup, hall, results: results.ok_or_else(impossible)? })
    }
}

#[derive(Debug)]
struct Field {
    /// Members, past champions and mutants of past champions.
    players: Vec<Chromosome>,
    /// For each player, the index of the first player with the same chromosome.
    equal_to: Vec<usize>,
    /// Indices of the opponents that every member plays. Those beyond `players` are outside the population.
    opponents: Vec<usize>,
}

impl Field {
    /// Returns the games of these members from these openings, grouped by member, with adjacent pairs.
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

    /// Returns both players of a game, or `None` if one of them is outside the population.
    fn chromosomes(&self, scheduled: ScheduledGame) -> Option<(Chromosome, Chromosome)> {
        let player = |index: u32| self.players.get(index as usize).cloned();
        Some((player(scheduled.first)?, player(scheduled.second)?))
    }
}

/// Games of a generation, in rounds of successive halving: each round eliminates the lower half of the members.
#[derive(Debug)]
pub(super) struct SuccessiveHalving {
    /// The generation as far as it has been evaluated.
    evaluated: Evaluated,
    field: Field,
    rounds: usize,
    /// The game, the players and the openings, with an empty schedule.
    table: Batch,
    remaining: Vec<usize>,
    started: usize,
    games: Vec<ScheduledGame>,
    /// Games of the current round that have to be played, in this order.
    unknown: Vec<ScheduledGame>,
    /// Points of the player who moved first in each game.
    results: FxHashMap<ScheduledGame, u8>,
}

impl SuccessiveHalving {
    pub(super) fn new(tournament: &Tournament, generation: u32, members: &[Chromosome]) -> Self {
        let (setup, field) = (&tournament.setup, tournament.field(generation, members));
        let Setup { task, own } = setup;
        let openings = with_game!(task.game, game => {
            let drawn = own.openings.draw(game, task.seed, generation);
            drawn.iter().map(ToString::to_string).collect()
        });
        let coding = setup.coding();
        let player = |member: &Chromosome| coding.player(member, setup.limits_of(generation));
        let players = field.players.iter().map(player).chain(own.opponents.players()).collect();
        let table = Batch::new(task.game, players, openings, Vec::new());
        let table = table.expect("the players are for the game");
        let evaluated = Evaluated::new(generation, members.to_vec(), vec![0; members.len()]);
        SuccessiveHalving {
            evaluated,
            rounds: (setup.own.rounds as usize).min(table.openings().len()),
            remaining: (0..members.len()).collect(),
            field,
            table,
            started: 0,
            games: Vec::new(),
            unknown: Vec::new(),
            results: FxHashMap::default(),
        }
    }

    /// Returns the next games to play, or `None` after the last round.
    pub(super) fn ask(&mut self, tournament: &Tournament) -> Option<Batch> {
        while self.started < self.rounds {
            self.start_round(tournament);
            if !self.unknown.is_empty() {
                let batch = self.table.with_schedule(self.unknown.clone());
                return Some(batch.expect("the games are between listed players"));
            }
            self.end_round();
        }
        None
    }

    /// Records the outcomes of the games returned by [`ask`](Self::ask).
    pub(super) fn tell(&mut self, outcomes: &[Outcome]) {
        for (scheduled, outcome) in self.unknown.iter().zip(outcomes) {
            self.results.insert(*scheduled, outcome.result.points());
        }
        self.evaluated.games_played += outcomes.len() as u64;
        self.end_round();
    }

    /// Lists the games of a round, and those that are neither cached nor repeated.
    fn start_round(&mut self, tournament: &Tournament) {
        let openings = self.table.openings().len();
        let share = |round: usize| openings * round / self.rounds;
        let openings = share(self.started)..share(self.started + 1);
        self.games = self.field.schedule(&self.remaining, openings);
        self.unknown.clear();
        self.started += 1;
        for &scheduled in &self.games {
            if let Entry::Vacant(entry) = self.results.entry(scheduled) {
                let pairing = self.field.chromosomes(scheduled);
                match pairing.and_then(|pairing| tournament.results.get(&pairing)) {
                    Some(result) => entry.insert(result.points),
                    None => {
                        self.unknown.push(scheduled);
                        // Insert a placeholder, so that the same game is not listed twice.
                        entry.insert(0)
                    }
                };
            }
        }
    }

    fn end_round(&mut self) {
        let games_of_member = self.games.len() / self.remaining.len();
        let games = self.games.chunks(games_of_member.max(1));
        for (&member, games) in self.remaining.iter().zip(games) {
            let points = |both: &[ScheduledGame]| {
                u64::from(self.results[&both[0]]) + 2 - u64::from(self.results[&both[1]])
            };
            self.evaluated.fitness[member] += games.chunks(2).map(points).sum::<u64>();
        }
        self.evaluated.games_asked += self.games.len() as u64;
        let best = ranking(&self.evaluated.fitness);
        self.remaining.sort_by_key(|member| best.iter().position(|other| other == member));
        self.remaining.truncate(self.remaining.len().div_ceil(2));
        self.remaining.sort();
    }

    /// Returns the evaluated generation, and caches the results in the tournament.
    pub(super) fn finish(self, tournament: &mut Tournament) -> Evaluated {
        tournament.remember(self.evaluated.generation, &self.field, self.results);
        self.evaluated
    }
}

#[cfg(test)]
mod tests;
