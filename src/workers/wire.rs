//! What travels: tasks to workers, answers back, and what both say of themselves.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::bench;
use evolution::arena::{Meeting, fingerprint};
use mancala::game::ayo::Ayo;
use mancala::store::{Frame, FrameError};

/// Version of all that travels. It grows with every change of what tasks and answers hold or mean.
const VERSION: u32 = 2;
const TASK: Frame = Frame { kind: *b"TASK", version: VERSION };
const ANSWER: Frame = Frame { kind: *b"ANSW", version: VERSION };

/// What computes here, in a line: versions, the games that a fingerprint of [`arena`](evolution::arena) is taken of, and the
/// signature of the search. A worker serves only runs of its own fingerprint.
pub fn build() -> String {
    use std::sync::OnceLock;
    static BUILD: OnceLock<String> = OnceLock::new();
    let said = || {
        let signature = bench::signature(Ayo::default(), &bench::positions(), 4);
        format!("{} search {:08x} tasks {VERSION}", fingerprint(), signature.checksum)
    };
    BUILD.get_or_init(said).clone()
}

/// A piece of a batch of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The number of the batch in its run: a generation, a measurement.
    pub batch: u64,
    /// Its number in the batch, from 0.
    pub number: u32,
    /// How often it was asked for before.
    pub attempt: u32,
    /// The hash of what the pieces of the batch have in common; empty if that is nothing.
    pub ground: String,
    /// The hash of the build that asks.
    pub build: String,
    /// What to do.
    pub piece: Piece,
    /// Microseconds that it is expected to take.
    pub expected: u64,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// Games of the batch that lies in the ground, one after the other.
    Games(Vec<Meeting>),
    /// A whole search of a comparison.
    Search {
        /// The contestant, as `compare` reads it.
        contestant: String,
        /// Its seed.
        seed: u64,
        /// What it may spend, as `compare` reads it.
        budget: String,
        /// Plies of its measurements.
        depth: u32,
        /// Openings of its measurements.
        openings: u32,
    },
    /// A whole run.
    Run {
        /// Its settings, as in a `run.toml`.
        settings: String,
    },
}

impl Piece {
    /// Whether it may take hours: it is done twice only if there is a reason.
    pub(super) fn is_lasting(&self) -> bool {
        matches!(self, Piece::Run { .. })
    }
}

/// What became of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Who did it.
    pub worker: String,
    /// Microseconds that it took.
    pub micros: u64,
    /// The digest of all in it that must not depend on who did it.
    pub digest: u32,
    /// The outcomes.
    pub found: Vec<u8>,
}

impl Task {
    /// The field of its answer.
    pub(super) fn field(&self) -> String {
        field(self.number as usize, self.attempt)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        TASK.encode(self)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Task, FrameError> {
        TASK.decode(bytes)
    }
}

impl Answer {
    /// One that says nothing.
    pub(super) fn none(worker: &str) -> Answer {
        Answer { worker: worker.into(), micros: 0, digest: 0, found: Vec::new() }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        ANSWER.encode(self)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Answer, FrameError> {
        ANSWER.decode(bytes)
    }
}

/// The field of the answer to an attempt at a task.
pub(super) fn field(number: usize, attempt: u32) -> String {
    format!("{number}.{attempt}")
}

/// The number and the attempt of a [`field`].
pub(super) fn of_field(field: &str) -> Option<(usize, u32)> {
    let (number, attempt) = field.split_once('.')?;
    Some((number.parse().ok()?, attempt.parse().ok()?))
}

/// Sixteen digits that stand for some bytes.
pub(super) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What a run says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCard {
    /// Its name in the server, new for every process.
    pub run: String,
    /// What is being done.
    pub what: String,
    /// Where.
    pub host: String,
    /// [`build`] there.
    pub build: String,
    /// Milliseconds without progress after which a task is given to another worker.
    pub lease: u64,
}

/// What a worker says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerCard {
    /// Its name, new for every process.
    pub worker: String,
    /// Its machine.
    pub host: String,
    /// Threads that work.
    pub threads: u32,
    /// [`build`] there.
    pub build: String,
    /// Seconds that it has been there.
    pub up: u64,
    /// Tasks that it has answered.
    pub tasks: u64,
    /// Tasks that it answered in the last ten seconds.
    pub recent: u64,
    /// Runs that it does not serve, and why.
    pub refused: Vec<(String, String)>,
}

/// A name that no other process has: machine, process and chance.
pub(super) fn fresh_name() -> String {
    let chance = getrandom::u32().unwrap_or_default();
    format!("{}-{}-{chance:08x}", host(), std::process::id())
}

/// The name of this machine.
pub(super) fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let name: String = name.chars().filter(is_plain).take(40).collect();
    if name.is_empty() { "host".into() } else { name }
}
