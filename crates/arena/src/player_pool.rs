//! Copies of a player, one for each concurrent game.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::batch::BatchPlayer;
use crate::games::{CachedPlayer, MoveCache};
use crate::os::{self, Cores};
use crate::player::{self, Chosen, NoChoice, PlayableGame, Player, Spec, SpecError};
use mancala::game::ayo::Ayo;
use mancala::game::{Game, Record};
use mancala::progress::Progress;

/// A player that can play several games concurrently. Clones of the pool share the idle copies of the player.
#[derive(Clone)]
pub struct PlayerPool<G: PlayableGame = Ayo> {
    /// The [full](player::in_full) specification or the name that identifies the player in results.
    pub spec: String,
    create: Arc<Create<G>>,
    /// The [identity](Player::identity) of the first copy.
    pub identity: String,
    /// Whether the player's games can be reproduced on any machine.
    pub is_reproducible: bool,
    pub(crate) is_recallable: bool,
    /// The moves that the player has chosen so far, or `None` if we don't cache moves.
    pub(crate) cache: Option<MoveCache<G>>,
    /// Whether the player forfeits a game if a copy can't be started. Otherwise, the contest fails.
    pub recovers: bool,
    idle: Arc<Mutex<Idle<G>>>,
}

/// The idle copies, each with the cores on which it was started. A copy is only reused by threads on the same cores.
type Idle<G> = Vec<(Cores, Box<dyn Player<G>>)>;

type Create<G> = dyn Fn() -> Result<Box<dyn Player<G>>, SpecError> + Send + Sync;

impl<G: PlayableGame> PlayerPool<G> {
    /// Creates a pool and starts the first copy. Fails if the specification is invalid.
    pub fn new(spec: &str, game: G) -> Result<PlayerPool<G>, SpecError> {
        let spec = player::in_full(spec)?;
        let parsed: Spec = spec.parse()?;
        PlayerPool::with(spec, move || parsed.build(game))
    }

    /// Like [`new`](Self::new), but for a player with a name instead of a specification. Fails if `create` fails.
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
            cache: None,
            recovers: false,
            idle: Arc::new(Mutex::new(vec![(os::cores(), first)])),
        })
    }

    /// Returns a hexadecimal checksum of the identity, or `irreproducible` if the moves may depend on the machine.
    pub fn fingerprint(&self) -> String {
        // Another machine may not have this external program, or may have a different version of the program.
        match self.is_reproducible && !self.spec.starts_with("uci:") {
            true => format!("{:08x}", crc32fast::hash(self.identity.as_bytes())),
            false => "irreproducible".into(),
        }
    }

    /// Returns whether the player reports scores that can be [converted to seeds](Player::seed_value).
    pub fn reports_scores(&self) -> bool {
        self.idle().first().is_some_and(|(_, player)| player.seed_value().is_some())
    }

    /// Calls `act` with a copy of the player that is ready for a new game. If a new copy is needed but can't be
    /// started, then this fails, unless `recovers` is set.
    pub(crate) fn with_copy<T>(
        &self,
        act: impl FnOnce(&mut dyn Player<G>) -> T,
    ) -> Result<T, SpecError> {
        let cores = os::cores();
        let mut idle = self.idle();
        let found = idle.iter().rposition(|(of, _)| *of == cores);
        let found = found.map(|at| idle.swap_remove(at).1);
        drop(idle);
        let mut copy = match found.map_or_else(|| (self.create)(), Ok) {
            Ok(copy) => copy,
            Err(error) => {
                let spec = &self.spec;
                let text =
                    format!("cannot start another copy of {spec}: {error}; try fewer threads");
                return match self.recovers {
                    true => Ok(act(&mut NotStarted(text))),
                    false => Err(SpecError::failed(text)),
                };
            }
        };
        copy.new_game();
        let result = match &self.cache {
            Some(cache) => act(&mut CachedPlayer { player: &mut *copy, cache }),
            None => act(&mut *copy),
        };
        self.idle().push((cores, copy));
        Ok(result)
    }

    /// Drops all idle copies. Call this before playing on other cores, where the copies can't be reused.
    pub fn release(&self) {
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Idle<G>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A substitute for a copy that couldn't be started. It forfeits the game.
struct NotStarted(String);

impl<G: Game> Player<G> for NotStarted {
    fn choose(&mut self, _: &Record<G>, _: &dyn Progress) -> Chosen {
        Err(NoChoice::Forfeit(self.0.clone()))
    }

    fn identity(&self) -> String {
        self.0.clone()
    }
}

impl<G: PlayableGame> From<&PlayerPool<G>> for BatchPlayer {
    fn from(pool: &PlayerPool<G>) -> BatchPlayer {
        BatchPlayer::Spec { spec: pool.spec.clone(), fingerprint: pool.fingerprint() }
    }
}
