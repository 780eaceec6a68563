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
const PATIENCE: u32 = 1;

#[derive(Default)]
pub(super) struct State {
    pub(super) batch: Option<Batch>,
    /// Batches that were begun.
    pub(super) batches: u64,
    /// Batches that are over, and their grounds: what the server holds of them can go.
    pub(super) leftovers: Vec<(u64, String)>,
    /// Workers that serve this run.
    pub(super) team: BTreeMap<String, WorkerCard>,
    /// It was looked once who is there.
    pub(super) has_looked: bool,
    /// Workers that answered, the answers of each.
    pub(super) answers: BTreeMap<String, u64>,
    /// Workers an answer of whom was found to be true by something less than doing it.
    pub(super) proven: BTreeSet<String>,
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
    /// Its pieces may take hours each.
    pub(super) is_lasting: bool,
    /// How long its pieces took workers, as far as that matters.
    pub(super) took: Vec<Duration>,
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
        let Some(patience) = self.patience() else { return false };
        let oldest = self.offers.values().map(|(_, since)| *since).min();
        oldest.is_none_or(|since| now.duration_since(since) > patience)
    }

    /// How long a worker may have a piece before it is done elsewhere as well. What may take hours must first show
    /// how long it takes.
    fn patience(&self) -> Option<Duration> {
        match (self.is_lasting, self.took.len() as u32) {
            (false, _) => Some(PATIENCE * self.expected),
            (true, 0) => None,
            (true, count) => Some(self.took.iter().sum::<Duration>() * 3 / (2 * count)),
        }
    }

    /// Whether there is something to offer to workers.
    pub(super) fn can_offer(&self) -> bool {
        self.shares.can_offer() || self.offers_copies() && self.shares.can_copy()
    }

    /// Whether idle workers get what others have.
    pub(super) fn offers_copies(&self) -> bool {
        !self.is_lasting || self.may_copy(Instant::now())
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
