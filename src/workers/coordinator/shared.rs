//! What the threads of a coordinator have in common.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::state::State;
use crate::workers::address::Address;
use crate::workers::keys::RunKeys;
use crate::workers::wire::{RunCard, build, fresh_name, host};

/// What may be set of how work is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// One answer in so many is checked by doing the piece here too; the first of a worker always is.
    pub check_every: u64,
    /// Milliseconds without progress after which a task is given to another worker, at least.
    pub least_lease: u64,
    /// Microseconds of games that a task is made of.
    pub task: u64,
    /// Whether this process does pieces too. One that does not ends only with the help of workers.
    pub is_idle: bool,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { check_every: 100, least_lease: 1000, task: 10_000, is_idle: false }
    }
}

/// Told what a user should know of workers, a sentence each.
pub type Tell = Box<dyn Fn(&str) + Send + Sync>;

/// What the threads of a coordinator share.
pub(super) struct Shared {
    pub(super) address: Address,
    pub(super) keys: RunKeys,
    pub(super) card: RunCard,
    pub(super) terms: Terms,
    pub(super) tell: Tell,
    pub(super) state: Mutex<State>,
    /// Something has changed for those who do pieces.
    pub(super) news: Condvar,
    /// Something has changed for the one who offers them.
    pub(super) wake: Condvar,
}

impl Shared {
    pub(super) fn new(address: &Address, what: &str, terms: Terms, tell: Tell) -> Shared {
        let (run, host, build) = (fresh_name(), host(), build());
        let keys = RunKeys::new(&run);
        let card = RunCard { run, what: what.into(), host, build, lease: terms.least_lease };
        Shared {
            address: address.clone(),
            keys,
            card,
            terms,
            tell,
            state: Mutex::default(),
            news: Condvar::new(),
            wake: Condvar::new(),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
