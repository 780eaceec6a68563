//! Tournament fitness: every member plays every member of a set drawn anew each generation.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::fitness::{Control, Evaluation, Fitness};
use super::genome::{Chromosome, ChromosomeError};
use super::recalling::{Choices, Recalling};
use super::settings::Settings;
use crate::arena::{Played, play_game};
use crate::eval::Weights;
use crate::game::ayo::Ayo;
use crate::game::{Record, Side, Verdict};
use crate::player::{Minimax, Pruning};
use crate::random::{Purpose, stream};
use crate::search::Limits;

/// The fitness of Daoud et al. (2004): the members of a fitness set, drawn without replacement, are
/// everybody's opponents, themselves included, once moving first and once second; two points for a
/// win, one for a draw.
///
/// Both players are deterministic, so two chromosomes that met before would repeat their game: its
/// result is remembered instead. That changes no fitness, only how many games are played.
#[derive(Debug, Clone)]
pub struct Tournament {
    settings: Settings,
    /// Points of the one who moves first, by (first, second).
    results: BTreeMap<(Chromosome, Chromosome), Remembered>,
    /// Choices of the members of the last generation. They save searches and change nothing else, so
    /// they are not part of a checkpoint.
    choices: HashMap<Chromosome, Choices>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Remembered {
    points: u8,
    /// The generation that last asked for it.
    generation: u32,
}

/// A game asked for: who moves first, who second.
type Pairing = (usize, usize);

impl Tournament {
    /// A tournament that remembers nothing yet.
    pub fn new(settings: Settings) -> Self {
        Tournament { settings, results: BTreeMap::new(), choices: HashMap::new() }
    }

    /// The members that everybody meets in this generation, in the order drawn.
    fn fitness_set(&self, generation: u32, members: usize) -> Vec<usize> {
        let mut dice = stream(self.settings.seed, Purpose::FitnessSet, generation.into(), 0);
        let mut indices: Vec<usize> = (0..members).collect();
        let size = self.settings.fitness_set_size();
        for drawn in 0..size {
            let other = dice.random_range(drawn as u32..members as u32);
            indices.swap(drawn, other as usize);
        }
        indices.truncate(size);
        indices
    }

    /// The games that must be played: those asked for, less what is remembered and what is asked for
    /// twice, in the order of asking.
    fn unknown(&self, asked: &[Pairing], members: &[Chromosome]) -> Vec<Pairing> {
        let mut seen = HashSet::new();
        let is_new = |&&(first, second): &&Pairing| {
            let key = (members[first].clone(), members[second].clone());
            !self.results.contains_key(&key) && seen.insert(key)
        };
        asked.iter().filter(is_new).copied().collect()
    }

    fn play(
        &self,
        pairings: &[Pairing],
        members: &[Chromosome],
        control: &dyn Control,
    ) -> Option<Vec<Played>> {
        let players: Vec<Recalling> = members.iter().map(|member| self.player(member)).collect();
        let done = AtomicU64::new(0);
        let game = |&(first, second): &Pairing| {
            let (mut south, mut north) = (players[first].clone(), players[second].clone());
            let mut record = Record::new(Ayo { rules: self.settings.rules }, Side::South);
            let played = play_game(&mut record, [&mut south, &mut north], control)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            control.games_played(done, pairings.len() as u64);
            Some(played)
        };
        // One game a job: their lengths differ too much for larger ones.
        pairings.par_iter().with_max_len(1).map(game).collect()
    }

    /// Equal chromosomes recall the same choices.
    fn player(&self, member: &Chromosome) -> Recalling {
        let weights = weights_of(&self.settings, member);
        let player = Minimax::new(&weights, Limits::depth(self.settings.depth), Pruning::AlphaBeta);
        Recalling::new(player, self.choices[member].clone())
    }

    fn remember(
        &mut self,
        generation: u32,
        pairings: &[Pairing],
        members: &[Chromosome],
        games: &[Played],
    ) {
        for (&(first, second), game) in pairings.iter().zip(games) {
            let points = match game.settlement.verdict {
                Verdict::Won(Side::South) => 2,
                Verdict::Drawn => 1,
                Verdict::Won(Side::North) => 0,
            };
            let key = (members[first].clone(), members[second].clone());
            self.results.insert(key, Remembered { points, generation });
        }
    }

    /// Points of the one who moves first. The pairing must be remembered.
    fn points(&mut self, generation: u32, first: &Chromosome, second: &Chromosome) -> u64 {
        let key = (first.clone(), second.clone());
        let remembered = self.results.get_mut(&key).expect("every game asked for was played");
        remembered.generation = generation;
        remembered.points.into()
    }

    /// Forgets the choices of chromosomes that are gone and makes room for those of new ones.
    fn keep_choices_of(&mut self, members: &[Chromosome]) {
        let most = MOST_CHOICES / members.len();
        let mut before = std::mem::take(&mut self.choices);
        for member in members {
            let kept = before.remove(member);
            let choices = || kept.unwrap_or_else(|| Choices::at_most(most));
            self.choices.entry(member.clone()).or_insert_with(choices);
        }
    }

    /// Bounds what is remembered: pairings that were not asked for in the last generations go, and
    /// the longest unasked of those that are too many.
    fn forget(&mut self, generation: u32) {
        let memory = self.settings.pairing_memory;
        let mut oldest = (generation + 1).saturating_sub(memory);
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
}

/// Pairings that are remembered from one generation to the next.
const MOST_PAIRINGS: usize = 1 << 18;
/// Choices that are recalled, all members together.
const MOST_CHOICES: usize = 1 << 20;

impl Fitness for Tournament {
    fn evaluate(
        &mut self,
        generation: u32,
        members: &[Chromosome],
        control: &dyn Control,
    ) -> Option<Evaluation> {
        let opponents = self.fitness_set(generation, members.len());
        let meets = |member: usize| opponents.iter().map(move |&opponent| (member, opponent));
        let asked: Vec<Pairing> = (0..members.len())
            .flat_map(meets)
            .flat_map(|(member, opponent)| [(member, opponent), (opponent, member)])
            .collect();
        let unknown = self.unknown(&asked, members);
        self.keep_choices_of(members);
        let games = self.play(&unknown, members, control)?;
        self.remember(generation, &unknown, members, &games);
        let mut fitness = vec![0; members.len()];
        for pair in asked.chunks_exact(2) {
            let (member, opponent) = pair[0];
            let (me, him) = (&members[member], &members[opponent]);
            let moving_first = self.points(generation, me, him);
            let moving_second = 2 - self.points(generation, him, me);
            fitness[member] += moving_first + moving_second;
        }
        self.forget(generation);
        Some(Evaluation {
            fitness,
            games_asked: asked.len() as u64,
            games_played: unknown.len() as u64,
            nodes: games.iter().flat_map(|game| game.effort).map(|effort| effort.nodes).sum(),
        })
    }
}

/// The weights that a chromosome stands for.
pub(super) fn weights_of(settings: &Settings, chromosome: &Chromosome) -> Weights {
    let name = format!("{}-{}", settings.preset, settings.seed);
    let values = settings.encoding.decode(chromosome);
    Weights::new(name, settings.features.clone(), &values, settings.signs)
        .expect("genes hold at most 15 bits")
}

/// What a tournament remembers, as a checkpoint keeps it: the chromosomes that occur, and for every
/// game the indices of both, the points of the first, and the generation that last asked for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Memory {
    chromosomes: Vec<String>,
    results: Vec<(u32, u32, u8, u32)>,
}

/// A memory that no tournament wrote.
#[derive(Debug, thiserror::Error)]
pub(super) enum MemoryError {
    #[error(transparent)]
    Chromosome(#[from] ChromosomeError),
    #[error("a remembered game names a chromosome that is not there")]
    Index,
    #[error("a remembered game has {0} points")]
    Points(u8),
    #[error("a remembered game is of generation {0}, which has not been yet")]
    Generation(u32),
}

impl Tournament {
    pub(super) fn memory(&self) -> Memory {
        let both = self.results.keys().flat_map(|(first, second)| [first, second]);
        let distinct: BTreeSet<&Chromosome> = both.collect();
        let place: HashMap<_, u32> = distinct.iter().copied().zip(0..).collect();
        let results = self.results.iter().map(|((first, second), result)| {
            (place[first], place[second], result.points, result.generation)
        });
        Memory {
            chromosomes: distinct.iter().map(|c| c.to_hex()).collect(),
            results: results.collect(),
        }
    }

    /// The tournament that had this memory after `generation`.
    pub(super) fn restore(
        settings: Settings,
        memory: Memory,
        generation: u32,
    ) -> Result<Self, MemoryError> {
        let bits = settings.chromosome_bits();
        let read = |hex: &String| Chromosome::from_hex(hex, bits);
        let chromosomes: Vec<_> = memory.chromosomes.iter().map(read).collect::<Result<_, _>>()?;
        let at = |index: u32| chromosomes.get(index as usize).ok_or(MemoryError::Index);
        let mut tournament = Tournament::new(settings);
        for (first, second, points, asked) in memory.results {
            if points > 2 {
                return Err(MemoryError::Points(points));
            }
            if asked > generation {
                return Err(MemoryError::Generation(asked));
            }
            let key = (at(first)?.clone(), at(second)?.clone());
            tournament.results.insert(key, Remembered { points, generation: asked });
        }
        Ok(tournament)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::{Draft, first_population};

    fn settings(changes: &[(&str, &str)]) -> Settings {
        let mut draft = Draft::preset("daoud2004").unwrap();
        for (key, value) in changes.iter().chain(&[("depth", "2")]) {
            draft.set(key, value).unwrap();
        }
        draft.finish().unwrap()
    }

    #[test]
    fn a_fitness_set_has_distinct_members() {
        let tournament = Tournament::new(settings(&[("fitness_set", "50")]));
        let mut all = tournament.fitness_set(3, 50);
        assert_ne!(all, tournament.fitness_set(4, 50));
        all.sort();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn remembering_changes_no_fitness() {
        let settings = settings(&[("population", "12"), ("fitness_set", "4")]);
        let mut members = first_population(&settings);
        members[5] = members[2].clone();
        let mut remembering = Tournament::new(settings.clone());
        for generation in 1..4 {
            let with = remembering.evaluate(generation, &members, &()).unwrap();
            let mut fresh = Tournament::new(settings.clone());
            let without = fresh.evaluate(generation, &members, &()).unwrap();
            assert_eq!(with.fitness, without.fitness);
            assert_eq!(with.games_asked, 12 * 4 * 2);
            assert!(generation == 1 || with.games_played < without.games_played);
        }
    }

    #[test]
    fn points_add_up() {
        let settings = settings(&[("population", "10"), ("fitness_set", "10")]);
        let members = first_population(&settings);
        let evaluation = Tournament::new(settings).evaluate(1, &members, &()).unwrap();
        // With everybody in the set, each game gives two points to each of its two askers' sums.
        assert_eq!(evaluation.fitness.iter().sum::<u64>(), 2 * 10 * 10);
    }

    #[test]
    fn memory_reads_back_and_is_bounded() {
        let settings =
            settings(&[("population", "8"), ("fitness_set", "3"), ("pairing_memory", "1")]);
        let members = first_population(&settings);
        let mut tournament = Tournament::new(settings.clone());
        tournament.evaluate(1, &members, &()).unwrap();
        let second = tournament.evaluate(2, &members, &()).unwrap();
        assert!(tournament.results.len() as u64 <= second.games_asked);
        let memory = tournament.memory();
        let restored = Tournament::restore(settings.clone(), memory.clone(), 2).unwrap();
        assert_eq!(restored.results, tournament.results);
        let refused = |memory| Tournament::restore(settings.clone(), memory, 2).is_err();
        assert!(refused(Memory { results: vec![(99, 0, 1, 1)], ..memory.clone() }));
        assert!(refused(Memory { results: vec![(0, 0, 3, 1)], ..memory.clone() }));
        assert!(refused(Memory { results: vec![(0, 0, 2, 3)], ..memory.clone() }));
        assert!(refused(Memory { chromosomes: vec!["x".into()], ..memory }));
    }
}
