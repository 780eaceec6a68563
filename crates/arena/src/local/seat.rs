//! A player of a batch, ready to play several games at a time.

use super::super::game::{play_game, play_unclocked};
use super::super::outcome::Outcome;
use super::super::team::{NoCopy, Team};
use super::move_cache::{CachedPlayer, MoveCache};
use crate::player::{Minimax, PlayableGame, Player};
use mancala::game::{Record, Side};
use mancala::progress::Progress;

/// A player, and the moves that it recalls.
pub(crate) struct Seat<G: PlayableGame> {
    source: Source<G>,
    cache: Option<MoveCache<G>>,
}

/// Where copies of a player come from.
enum Source<G: PlayableGame> {
    Minimax(Minimax<G>),
    Team(Team<G>),
}

impl<G: PlayableGame> Seat<G> {
    /// A searching player.
    pub(super) fn of_minimax(player: Minimax<G>, cache: Option<MoveCache<G>>) -> Self {
        let cache = cache.filter(|_| player.recallable());
        Seat { source: Source::Minimax(player), cache }
    }

    /// A player of any kind.
    pub(super) fn of_team(team: Team<G>, cache: Option<MoveCache<G>>) -> Self {
        let cache = cache.filter(|_| team.recallable());
        Seat { source: Source::Team(team), cache }
    }

    /// Whether its games can be repeated on any machine.
    pub(super) fn reproducible(&self) -> bool {
        match &self.source {
            Source::Minimax(player) => player.reproducible(),
            Source::Team(team) => team.reproducible(),
        }
    }

    /// Lets a copy of the player do something, between games of others.
    fn with_copy<T>(&self, act: impl FnOnce(&mut dyn Player<G>) -> T) -> Result<T, NoCopy> {
        match &self.source {
            Source::Minimax(player) => Ok(self.recalling(&mut player.clone(), act)),
            Source::Team(team) => {
                let mut copy = team.take()?;
                copy.new_game();
                let done = self.recalling(&mut *copy, act);
                team.rest(copy);
                Ok(done)
            }
        }
    }

    fn recalling<T>(
        &self,
        player: &mut dyn Player<G>,
        act: impl FnOnce(&mut dyn Player<G>) -> T,
    ) -> T {
        match &self.cache {
            Some(cache) => act(&mut CachedPlayer { player, cache }),
            None => act(player),
        }
    }
}

/// Plays a game from an opening, the first player of two moving first. `None` if the progress stopped it.
pub(super) fn play<G: PlayableGame>(
    game: G,
    opening: G::Position,
    [first, second]: [&Seat<G>; 2],
    progress: &dyn Progress,
) -> Result<Option<Outcome>, NoCopy> {
    let mut record = Record::from_position(game, opening);
    let mover = record.to_move();
    let is_recalled = first.cache.is_some() || second.cache.is_some();
    let played = first.with_copy(|first| {
        second.with_copy(|second| {
            let players: [&mut dyn Player<G>; 2] = match mover {
                Side::South => [first, second],
                Side::North => [second, first],
            };
            match is_recalled {
                true => play_unclocked(&mut record, players, progress),
                false => play_game(&mut record, players, progress),
            }
        })
    })??;
    Ok(played.map(|played| Outcome::new(mover, record.line(), played)))
}
