//! Copies of one player, as many as games are played at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::player::{self, PlayableGame, Player, SpecError};
use mancala::game::ayo::Ayo;

/// A player who can play several games at once. An engine outside the program is started once for
/// each of them and kept.
pub struct Team<G: PlayableGame = Ayo> {
    spec: String,
    game: G,
    identity: String,
    reproducible: bool,
    idle: Mutex<Vec<Box<dyn Player<G>>>>,
}

/// A player of whom one copy plays and another cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("another copy of {spec} cannot be started: {reason}")]
pub struct NoCopy {
    /// The specification.
    pub spec: String,
    /// What is wrong.
    pub reason: Box<SpecError>,
}

impl<G: PlayableGame> Team<G> {
    /// The team of a player specification, for some game.
    ///
    /// # Errors
    /// If it describes no player.
    pub fn new(spec: &str, game: G) -> Result<Team<G>, SpecError> {
        let first = player::build_for(spec, game)?;
        Ok(Team {
            spec: spec.into(),
            game,
            identity: first.identity(),
            reproducible: first.reproducible(),
            idle: Mutex::new(vec![first]),
        })
    }

    /// The specification.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// What the specification stands for, files read.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Whether his games can be repeated on any machine.
    pub fn reproducible(&self) -> bool {
        self.reproducible
    }

    /// A copy that plays no game.
    pub(super) fn take(&self) -> Result<Box<dyn Player<G>>, NoCopy> {
        let rested = self.idle().pop();
        let another = || {
            player::build_for(&self.spec, self.game).map_err(|reason| {
                let (spec, reason) = (self.spec.clone(), Box::new(reason));
                NoCopy { spec, reason }
            })
        };
        rested.map_or_else(another, Ok)
    }

    /// Takes a copy back after his game.
    pub(super) fn rest(&self, player: Box<dyn Player<G>>) {
        self.idle().push(player);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<dyn Player<G>>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
