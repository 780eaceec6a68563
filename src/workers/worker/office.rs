//! What the threads of a worker have in common.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::workers::address::Address;
use crate::workers::coordinator::Tell;
use crate::workers::engine::Engine;
use crate::workers::keys::RunKeys;
use crate::workers::wire::{RunCard, build, fresh_name};

pub(super) struct Office {
    pub(super) address: Address,
    pub(super) engine: Arc<dyn Engine>,
    pub(super) threads: u32,
    pub(super) name: String,
    pub(super) build: String,
    pub(super) tell: Tell,
    pub(super) served: Mutex<Vec<Served>>,
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

    pub(super) fn count(&self) {
        self.tasks.fetch_add(1, Ordering::Relaxed);
    }
}
