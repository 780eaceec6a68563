//! The games of a generation: rounds, after each of which the lower half of the members plays no more.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::evaluation::Evaluation;
use super::field::Field;
use super::settings::Setup;
use super::tournament::Tournament;
use crate::optimise::genome::Chromosome;
use crate::optimise::step::ranking;
use arena::{Batch, Contender, Meeting, Outcome};
use mancala::game::{Notated, with_game};

/// The games of a generation under way.
#[derive(Debug)]
pub(super) struct Race {
    generation: u32,
    field: Field,
    rounds: usize,
    /// The game, the players and the openings, without a meeting.
    table: Batch,
    /// Members that are left.
    racing: Vec<usize>,
    fitness: Vec<u64>,
    /// Rounds that have begun.
    begun: usize,
    /// The meetings of the round.
    asked: Vec<Meeting>,
    /// Those of them whose result is not known, in the order of their outcomes.
    unknown: Vec<Meeting>,
    /// Points of the first player of a meeting.
    known: FxHashMap<Meeting, u8>,
    games_asked: u64,
    games_played: u64,
}

impl Race {
    pub(super) fn new(tournament: &Tournament, generation: u32, members: &[Chromosome]) -> Race {
        let (setup, field) = (tournament.setup(), tournament.field(generation, members));
        let table = table(setup, generation, &field);
        Race {
            generation,
            rounds: (setup.own.rounds as usize).min(table.openings().len()),
            racing: (0..members.len()).collect(),
            fitness: vec![0; members.len()],
            field,
            table,
            begun: 0,
            asked: Vec::new(),
            unknown: Vec::new(),
            known: FxHashMap::default(),
            games_asked: 0,
            games_played: 0,
        }
    }

    /// The games to be played next; none once all rounds are over.
    pub(super) fn ask(&mut self, tournament: &Tournament) -> Option<Batch> {
        while self.begun < self.rounds {
            self.begin_round(tournament);
            if !self.unknown.is_empty() {
                let batch = self.table.with_meetings(self.unknown.clone());
                return Some(batch.expect("meetings of the field"));
            }
            self.end_round();
        }
        None
    }

    /// How the games ended that were asked for.
    pub(super) fn tell(&mut self, outcomes: &[Outcome]) {
        for (meeting, outcome) in self.unknown.iter().zip(outcomes) {
            self.known.insert(*meeting, outcome.result.points());
        }
        self.games_played += outcomes.len() as u64;
        self.end_round();
    }

    /// Asks for games that are neither remembered nor asked for twice.
    fn begin_round(&mut self, tournament: &Tournament) {
        let openings = self.table.openings().len();
        let share = |round: usize| openings * round / self.rounds;
        let of_round = share(self.begun)..share(self.begun + 1);
        self.asked = self.field.meetings(&self.racing, of_round);
        self.unknown.clear();
        self.begun += 1;
        for &meeting in &self.asked {
            if let Entry::Vacant(entry) = self.known.entry(meeting) {
                let pairing = self.field.pairing(meeting);
                match pairing.and_then(|pairing| tournament.known(pairing)) {
                    Some(points) => entry.insert(points),
                    // To be overwritten; marks it as asked for.
                    None => {
                        self.unknown.push(meeting);
                        entry.insert(0)
                    }
                };
            }
        }
    }

    fn end_round(&mut self) {
        let of_member = self.asked.len() / self.racing.len();
        for (&member, meetings) in self.racing.iter().zip(self.asked.chunks(of_member.max(1))) {
            let points = |both: &[Meeting]| {
                u64::from(self.known[&both[0]]) + 2 - u64::from(self.known[&both[1]])
            };
            self.fitness[member] += meetings.chunks(2).map(points).sum::<u64>();
        }
        self.games_asked += self.asked.len() as u64;
        let best = ranking(&self.fitness);
        self.racing.sort_by_key(|member| best.iter().position(|other| other == member));
        self.racing.truncate(self.racing.len().div_ceil(2));
        self.racing.sort();
    }

    /// What the games came to, which the tournament remembers.
    pub(super) fn finish(self, tournament: &mut Tournament) -> Evaluation {
        let Race { fitness, games_asked, games_played, .. } = self;
        tournament.remember(self.generation, &self.field, self.known);
        Evaluation { fitness, games_asked, games_played }
    }
}

/// The game, the players and the openings of a generation, without a meeting.
fn table(setup: &Setup, generation: u32, field: &Field) -> Batch {
    fn drawn<G: Notated>(game: G, setup: &Setup, generation: u32) -> Vec<String> {
        let openings = setup.own.openings.draw(game, setup.task.seed, generation);
        openings.iter().map(ToString::to_string).collect()
    }
    let task = &setup.task;
    let openings = with_game!(task.game, game => drawn(game, setup, generation));
    let coding = setup.coding();
    let player = |member: &Chromosome| coding.contender(member, setup.limits_of(generation));
    let population = field.players.iter().map(player);
    let players: Vec<Contender> = population.chain(setup.own.opponents.contenders()).collect();
    Batch::new(task.game, players, openings, Vec::new()).expect("a field of the game")
}
