//! Which players meet from which openings, and the games that come of it.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::batch::{Batch, Contender, Meeting};
use super::game::{Effort, End};
use super::games::{Games, GamesError};
use super::local::{LocalGames, play_teams};
use super::openings::Openings;
use super::outcome::Outcome;
use super::team::Team;
use crate::player::PlayableGame;
use mancala::game::ayo::Ayo;
use mancala::game::{Settlement, Side};
use mancala::progress::{Part, Progress};

/// Players that meet in pairings, from every opening twice, with colours swapped.
///
/// The games of a pairing follow each other: its games `2i` and `2i + 1` are the pair of opening `i`,
/// and the pairing's first player moves first in the even one.
pub struct Contest<'a, G: PlayableGame = Ayo> {
    /// The players.
    pub teams: &'a [Team<G>],
    /// The players that meet, first and second, by number.
    pub pairings: Vec<[usize; 2]>,
    /// The game and its rules.
    pub game: G,
    /// What they begin from.
    pub openings: &'a Openings<G::Position>,
}

/// One finished game of a contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Its number in the contest, from 0.
    pub index: usize,
    /// The number of its pairing.
    pub pairing: usize,
    /// What it began from.
    pub opening: String,
    /// The side that moved first.
    pub mover: Side,
    /// The moves.
    pub line: String,
    /// How it ended.
    pub end: End,
    /// What it came to.
    pub settlement: Settlement,
    /// What the first and the second player of the pairing spent.
    pub effort: [Effort; 2],
}

impl Finished {
    /// The side that the pairing's first player played.
    pub fn side_of_first(&self) -> Side {
        if self.index.is_multiple_of(2) { self.mover } else { self.mover.other() }
    }

    /// Final stores of the first and the second player.
    pub fn stores(&self) -> [u16; 2] {
        let side = self.side_of_first();
        [side, side.other()].map(|side| self.settlement.stores[side.index()])
    }
}

/// How many different games there are among some.
pub fn distinct_games(games: &[Finished]) -> usize {
    games
        .iter()
        .map(|game| (game.opening.as_str(), game.line.as_str()))
        .collect::<HashSet<_>>()
        .len()
}

impl<G: PlayableGame> Contest<'_, G> {
    /// Games in the contest.
    pub fn len(&self) -> usize {
        self.pairings.len() * self.games_of_pairing()
    }

    /// Games of one pairing, an even number.
    pub fn games_of_pairing(&self) -> usize {
        2 * self.openings.positions().len()
    }

    /// What a game begins from.
    pub fn opening(&self, index: usize) -> G::Position {
        self.openings.positions()[index % self.games_of_pairing() / 2]
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Games in this process, for which the teams of the contest lend their players.
    pub fn local_games(&self) -> LocalGames {
        LocalGames::new().lending(self.teams, self.game)
    }

    /// Plays the games from number `from` on and tells `follow` of each in the order of their numbers,
    /// whatever was played at a time. Ends when all are played, the follower breaks off, or the progress
    /// stops it. Programs of their own play on the threads of the current rayon pool, whatever `games`
    /// are, since no batch holds them.
    ///
    /// # Errors
    /// The follower's, or if a player cannot be had where the games are played.
    pub fn play<E: From<GamesError> + Send>(
        &self,
        from: usize,
        games: &dyn Games,
        progress: &dyn Progress,
        follow: &mut (dyn FnMut(Finished) -> Result<ControlFlow<()>, E> + Send),
    ) -> Result<(), E> {
        let mut index = from;
        let mut failed = None;
        let mut tell = |outcome| {
            let game = self.finished(index, outcome);
            index += 1;
            follow(game).unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        };
        let progress = Part { whole: progress, before: from as u64, of: self.len() as u64 };
        let meetings = self.meetings().split_off(from);
        let (game, openings) = (self.game, self.openings);
        if self.teams.iter().any(Team::is_external) {
            let openings = openings.positions();
            play_teams(game, self.teams, openings, &meetings, &progress, &mut tell)
                .map_err(GamesError::from)?;
        } else {
            let players = self.teams.iter().map(Contender::from).collect();
            let batch = Batch::new(game.into(), players, openings.notation(), meetings);
            games.play(&batch.expect("teams of the game"), &progress, &mut tell)?;
        }
        failed.map_or(Ok(()), Err)
    }

    fn meetings(&self) -> Vec<Meeting> {
        let pairings: Vec<[u32; 2]> =
            self.pairings.iter().map(|it| it.map(|player| player as u32)).collect();
        Meeting::all(&pairings, self.openings.positions().len() as u32)
    }

    /// The game of this number.
    fn finished(&self, index: usize, outcome: Outcome) -> Finished {
        let opening = self.opening(index);
        let mover = self.game.to_move(&opening);
        let Outcome { result, stores: [first, second], line, end, effort: [one, other] } = outcome;
        let stores = if mover == Side::South { [first, second] } else { [second, first] };
        Finished {
            index,
            pairing: index / self.games_of_pairing(),
            opening: opening.to_string(),
            mover,
            line,
            end,
            settlement: Settlement { stores, verdict: result.verdict(mover) },
            effort: if index.is_multiple_of(2) { [one, other] } else { [other, one] },
        }
    }
}

impl<G: PlayableGame> From<&Team<G>> for Contender {
    fn from(team: &Team<G>) -> Contender {
        Contender::Spec { spec: team.spec().into(), fingerprint: team.fingerprint() }
    }
}
