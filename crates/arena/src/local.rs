//! Games on this machine.
//!
//! Architecture invariant: this is the only place where games are shared out over threads.

mod fan_out;
mod move_cache;
mod seat;

pub use fan_out::{fan_out, gather, gather_all};
pub use move_cache::{CachedPlayer, MoveCache};

use std::any::Any;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::{Batch, Contender, Meeting};
use super::games::{Follow, Games, GamesError, Seated};
use super::outcome::Outcome;
use super::team::{NoCopy, Team};
use crate::player::{Minimax, PlayableGame};
use mancala::game::{AnyGame, with_game};
use mancala::progress::Progress;
use seat::Seat;

/// Moves that are recalled, all players of a batch together.
const MOST_MOVES: usize = 1 << 20;

/// Plays games in this process, on the threads of the current rayon pool.
#[derive(Default)]
pub struct LocalGames {
    cache: Cache,
    /// What is kept from one batch to the next, for the game of the last one.
    kept: Mutex<Option<Kept>>,
}

/// Whether players recall their moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Cache {
    #[default]
    Off,
    On,
}

/// A game, and the [`Players`] of it.
struct Kept {
    game: AnyGame,
    players: Box<dyn Any + Send>,
}

/// What is kept of players from one batch to the next.
struct Players<G: PlayableGame> {
    /// The moves of the players of the last batch. They save searches and change nothing else.
    moves: FxHashMap<Contender, MoveCache<G>>,
    /// By specification.
    teams: FxHashMap<String, Team<G>>,
}

impl<G: PlayableGame> Default for Players<G> {
    fn default() -> Self {
        Players { moves: FxHashMap::default(), teams: FxHashMap::default() }
    }
}

impl LocalGames {
    /// Games of players that search every position.
    pub fn new() -> LocalGames {
        LocalGames::default()
    }

    /// Games of players that recall the moves that they chose before, in this batch and in those before
    /// it. The moves of a player that does not occur in a batch are forgotten.
    pub fn with_move_cache() -> LocalGames {
        LocalGames { cache: Cache::On, ..LocalGames::default() }
    }

    /// The same games, for which these teams of a game lend their copies where the next batch names their
    /// specifications.
    #[must_use]
    pub fn lending<G: PlayableGame>(self, teams: &[Team<G>], game: G) -> LocalGames {
        let teams = teams.iter().map(|team| (team.spec().to_owned(), team.clone())).collect();
        let players: Box<dyn Any + Send> = Box::new(Players { teams, ..Players::default() });
        LocalGames { kept: Mutex::new(Some(Kept { game: game.into(), players })), ..self }
    }

    /// Seats the players of a batch once, for any games between them, on any thread.
    ///
    /// # Errors
    /// If one of them cannot be had.
    pub fn seat(&self, batch: &Batch) -> Result<Box<dyn Seated>, GamesError> {
        fn boxed<G: PlayableGame>(
            local: &LocalGames,
            game: G,
            batch: &Batch,
        ) -> Result<Box<dyn Seated>, GamesError> {
            let openings = batch.positions(game).expect("a batch is checked");
            Ok(Box::new(Table { game, seats: local.seats(game, batch)?, openings }))
        }
        with_game!(batch.game(), game => boxed(self, game, batch))
    }

    fn kept(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn play_in<G: PlayableGame>(
        &self,
        game: G,
        batch: &Batch,
        progress: &dyn Progress,
        follow: &mut Follow,
    ) -> Result<(), GamesError> {
        let openings = batch.positions(game).expect("a batch is checked");
        let seats = self.seats(game, batch)?;
        play_meetings(game, &seats, &openings, batch.meetings(), progress, follow)?;
        Ok(())
    }

    /// The players of a batch.
    fn seats<G: PlayableGame>(&self, game: G, batch: &Batch) -> Result<Vec<Seat<G>>, GamesError> {
        let mut kept = self.kept();
        let before = kept.take().filter(|kept| kept.game == batch.game());
        let before = before.and_then(|kept| kept.players.downcast::<Players<G>>().ok());
        let mut players = before.map_or_else(Players::default, |players| *players);
        let contenders = batch.players();
        players.forget_all_but(contenders);
        let most = match self.cache {
            Cache::On => Some(MOST_MOVES / contenders.len().max(1)),
            Cache::Off => None,
        };
        let seats = contenders.iter().map(|it| players.seat(game, it, most)).collect();
        *kept = Some(Kept { game: batch.game(), players: Box::new(players) });
        seats
    }
}

impl<G: PlayableGame> Players<G> {
    /// Forgets what is kept of all other players than these.
    fn forget_all_but(&mut self, contenders: &[Contender]) {
        let stay: FxHashSet<&Contender> = contenders.iter().collect();
        self.moves.retain(|contender, _| stay.contains(contender));
        self.teams.retain(|team, _| {
            let is_it =
                |it: &&Contender| matches!(it, Contender::Spec { spec, .. } if spec == team);
            stay.iter().any(is_it)
        });
    }

    /// A player that recalls at most so many moves; none without a number.
    fn seat(
        &mut self,
        game: G,
        contender: &Contender,
        most: Option<usize>,
    ) -> Result<Seat<G>, GamesError> {
        let moves = most.map(|most| {
            let moves = self.moves.entry(contender.clone());
            moves.or_insert_with(|| MoveCache::at_most(most)).clone()
        });
        match contender {
            Contender::Weights { weights, limits, options } => {
                let weights = weights.weights();
                Ok(Seat::of_minimax(Minimax::new(&weights, *limits, *options), moves))
            }
            Contender::Spec { spec, fingerprint } => {
                Ok(Seat::of_team(self.team(game, spec, fingerprint)?, moves))
            }
        }
    }

    /// The team of a specification that must stand for this player.
    fn team(&mut self, game: G, spec: &str, fingerprint: &str) -> Result<Team<G>, GamesError> {
        let team = match self.teams.get(spec) {
            Some(team) => team.clone(),
            None => Team::new(spec, game).map_err(|error| {
                let (spec, error) = (spec.into(), Box::new(error));
                GamesError::Player { spec, error }
            })?,
        };
        if team.fingerprint() != fingerprint {
            let found = team.identity().into();
            return Err(GamesError::OtherPlayer { spec: spec.into(), found });
        }
        self.teams.insert(spec.into(), team.clone());
        Ok(team)
    }
}

/// Players in their seats, and what they begin from.
struct Table<G: PlayableGame> {
    game: G,
    seats: Vec<Seat<G>>,
    openings: Vec<G::Position>,
}

impl<G: PlayableGame> Seated for Table<G> {
    fn meet(
        &self,
        meeting: Meeting,
        progress: &dyn Progress,
    ) -> Result<Option<Outcome>, GamesError> {
        let Meeting { first, second, opening } = meeting;
        let players = [first, second].map(|player| &self.seats[player as usize]);
        Ok(seat::play(self.game, self.openings[opening as usize], players, progress)?)
    }

    fn reproducible(&self) -> bool {
        self.seats.iter().all(Seat::reproducible)
    }
}

impl Games for LocalGames {
    fn play(
        &self,
        batch: &Batch,
        progress: &dyn Progress,
        follow: &mut Follow,
    ) -> Result<(), GamesError> {
        with_game!(batch.game(), game => self.play_in(game, batch, progress, follow))
    }
}

impl fmt::Debug for LocalGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalGames").field("cache", &self.cache).finish_non_exhaustive()
    }
}

/// Plays the games of some teams, which may be programs of their own, as a batch of them would be played.
pub(super) fn play_teams<G: PlayableGame>(
    game: G,
    teams: &[Team<G>],
    openings: &[G::Position],
    meetings: &[Meeting],
    progress: &dyn Progress,
    follow: &mut Follow,
) -> Result<(), NoCopy> {
    let seats: Vec<Seat<G>> = teams.iter().map(|it| Seat::of_team(it.clone(), None)).collect();
    play_meetings(game, &seats, openings, meetings, progress, follow)
}

fn play_meetings<G: PlayableGame>(
    game: G,
    seats: &[Seat<G>],
    openings: &[G::Position],
    meetings: &[Meeting],
    progress: &dyn Progress,
    follow: &mut Follow,
) -> Result<(), NoCopy> {
    let meet = |index: usize, progress: &dyn Progress| -> Result<Option<Outcome>, NoCopy> {
        let Meeting { first, second, opening } = meetings[index];
        let players = [first, second].map(|player| &seats[player as usize]);
        seat::play(game, openings[opening as usize], players, progress)
    };
    fan_out(meetings.len(), progress, meet, follow)
}

#[cfg(test)]
mod tests;
