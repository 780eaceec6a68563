//! Tournament fitness: every member plays the same opponents from the same openings.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::optimise::fitness::{Control, Evaluation, Fitness};
use crate::optimise::genetic::breeding::sparring_partner;
use crate::optimise::genetic::table::{Meeting, Outcome, Table, table};
use crate::optimise::genome::{Chromosome, ChromosomeError};
use crate::run::settings::{Beginnings, Settings, ranking};
use mancala::random::{Purpose, stream};

/// Everybody's opponents are a fitness set of members drawn without replacement, themselves included
/// (Daoud et al. 2004), champions of the past from a hall of fame (Rosin and Belew 1997), and mutants of
/// such champions, who differ more from everybody than their like do. They are
/// met from every opening of the generation once moving first and once second: two points for a win,
/// one for a draw.
///
/// Players are deterministic, so two chromosomes that met before from the same opening would repeat
/// their game: its result is remembered instead. That changes no fitness, only how many games are
/// played.
#[derive(Debug, Clone)]
pub struct Tournament {
    settings: Settings,
    /// Champions of past generations, a bounded number of them, oldest first.
    hall: Vec<Champion>,
    /// Points of the one who moves first from the start position, by (first, second). Openings that
    /// are new in every generation leave nothing to remember.
    results: FxHashMap<(Chromosome, Chromosome), Remembered>,
    /// Plays the games.
    table: Box<dyn Table>,
}

/// The champion of a generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Champion {
    /// The generation.
    pub generation: u32,
    /// Its chromosome.
    pub chromosome: Chromosome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Remembered {
    points: u8,
    /// The generation that last asked for it.
    generation: u32,
}

/// Everybody who plays in a generation.
struct Field {
    /// Members, then champions of the past and mutants of them.
    players: Vec<Chromosome>,
    /// For each player the first one who is equal.
    likes: Vec<usize>,
    /// Those whom every member meets.
    opponents: Vec<usize>,
}

/// Champions that the hall of fame keeps.
const MOST_CHAMPIONS: usize = 256;
/// Pairings that are remembered from one generation to the next.
const MOST_PAIRINGS: usize = 1 << 18;

impl Tournament {
    /// A tournament that remembers nothing yet.
    pub fn new(settings: Settings) -> Self {
        let table = table(&settings);
        Tournament { settings, hall: Vec::new(), results: FxHashMap::default(), table }
    }

    /// A tournament that remembers nothing but these champions.
    pub(crate) fn with_hall(settings: Settings, hall: Vec<Champion>) -> Self {
        Tournament { hall, ..Tournament::new(settings) }
    }

    /// The hall of fame, oldest first.
    pub fn hall(&self) -> &[Champion] {
        &self.hall
    }

    fn field(&self, generation: u32, members: &[Chromosome]) -> Field {
        let set = Purpose::FitnessSet;
        let mut opponents =
            self.draw(set, generation, members.len(), self.settings.fitness_set_size());
        let size = (self.settings.hall_of_fame as usize).min(self.hall.len());
        let champions = self.draw(Purpose::HallOfFame, generation, self.hall.len(), size);
        let champions = champions.into_iter().map(|index| self.hall[index].chromosome.clone());
        let partners = self.sparring_partners(generation, members);
        let guests = champions.chain(partners);
        let players: Vec<Chromosome> = members.iter().cloned().chain(guests).collect();
        opponents.extend(members.len()..players.len());
        let mut firsts = FxHashMap::default();
        let likes = players.iter().enumerate();
        let likes = likes.map(|(index, player)| *firsts.entry(player).or_insert(index)).collect();
        Field { likes, players, opponents }
    }

    /// Mutants of champions, drawn from all of the past so that few are close to anybody who evolves;
    /// of members, as long as there are no champions.
    fn sparring_partners(&self, generation: u32, members: &[Chromosome]) -> Vec<Chromosome> {
        let partner = |index: u64| {
            let purpose = Purpose::Sparring;
            let mut dice = stream(self.settings.seed, purpose, generation.into(), index);
            let of = match self.hall.len() as u32 {
                0 => &members[dice.random_range(0..members.len() as u32) as usize],
                champions => &self.hall[dice.random_range(0..champions) as usize].chromosome,
            };
            sparring_partner(&self.settings, of, &mut dice)
        };
        (0..self.settings.sparring.into()).map(partner).collect()
    }

    /// So many of the first numbers, without replacement, in the order drawn.
    fn draw(&self, purpose: Purpose, generation: u32, of: usize, size: usize) -> Vec<usize> {
        let mut dice = stream(self.settings.seed, purpose, generation.into(), 0);
        let mut indices: Vec<usize> = (0..of).collect();
        for drawn in 0..size {
            let other = dice.random_range(drawn as u32..of as u32);
            indices.swap(drawn, other as usize);
        }
        indices.truncate(size);
        indices
    }

    /// Plays the games that are neither remembered nor asked for twice. What each of the others came
    /// to is in `known` afterwards.
    fn play(
        &self,
        field: &Field,
        asked: &[Meeting],
        known: &mut FxHashMap<Meeting, u8>,
        control: &dyn Control,
    ) -> Option<Vec<Outcome>> {
        let mut unknown = Vec::new();
        for &meeting in asked {
            if let std::collections::hash_map::Entry::Vacant(entry) = known.entry(meeting) {
                match self.results.get(&field.pairing(meeting)) {
                    Some(remembered) => entry.insert(remembered.points),
                    // To be overwritten below; marks it as asked for.
                    None => {
                        unknown.push(meeting);
                        entry.insert(0)
                    }
                };
            }
        }
        let outcomes = self.table.play(&field.players, &unknown, control);
        for (meeting, outcome) in unknown.iter().zip(outcomes.iter().flatten()) {
            known.insert(*meeting, outcome.points);
        }
        outcomes
    }

    fn remember(&mut self, generation: u32, field: &Field, known: FxHashMap<Meeting, u8>) {
        if self.settings.openings != Beginnings::Start {
            return;
        }
        for (meeting, points) in known {
            self.results.insert(field.pairing(meeting), Remembered { points, generation });
        }
        self.forget(generation);
    }

    /// Bounds what is remembered: pairings that were not asked for in the last generations go, and
    /// the longest unasked of those that are too many.
    fn forget(&mut self, generation: u32) {
        let mut oldest = (generation + 1).saturating_sub(self.settings.pairing_memory);
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
    pub(crate) fn honour(&mut self, generation: u32, champion: &Chromosome) {
        let settings = &self.settings;
        if settings.hall_of_fame + settings.sparring + settings.finalist_games == 0 {
            return;
        }
        if self.hall.len() == MOST_CHAMPIONS {
            // The stream that drew this generation's opponents: it is the first of them who leaves, still
            // uniformly drawn. Another stream would change runs.
            let out = self.draw(Purpose::HallOfFame, generation, MOST_CHAMPIONS, 1);
            self.hall.remove(out[0]);
        }
        self.hall.push(Champion { generation, chromosome: champion.clone() });
    }
}

impl Field {
    /// All games of some members from some openings, a member's two with each opponent together.
    fn meetings(&self, members: &[usize], openings: std::ops::Range<usize>) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        for &member in members {
            for &opponent in &self.opponents {
                for opening in openings.clone() {
                    let (one, other) = (self.likes[member], self.likes[opponent]);
                    meetings.push(Meeting { first: one, second: other, opening });
                    meetings.push(Meeting { first: other, second: one, opening });
                }
            }
        }
        meetings
    }

    fn pairing(&self, meeting: Meeting) -> (Chromosome, Chromosome) {
        (self.players[meeting.first].clone(), self.players[meeting.second].clone())
    }
}

impl Fitness for Tournament {
    fn evaluate(
        &mut self,
        generation: u32,
        members: &[Chromosome],
        control: &dyn Control,
    ) -> Option<Evaluation> {
        let field = self.field(generation, members);
        self.table.lay(generation, &field.players);
        let openings = self.table.openings();
        let mut known = FxHashMap::default();
        let mut fitness = vec![0; members.len()];
        let (mut games_asked, mut games_played, mut nodes) = (0, 0, 0);
        let mut racing: Vec<usize> = (0..members.len()).collect();
        let rounds = (self.settings.rounds as usize).min(openings);
        for round in 0..rounds {
            let share = |round: usize| openings * round / rounds;
            let asked = field.meetings(&racing, share(round)..share(round + 1));
            let outcomes = self.play(&field, &asked, &mut known, control)?;
            let of_member = asked.len() / racing.len();
            for (&member, meetings) in racing.iter().zip(asked.chunks(of_member)) {
                fitness[member] += meetings
                    .chunks(2)
                    .map(|both| u64::from(known[&both[0]]) + 2 - u64::from(known[&both[1]]))
                    .sum::<u64>();
            }
            games_asked += asked.len() as u64;
            games_played += outcomes.len() as u64;
            nodes += outcomes.iter().map(|outcome| outcome.nodes).sum::<u64>();
            let best = ranking(&fitness);
            racing.sort_by_key(|member| best.iter().position(|other| other == member));
            racing.truncate(racing.len().div_ceil(2));
            racing.sort();
        }
        self.remember(generation, &field, known);
        Some(Evaluation { fitness, games_asked, games_played, nodes })
    }
}

/// What a tournament remembers, as a checkpoint keeps it: the chromosomes that occur; for every game
/// the indices of both, the points of the first, and the generation that last asked for it; the hall of
/// fame as generations and chromosomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    chromosomes: Vec<String>,
    results: Vec<(u32, u32, u8, u32)>,
    hall: Vec<(u32, String)>,
}

/// A memory that no tournament wrote.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MemoryError {
    #[error(transparent)]
    Chromosome(#[from] ChromosomeError),
    #[error("a remembered game names a chromosome that is not there")]
    Index,
    #[error("a remembered game has {0} points")]
    Points(u8),
    #[error("a remembered game or champion is of generation {0}, which has not been yet")]
    Generation(u32),
    #[error("a hall of fame of {0} champions is too large")]
    Hall(usize),
}

impl Tournament {
    pub(crate) fn memory(&self) -> Memory {
        let both = self.results.keys().flat_map(|(first, second)| [first, second]);
        let distinct: BTreeSet<&Chromosome> = both.collect();
        let place: FxHashMap<_, u32> = distinct.iter().copied().zip(0..).collect();
        let results = self.results.iter().map(|((first, second), result)| {
            (place[first], place[second], result.points, result.generation)
        });
        let mut results: Vec<_> = results.collect();
        results.sort_unstable();
        let champion = |champion: &Champion| (champion.generation, champion.chromosome.to_hex());
        Memory {
            chromosomes: distinct.iter().map(|c| c.to_hex()).collect(),
            results,
            hall: self.hall.iter().map(champion).collect(),
        }
    }

    /// The tournament that had this memory after `generation`.
    pub(crate) fn restore(
        settings: Settings,
        memory: Memory,
        generation: u32,
    ) -> Result<Self, MemoryError> {
        let bits = settings.chromosome_bits();
        let read = |hex: &String| Chromosome::from_hex(hex, bits);
        let chromosomes: Vec<_> = memory.chromosomes.iter().map(read).collect::<Result<_, _>>()?;
        let at = |index: u32| chromosomes.get(index as usize).ok_or(MemoryError::Index);
        let has_been = |of: u32| {
            if of > generation { Err(MemoryError::Generation(of)) } else { Ok(of) }
        };
        let mut tournament = Tournament::new(settings);
        for (first, second, points, asked) in memory.results {
            if points > 2 {
                return Err(MemoryError::Points(points));
            }
            let key = (at(first)?.clone(), at(second)?.clone());
            let remembered = Remembered { points, generation: has_been(asked)? };
            tournament.results.insert(key, remembered);
        }
        if memory.hall.len() > MOST_CHAMPIONS {
            return Err(MemoryError::Hall(memory.hall.len()));
        }
        for (of, hex) in &memory.hall {
            let (generation, chromosome) = (has_been(*of)?, read(hex)?);
            tournament.hall.push(Champion { generation, chromosome });
        }
        Ok(tournament)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Draft, first_population};
    use mancala::game::ayo::{Ayo, Position};

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
        let set = |generation| tournament.draw(Purpose::FitnessSet, generation, 50, 50);
        let mut all = set(3);
        assert_ne!(all, set(4));
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

    fn varied(changes: &[(&str, &str)]) -> Settings {
        let varied =
            [("population", "8"), ("fitness_set", "2"), ("openings", "random:4,plies=5-9")];
        settings(&[&varied, changes].concat())
    }

    #[test]
    fn openings_are_common_to_a_generation_and_new_in_the_next() {
        let tournament = Tournament::new(varied(&[]));
        let measured: std::collections::HashSet<Position> = {
            let suite: crate::arena::Suite = "plies:4".parse().unwrap();
            suite.openings(Ayo::default()).unwrap().positions().iter().copied().collect()
        };
        let mut all = std::collections::HashSet::new();
        for generation in 1..200 {
            let drawn = || {
                let Settings { openings, seed, .. } = &tournament.settings;
                openings.draw(Ayo::default(), *seed, generation)
            };
            let openings = drawn();
            assert_eq!(openings, drawn());
            assert_eq!(openings.len(), 4);
            assert!(openings.iter().all(|opening| !measured.contains(opening)));
            all.extend(openings);
        }
        assert!(all.len() > 700, "{}", all.len());
    }

    #[test]
    fn champions_of_the_past_are_met_once_there_are_some() {
        let settings = varied(&[("hall_of_fame", "3"), ("fitness_set", "1")]);
        let members = first_population(&settings);
        let mut tournament = Tournament::new(settings);
        for (generation, opponents) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 4)] {
            let evaluation = tournament.evaluate(generation, &members, &()).unwrap();
            assert_eq!(evaluation.games_asked, 8 * opponents * 4 * 2);
            tournament.honour(generation, &members[generation as usize]);
        }
        for generation in 6..400 {
            tournament.honour(generation, &members[0]);
        }
        assert_eq!(tournament.hall().len(), MOST_CHAMPIONS);
        assert_eq!(tournament.hall()[MOST_CHAMPIONS - 1].generation, 399);
        let restored =
            Tournament::restore(tournament.settings.clone(), tournament.memory(), 399).unwrap();
        assert_eq!(restored.hall, tournament.hall);
        assert!(Tournament::restore(restored.settings, tournament.memory(), 398).is_err());
    }

    #[test]
    fn sparring_partners_are_new_in_every_generation() {
        let settings =
            varied(&[("sparring", "3"), ("fitness_set", "0"), ("encoding", "integer:9")]);
        let members = first_population(&settings);
        let mut tournament = Tournament::new(settings);
        let first = tournament.sparring_partners(1, &members);
        assert_eq!(first, tournament.sparring_partners(1, &members));
        assert!(first.iter().all(|partner| !members.contains(partner)));
        assert_ne!(first, tournament.sparring_partners(2, &members));
        tournament.honour(1, &members[0]);
        assert_ne!(first, tournament.sparring_partners(1, &members));
        let evaluation = tournament.evaluate(2, &members, &()).unwrap();
        assert_eq!(evaluation.games_asked, 8 * 3 * 4 * 2);
    }

    #[test]
    fn a_race_spares_games_and_keeps_its_winner() {
        let whole = varied(&[]);
        let members = first_population(&whole);
        let all = Tournament::new(whole).evaluate(1, &members, &()).unwrap();
        let raced = Tournament::new(varied(&[("rounds", "2")])).evaluate(1, &members, &()).unwrap();
        assert_eq!((all.games_asked, raced.games_asked), (8 * 2 * 4 * 2, (8 + 4) * 2 * 2 * 2));
        let complete = all.fitness.iter().zip(&raced.fitness).filter(|(a, b)| a == b).count();
        assert!(complete >= 4);
        assert!(all.fitness.iter().zip(&raced.fitness).all(|(a, b)| b <= a));
    }
}
