//! What plays in a generation, and the games of it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::arena::Meeting;
use crate::optimise::genome::Chromosome;

/// All that play in a generation.
#[derive(Debug)]
pub(super) struct Field {
    /// Members, then champions of the past and mutants of them.
    pub(super) players: Vec<Chromosome>,
    /// For each player the first one that is equal.
    likes: Vec<usize>,
    /// Those that every member meets: from all openings, or from each opening other ones.
    opponents: Vec<Vec<usize>>,
}

/// Players that members meet.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// Some of the members, by number.
    pub(super) members: Vec<usize>,
    /// Others.
    pub(super) guests: Vec<Chromosome>,
}

impl Field {
    /// Some members, and whom they meet: from all openings, or from each opening others.
    pub(super) fn new(members: &[Chromosome], met: Vec<Met>) -> Field {
        let mut players = members.to_vec();
        let number = |Met { members: mut opponents, guests }: Met| {
            opponents.extend(players.len()..players.len() + guests.len());
            players.extend(guests);
            opponents
        };
        let opponents = met.into_iter().map(number).collect();
        let mut firsts = FxHashMap::default();
        let likes = players.iter().enumerate();
        let likes = likes.map(|(index, player)| *firsts.entry(player).or_insert(index)).collect();
        Field { likes, players, opponents }
    }

    /// All games of some members from some openings, a member's two with each opponent together.
    pub(super) fn meetings(&self, members: &[usize], openings: Range<usize>) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        let mut meet = |member: usize, opponent: usize, opening: usize| {
            let [one, other] = [member, opponent].map(|it| self.likes[it] as u32);
            meetings.extend(Meeting::pair(one, other, opening as u32));
        };
        for &member in members {
            match self.opponents.as_slice() {
                [of_all] => of_all.iter().for_each(|&opponent| {
                    openings.clone().for_each(|opening| meet(member, opponent, opening));
                }),
                by_opening => openings.clone().for_each(|opening| {
                    by_opening[opening].iter().for_each(|&it| meet(member, it, opening));
                }),
            }
        }
        meetings
    }

    /// Those that meet.
    pub(super) fn pairing(&self, meeting: Meeting) -> (Chromosome, Chromosome) {
        let player = |number: u32| self.players[number as usize].clone();
        (player(meeting.first), player(meeting.second))
    }
}
