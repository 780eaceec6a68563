//! Plays batches of games in this process.

use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::adjudication::Adjudication;
use crate::batch::{Batch, BatchPlayer, ScheduledGame};
use crate::game::{self, End, FinishedGame, GameResult, Outcome};
use crate::parallel::gather;
use crate::player::{Choice, Chosen, Minimax, PlayableGame, Player, SpecError};
use crate::player_pool::PlayerPool;
use mancala::game::{AnyGame, Game, Pit, Record, Side, with_game};
use mancala::progress::Progress;
use mancala::text::{Message, Result};

/// A backend that plays games, in this process or elsewhere.
///
/// Architecture invariant: outcomes, except for their node counts, are a pure function of the batch. The number of
/// threads, the state of caches and the machine may only affect the node counts.
pub trait Games: Debug + Send + Sync {
    /// Plays a batch and returns the outcomes in the order of the schedule. Progress is reported in games. If
    /// `progress` requests a stop, then only the first few outcomes are returned. Fails if a player can't be created
    /// from its [`BatchPlayer::Spec`], or if the player's fingerprint is different on this machine. Also fails if a
    /// player forfeits a game, since points won by forfeit don't measure strength. Panics if the batch isn't valid.
    fn play(&self, batch: &Batch, progress: &dyn Progress) -> Result<Vec<Outcome>>;

    /// Plays a batch and returns all outcomes, or `None` if `progress` requested a stop or a player failed.
    fn outcomes(&self, batch: &Batch, progress: &dyn Progress) -> Option<Vec<Outcome>> {
        let outcomes = self.play(batch, progress).ok();
        outcomes.filter(|outcomes| outcomes.len() == batch.schedule.len())
    }
}

/// The maximum total number of cached moves for all players in a batch.
const MAX_MOVES: usize = 1 << 20;

/// Plays games in this process, on the threads of the current rayon pool.
#[derive(Debug, Default)]
pub struct LocalGames {
    /// Whether we cache the players' moves.
    recalling: bool,
    /// The game and the [`Players`] of the last batch.
    last: Mutex<Option<(AnyGame, Box<dyn Any + Send>)>>,
}

type Players<G> = FxHashMap<BatchPlayer, PlayerPool<G>>;

impl LocalGames {
    /// Creates a backend that doesn't cache moves, so players search every position again whenever it occurs.
    pub fn new() -> LocalGames {
        LocalGames::default()
    }

    /// Creates a backend that caches the moves of a player until it plays a batch without that player.
    pub fn with_move_cache() -> LocalGames {
        LocalGames { recalling: true, ..LocalGames::default() }
    }

    /// Returns the players for a batch. Reuses players from the last batch, and drops those that are no longer needed.
    fn players<G: PlayableGame>(&self, game: G, batch: &Batch) -> Result<Vec<PlayerPool<G>>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.take().filter(|(game, _)| *game == batch.game);
        let known = known.and_then(|(_, players)| players.downcast::<Players<G>>().ok());
        let known = known.map_or_else(Players::default, |players| *players);
        let batch_players = &batch.players;
        let max_moves = self.recalling.then(|| MAX_MOVES / batch_players.len().max(1));
        let mut players = Players::default();
        let handles = batch_players.iter().map(|player| {
            let handle = match players.get(player).or_else(|| known.get(player)) {
                Some(handle) => handle.clone(),
                None => pool_of(game, player, max_moves)?,
            };
            players.insert(player.clone(), handle.clone());
            Ok(handle)
        });
        let handles = handles.collect();
        *last = Some((batch.game, Box::new(players)));
        handles
    }
}

impl Games for LocalGames {
    fn play(&self, batch: &Batch, progress: &dyn Progress) -> Result<Vec<Outcome>> {
        with_game!(batch.game, game => {
            let openings = batch.positions(game).expect("the batch was checked");
            let players = self.players(game, batch)?;
            let (schedule, adjudication) = (&batch.schedule, Adjudication::default());
            let play = |index: usize, progress: &dyn Progress| {
                let ScheduledGame { first, second, opening } = schedule[index];
                let players = [first, second].map(|player| &players[player as usize]);
                let opening = openings[opening as usize];
                let played = play(game, opening, players, &adjudication, false, progress);
                let Some((record, played)) = played.map_err(Message::of)? else { return Ok(None) };
                if let End::Forfeit(_, reason) = played.end {
                    return Err(reason.into());
                }
                let result = GameResult::of(played.settlement.verdict, game.to_move(&opening));
                let nodes = played.cost.iter().map(|cost| cost.nodes).sum();
                Ok(Some(Outcome { result, line: record.line(), nodes }))
            };
            gather(schedule.len(), progress, play)
        })
    }
}

/// Plays a game in which `first` moves first. Returns `None` if `progress` requested a stop.
pub(crate) fn play<G: PlayableGame>(
    game: G,
    opening: G::Position,
    [first, second]: [&PlayerPool<G>; 2],
    adjudication: &Adjudication,
    is_timed: bool,
    progress: &dyn Progress,
) -> Result<Option<(Record<G>, FinishedGame)>, SpecError> {
    let mut record = Record::from_position(game, opening);
    let mover = record.to_move();
    let played = first.with_copy(|first| {
        second.with_copy(|second| {
            let players: [&mut dyn Player<G>; 2] = match mover {
                Side::South => [first, second],
                Side::North => [second, first],
            };
            game::play(&mut record, players, adjudication, is_timed, progress)
        })
    })??;
    Ok(played.map(|played| (record, played)))
}

/// Creates a player that caches up to `max_moves` moves. If `max_moves` is `None`, then the player doesn't cache moves.
fn pool_of<G: PlayableGame>(
    game: G,
    player: &BatchPlayer,
    max_moves: Option<usize>,
) -> Result<PlayerPool<G>> {
    let mut pool = match player {
        BatchPlayer::Weights { weights, limits, options } => {
            let player = Minimax::new(&weights.weights(), *limits, *options);
            let create = move || Ok(Box::new(player.clone()) as _);
            PlayerPool::with(String::new(), create).map_err(Message::of)?
        }
        BatchPlayer::Spec { spec, fingerprint } => {
            let refused = |error| format!("cannot create player {spec}: {error}");
            let pool = PlayerPool::new(spec, game).map_err(refused)?;
            if pool.fingerprint() != *fingerprint {
                let found = &pool.identity;
                return Err(format!("{spec} has changed since the run began: {found}").into());
            }
            pool
        }
    };
    pool.cache = max_moves.filter(|_| pool.is_recallable).map(MoveCache::at_most);
    Ok(pool)
}

/// A map from positions to the moves that a player has chosen in all of its games so far. Games often begin with the
/// same moves, so about half of the positions have been searched before. If a player's choice depends only on the
/// position, then we needn't search these positions again.
#[derive(Debug, Clone)]
pub struct MoveCache<G: Game> {
    /// The maps for South and for North. The two games of a pair run in parallel, so two maps reduce lock contention.
    moves: [Arc<Mutex<Moves<G>>>; 2],
    /// When the map of a side contains this many moves, we clear it before we insert another one.
    max_moves: usize,
}

type Moves<G> = FxHashMap<<G as Game>::Position, Pit>;

impl<G: Game> MoveCache<G> {
    /// Creates a cache of at most `max_moves` moves.
    pub fn at_most(max_moves: usize) -> Self {
        MoveCache { moves: <[_; 2]>::default(), max_moves: max_moves / 2 }
    }

    fn of(&self, side: Side) -> MutexGuard<'_, Moves<G>> {
        self.moves[side.index()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, side: Side, position: G::Position, pit: Pit) {
        let mut moves = self.of(side);
        if moves.len() >= self.max_moves {
            moves.clear();
        }
        moves.insert(position, pit);
    }
}

/// A player whose moves are cached. The choices of `player` must depend only on the position.
pub struct CachedPlayer<'a, G: Game> {
    pub player: &'a mut dyn Player<G>,
    pub cache: &'a MoveCache<G>,
}

impl<G: Game> Player<G> for CachedPlayer<'_, G> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Chosen {
        let (side, position) = (record.to_move(), *record.position());
        let recalled = self.cache.of(side).get(&position).copied();
        if let Some(pit) = recalled {
            return Ok(Choice { pit, score: None, nodes: 0, depth: None });
        }
        let choice = self.player.choose(record, progress)?;
        self.cache.insert(side, position, choice.pit);
        Ok(choice)
    }

    fn identity(&self) -> String {
        self.player.identity()
    }
}

#[cfg(test)]
mod tests;
