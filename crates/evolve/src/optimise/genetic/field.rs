//! What plays in a generation, and the games of it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::optimise::genome::Chromosome;
use arena::Meeting;

/// All that play in a generation.
#[derive(Debug)]
pub(super) struct Field {
    /// Members, then champions of the past and mutants of them.
    pub(super) players: Vec<Chromosome>,
    /// For each player the first one that is equal.
    likes: Vec<usize>,
    /// Opponents of every member. Numbers after those of the players are of players outside the population.
    opponents: Vec<usize>,
}

impl Field {
    /// A field of members, guests and a number of players outside the population. Each member meets the members with the
    /// numbers `opponents`, all guests and all outsiders.
    pub(super) fn new(
        members: &[Chromosome],
        guests: impl Iterator<Item = Chromosome>,
        mut opponents: Vec<usize>,
        outsiders: usize,
    ) -> Field {
        let players: Vec<Chromosome> = members.iter().cloned().chain(guests).collect();
        opponents.extend(members.len()..players.len() + outsiders);
        let mut firsts = FxHashMap::default();
        let likes = players.iter().enumerate();
        let likes = likes.map(|(index, player)| *firsts.entry(player).or_insert(index)).collect();
        Field { likes, players, opponents }
    }

    /// All games of some members from some openings, a member's two with each opponent together.
    pub(super) fn meetings(&self, members: &[usize], openings: Range<usize>) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        for &member in members {
            for &opponent in &self.opponents {
                let like = |it: usize| self.likes.get(it).map_or(it, |&like| like) as u32;
                let [one, other] = [member, opponent].map(like);
                for opening in openings.clone() {
                    meetings.extend(Meeting::pair(one, other, opening as u32));
                }
            }
        }
        meetings
    }

    /// The two players of a meeting, if both belong to the population.
    pub(super) fn pairing(&self, meeting: Meeting) -> Option<(Chromosome, Chromosome)> {
        let player = |number: u32| self.players.get(number as usize).cloned();
        Some((player(meeting.first)?, player(meeting.second)?))
    }
}
