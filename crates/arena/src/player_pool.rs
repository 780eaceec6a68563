//! Copies of a player, one per concurrent game.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::batch::BatchPlayer;
use crate::os::{self, Cores};
use crate::player::{self, PlayableGame, Player, Spec, SpecError};
use mancala::game::ayo::Ayo;

/// A player that can play several games concurrently. Its idle copies are reused. Clones share them.
#[derive(Clone)]
pub struct PlayerPool<G: PlayableGame = Ayo> {
    /// The [full](player::in_full) specification or the name, which identifies the player in results.
    pub spec: String,
    create: Arc<Create<G>>,
    /// The [identity](Player::identity) of the first copy.
    pub identity: String,
    is_reproducible: bool,
    pub(crate) is_recallable: bool,
    /// Whether a copy that cannot be started forfeits its game instead of ending the contest.
    pub recovers: bool,
    idle: Arc<Mutex<Idle<G>>>,
}

/// Idle copies, each with the cores of the thread that started it. They are only taken by threads on these cores.
type Idle<G> = Vec<(Cores, Box<dyn Player<G>>)>;

/// Creates a copy of a player.
type Create<G> = dyn Fn() -> Result<Box<dyn Player<G>>, SpecError> + Send + Sync;

/// The error returned if another copy of a player cannot be created.
#[derive(Debug, thiserror::Error)]
#[error("cannot start another copy of {spec}: {reason}")]
pub struct CopyError {
    pub spec: String,
    pub reason: SpecError,
}

impl<G: PlayableGame> PlayerPool<G> {
    /// Creates the first copy of the player given by a specification. Fails if the specification is invalid.
    pub fn new(spec: &str, game: G) -> Result<PlayerPool<G>, SpecError> {
        let spec = player::in_full(spec)?;
        let parsed: Spec = spec.parse()?;
        PlayerPool::with(spec, move || parsed.build(game))
    }

    /// Creates the first copy of a player that has a name instead of a specification. Fails if `create` fails.
    pub fn with(
        name: String,
        create: impl Fn() -> Result<Box<dyn Player<G>>, SpecError> + Send + Sync + 'static,
    ) -> Result<PlayerPool<G>, SpecError> {
        let first = create()?;
        Ok(PlayerPool {
            spec: name,
            create: Arc::new(create),
            identity: first.identity(),
            is_reproducible: first.is_reproducible(),
            is_recallable: first.is_recallable(),
            recovers: false,
            idle: Arc::new(Mutex::new(vec![(os::cores(), first)])),
        })
    }

    /// Eight hexadecimal digits for the identity, or `irreproducible` for engines and players with a time limit.
    pub fn fingerprint(&self) -> String {
        // An external program may be missing or differ on other machines.
        match self.is_reproducible && !self.spec.starts_with("uci:") {
            true => format!("{:08x}", crc32fast::hash(self.identity.as_bytes())),
            false => "irreproducible".into(),
        }
    }

    /// Whether the player's games can be reproduced on any machine.
    pub fn is_reproducible(&self) -> bool {
        self.is_reproducible
    }

    /// Whether an idle copy reports scores that can be [converted to seeds](Player::seed_value).
    pub fn reports_scores(&self) -> bool {
        self.idle().first().is_some_and(|(_, player)| player.seed_value().is_some())
    }

    /// Takes an idle copy, or creates one.
    pub(crate) fn take(&self) -> Result<Box<dyn Player<G>>, CopyError> {
        let cores = os::cores();
        let mut idle = self.idle();
        let found = idle.iter().rposition(|(of, _)| *of == cores);
        let found = found.map(|at| idle.swap_remove(at).1);
        drop(idle);
        found
            .map_or_else(|| (self.create)(), Ok)
            .map_err(|reason| CopyError { spec: self.spec.clone(), reason })
    }

    /// Puts a copy back after its game.
    pub(crate) fn rest(&self, player: Box<dyn Player<G>>) {
        self.idle().push((os::cores(), player));
    }

    /// Ends all idle copies, so that threads with other cores start their own.
    pub fn release(&self) {
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Idle<G>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: PlayableGame> From<&PlayerPool<G>> for BatchPlayer {
    fn from(pool: &PlayerPool<G>) -> BatchPlayer {
        BatchPlayer::Spec { spec: pool.spec.clone(), fingerprint: pool.fingerprint() }
    }
}
