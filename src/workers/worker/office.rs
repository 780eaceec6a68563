//! What the threads of a worker have in common.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::workers::address::Address;
use crate::workers::coordinator::Tell;
use crate::workers::engine::Engine;
use crate::workers::keys::{LIFE, RunKeys};
use crate::workers::wire::{RunCard, build, fresh_name};

pub(super) struct Office {
    pub(super) address: Address,
    pub(super) engine: Arc<dyn Engine>,
    pub(super) threads: u32,
    pub(super) name: String,
    pub(super) build: String,
    pub(super) tell: Tell,
    pub(super) served: Mutex<Vec<Served>>,
    /// When each run was last known; as long as the server is not there, none is known to be over.
    pub(super) seen: Mutex<BTreeMap<String, Instant>>,
    /// Tasks that were answered.
    pub(super) tasks: AtomicU64,
    pub(super) is_over: AtomicBool,
}

/// A run that is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Served {
    pub(super) card: RunCard,
    pub(super) keys: RunKeys,
}

impl Office {
    pub(super) fn new(
        address: &Address,
        engine: Arc<dyn Engine>,
        threads: u32,
        tell: Tell,
    ) -> Office {
        Office {
            address: address.clone(),
            engine,
            threads: threads.max(1),
            name: fresh_name(),
            build: build(),
            tell,
            served: Mutex::default(),
            seen: Mutex::default(),
            tasks: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// The runs that are served now.
    pub(super) fn served(&self) -> Vec<Served> {
        self.lock().clone()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<Served>> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that a run is not over, though it may be silent for a while.
    pub(super) fn see(&self, run: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.insert(run.to_owned(), Instant::now());
    }

    /// Takes note that the server is not there: nothing is known of runs.
    pub(super) fn see_nothing(&self) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.values_mut().for_each(|at| *at = Instant::now());
    }

    /// Whether a run is gone, and nobody waits for what is done for it. A server that comes back empty gets to know
    /// its runs again within a second.
    pub(super) fn has_lost(&self, run: &str) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(run).is_none_or(|at| at.elapsed().as_secs() >= LIFE)
    }

    pub(super) fn count(&self) {
        self.tasks.fetch_add(1, Ordering::Relaxed);
    }
}
