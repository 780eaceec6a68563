//! Copies of one player, as many as games are played at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::player::{self, PlayableGame, Player, Spec, SpecError};
use mancala::game::ayo::Ayo;

/// A player that can play several games at once. An engine outside the program is started once for
/// each of them and kept. Clones of a team share its copies.
#[derive(Clone)]
pub struct Team<G: PlayableGame = Ayo>(Arc<Shared<G>>);

struct Shared<G: PlayableGame> {
    spec: String,
    game: G,
    identity: String,
    reproducible: bool,
    recallable: bool,
    external: bool,
    idle: Mutex<Vec<Box<dyn Player<G>>>>,
}

/// A player of which one copy plays and another cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("another copy of {spec} cannot be started: {reason}")]
pub struct NoCopy {
    /// What the first copy was made from.
    pub spec: String,
    /// Why the same text makes no player now.
    pub reason: Box<SpecError>,
}

impl<G: PlayableGame> Team<G> {
    /// The team of a player specification, for some game.
    ///
    /// # Errors
    /// If it describes no player.
    pub fn new(spec: &str, game: G) -> Result<Team<G>, SpecError> {
        let spec = player::in_full(spec)?;
        let parsed: Spec = spec.parse()?;
        let first = parsed.build(game)?;
        Ok(Team(Arc::new(Shared {
            spec,
            game,
            identity: first.identity(),
            reproducible: first.reproducible(),
            recallable: first.recallable(),
            external: parsed.is_external(),
            idle: Mutex::new(vec![first]),
        })))
    }

    /// The specification as the user wrote it, [in full](player::in_full), which names the player in results.
    pub fn spec(&self) -> &str {
        &self.0.spec
    }

    /// What the specification stands for, files read.
    pub fn identity(&self) -> &str {
        &self.0.identity
    }

    /// Eight hexadecimal digits for the identity, or `irreproducible` for an external engine and for a player with a time
    /// limit.
    pub fn fingerprint(&self) -> String {
        match self.reproducible() && !self.is_external() {
            true => format!("{:08x}", crc32fast::hash(self.identity().as_bytes())),
            false => "irreproducible".into(),
        }
    }

    /// Whether its games can be repeated on any machine.
    pub fn reproducible(&self) -> bool {
        self.0.reproducible
    }

    /// Whether its choices depend on the position alone.
    pub(super) fn recallable(&self) -> bool {
        self.0.recallable
    }

    /// Whether it is a program of its own.
    pub(super) fn is_external(&self) -> bool {
        self.0.external
    }

    /// A copy that plays no game.
    pub(super) fn take(&self) -> Result<Box<dyn Player<G>>, NoCopy> {
        let rested = self.idle().pop();
        let another = || {
            player::build_for(self.spec(), self.0.game).map_err(|reason| {
                let (spec, reason) = (self.spec().into(), Box::new(reason));
                NoCopy { spec, reason }
            })
        };
        rested.map_or_else(another, Ok)
    }

    /// Takes a copy back after its game.
    pub(super) fn rest(&self, player: Box<dyn Player<G>>) {
        self.idle().push(player);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<dyn Player<G>>>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
