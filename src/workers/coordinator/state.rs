//! What a coordinator knows.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::workers::shares::Shares;
use crate::workers::wire::{Piece, WorkerCard};

/// Tasks that a thread of a worker has at hand: one that it does, one ahead, and one on the way.
const AT_HAND: u64 = 3;
/// Tasks that take longer are long.
const LONG: Duration = Duration::from_millis(100);
/// So many times what it is expected to take, a piece may be with a worker before it is done here as well.
const PATIENCE: u32 = 3;

#[derive(Default)]
pub(super) struct State {
    pub(super) batch: Option<Batch>,
    /// Batches that were begun.
    pub(super) batches: u64,
    /// Batches that are over, and their grounds: what the server holds of them can go.
    pub(super) leftovers: Vec<(u64, String)>,
    /// Workers that serve this run.
    pub(super) team: BTreeMap<String, WorkerCard>,
    /// Workers that answered, the answers of each.
    pub(super) answers: BTreeMap<String, u64>,
    /// Workers that nothing is taken from any more, and whether they were told.
    pub(super) quarantined: BTreeMap<String, bool>,
    /// What was said once need not be said again.
    pub(super) said: BTreeSet<String>,
    pub(super) is_closing: bool,
}

/// A batch of work that is being done.
pub(super) struct Batch {
    pub(super) number: u64,
    pub(super) shares: Shares,
    pub(super) pieces: Vec<Piece>,
    pub(super) ground: Vec<u8>,
    pub(super) hash: String,
    /// How long a piece takes.
    pub(super) expected: Duration,
    pub(super) is_shared: bool,
    /// The server holds something of it.
    pub(super) is_published: bool,
    /// Entries of the stream of tasks: which piece, and since when.
    pub(super) offers: BTreeMap<String, (usize, Instant)>,
}

impl Batch {
    /// Milliseconds without progress after which a task is given to another worker.
    pub(super) fn lease(&self, least: u64) -> u64 {
        least.max(20 * self.expected.as_millis() as u64)
    }

    /// Whether pieces that workers have may be done here too: the oldest offer was long ago.
    pub(super) fn may_copy(&self, now: Instant) -> bool {
        let oldest = self.offers.values().map(|(_, since)| *since).min();
        oldest.is_none_or(|since| now.duration_since(since) > PATIENCE * self.expected)
    }
}

impl State {
    /// Threads of workers that serve this run.
    pub(super) fn helpers(&self) -> u64 {
        let is_free = |(name, _): &(&String, &WorkerCard)| !self.quarantined.contains_key(*name);
        self.team.iter().filter(is_free).map(|(_, card)| u64::from(card.threads)).sum()
    }

    /// Tasks that may be offered at a time. Long ones are not taken ahead: whoever is free first does them.
    pub(super) fn window(&self) -> usize {
        let is_long = self.batch.as_ref().is_some_and(|it| it.expected > LONG);
        (if is_long { 1 } else { AT_HAND } * self.helpers()) as usize
    }

    /// Takes nothing from a worker any more. What to say of it.
    pub(super) fn quarantine(&mut self, worker: &str) -> String {
        self.quarantined.entry(worker.into()).or_insert(false);
        let again = self.batch.as_mut().map_or(0, |batch| batch.shares.distrust(worker));
        format!(
            "worker {worker} found what is not true: nothing is taken from it any more, and {again} of its tasks \
             are done again"
        )
    }
}
