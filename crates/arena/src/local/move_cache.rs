//! Moves that a player chose before.
//!
//! Games of one player begin alike, so that about half of the positions that it searches are positions
//! that it has searched before, in this batch or, for a player that stays, in an earlier one. A player
//! whose choice depends on the position alone need not search them again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::player::{Choice, NoChoice, Player};
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;

/// Moves by position, shared between the games that one player plays at a time.
#[derive(Debug, Clone)]
pub struct MoveCache<G: Game> {
    /// South's moves, then North's. Threads mostly play the two games of a pair at the same time. A player has
    /// different sides in them, so the threads do not contend for its locks.
    known: Arc<[Known<G>; 2]>,
    /// The number of moves at which the map of a side is cleared.
    most: usize,
}

/// The moves of one side. The alignment keeps the locks of the two sides on separate cache lines.
#[derive(Debug)]
#[repr(align(128))]
struct Known<G: Game>(Mutex<FxHashMap<G::Position, Pit>>);

impl<G: Game> MoveCache<G> {
    /// Returns a cache of at most `most` moves.
    pub fn at_most(most: usize) -> Self {
        let known = Side::BOTH.map(|_| Known(Mutex::default()));
        MoveCache { known: Arc::new(known), most: most / 2 }
    }

    fn of(&self, side: Side) -> MutexGuard<'_, FxHashMap<G::Position, Pit>> {
        self.known[side.index()].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, side: Side, position: G::Position, pit: Pit) {
        let mut known = self.of(side);
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(position, pit);
    }
}

/// A player with a cache of its moves. It must be one whose choices depend on the position alone, and
/// the moves must be its own.
pub struct CachedPlayer<'a, G: Game> {
    pub player: &'a mut dyn Player<G>,
    pub cache: &'a MoveCache<G>,
}

impl<G: Game> Player<G> for CachedPlayer<'_, G> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        let (side, position) = (record.to_move(), *record.position());
        let recalled = self.cache.of(side).get(&position).copied();
        if let Some(pit) = recalled {
            return Ok(Choice { pit, score: None, nodes: 0, depth: None });
        }
        let choice = self.player.choose(record, progress)?;
        self.cache.keep(side, position, choice.pit);
        Ok(choice)
    }

    fn identity(&self) -> String {
        self.player.identity()
    }
}
