//! A player who recalls what he chose before.
//!
//! Games of one chromosome begin alike, so that about half of the positions that it searches are
//! positions that it has searched before, in this generation or, for an elite, in an earlier one. A
//! fixed-depth search depends on the position alone; its choice can be recalled.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::player::{Choice, Minimax, NoChoice, PlayableGame, Player};
use mancala::game::Record;
use mancala::progress::Progress;

/// Choices by position, shared between the games that one chromosome plays at a time.
#[derive(Debug, Clone)]
pub(crate) struct Choices<G: PlayableGame> {
    known: Arc<Mutex<FxHashMap<G::Position, Choice>>>,
    /// Beyond so many all are forgotten, and the memory fills anew.
    most: usize,
}

impl<G: PlayableGame> Choices<G> {
    /// A memory of at most so many choices.
    pub(crate) fn at_most(most: usize) -> Self {
        Choices { known: Arc::default(), most }
    }

    fn lock(&self) -> MutexGuard<'_, FxHashMap<G::Position, Choice>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, position: G::Position, choice: Choice) {
        let mut choices = self.lock();
        if choices.len() >= self.most {
            choices.clear();
        }
        choices.insert(position, choice);
    }
}

/// A searching player with a memory. The choices must be those of the same search.
#[derive(Clone)]
pub(crate) struct Recalling<G: PlayableGame> {
    player: Minimax<G>,
    choices: Choices<G>,
}

impl<G: PlayableGame> Recalling<G> {
    pub(crate) fn new(player: Minimax<G>, choices: Choices<G>) -> Self {
        Recalling { player, choices }
    }
}

impl<G: PlayableGame> Player<G> for Recalling<G> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        let position = *record.position();
        let recalled = self.choices.lock().get(&position).copied();
        if let Some(choice) = recalled {
            return Ok(Choice { nodes: 0, ..choice });
        }
        let choice = self.player.choose(record, progress)?;
        self.choices.keep(position, choice);
        Ok(choice)
    }

    fn identity(&self) -> String {
        self.player.identity()
    }
}
