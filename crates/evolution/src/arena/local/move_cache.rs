//! Moves that a player chose before.
//!
//! Games of one player begin alike, so that about half of the positions that it searches are positions
//! that it has searched before, in this batch or, for a player that stays, in an earlier one. A player
//! whose choice depends on the position alone need not search them again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::player::{Choice, NoChoice, Player};
use mancala::game::{Game, Pit, Record};
use mancala::progress::Progress;

/// Moves by position, shared between the games that one player plays at a time.
#[derive(Debug, Clone)]
pub struct MoveCache<G: Game> {
    known: Arc<Mutex<FxHashMap<G::Position, Pit>>>,
    /// Beyond so many all are forgotten, and the cache fills anew.
    most: usize,
}

impl<G: Game> MoveCache<G> {
    /// A cache of at most so many moves.
    pub fn at_most(most: usize) -> Self {
        MoveCache { known: Arc::default(), most }
    }

    fn lock(&self) -> MutexGuard<'_, FxHashMap<G::Position, Pit>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, position: G::Position, pit: Pit) {
        let mut known = self.lock();
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
        let position = *record.position();
        let recalled = self.cache.lock().get(&position).copied();
        if let Some(pit) = recalled {
            return Ok(Choice { pit, score: None, nodes: 0, depth: None });
        }
        let choice = self.player.choose(record, progress)?;
        self.cache.keep(position, choice.pit);
        Ok(choice)
    }

    fn identity(&self) -> String {
        self.player.identity()
    }
}
