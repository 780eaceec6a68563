//! What requests share.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::Semaphore;

use super::answer::Refusal;
use super::cache::Cache;
use super::events::Feeds;
use super::fingerprint::{Fingerprint, Mark};
use super::hosts::{Hosts, Reach};
use super::jobs::Jobs;
use super::limiter::Limiter;
use super::shelf::Shelf;
use super::token::Token;
use super::unread::Unread;
use crate::app::matches::Matches;
use crate::results::RunCard;

/// Connections at a time. A browser opens six at most.
pub(super) const CONNECTIONS: usize = 512;
/// Streams of events at a time.
pub(super) const STREAMS: usize = 128;
/// Downloads at a time.
pub(super) const DOWNLOADS: usize = 64;
/// Requests that may wait for a search.
pub(super) const WAITING_SEARCHES: usize = 64;

/// The folders that the page shows.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Run folders are directly inside.
    pub runs: PathBuf,
    /// Files of games are directly inside.
    pub matches: PathBuf,
}

/// What requests share. A copy is the same desk.
#[derive(Clone)]
pub(super) struct Desk(Arc<Shared>);

pub(super) struct Shared {
    pub(super) token: Token,
    /// What the cookie of the page holds.
    pub(super) cookie: Token,
    pub(super) hosts: Hosts,
    pub(super) reach: Reach,
    pub(super) folders: Folders,
    /// The run folders.
    pub(super) runs: Shelf,
    /// Their cards.
    pub(super) cards: Cache<Fingerprint, RunCard>,
    /// Curves, as JSON.
    pub(super) curves: Cache<Mark, Bytes>,
    /// The files of games.
    pub(super) match_files: Shelf,
    /// What was read of them.
    pub(super) matches: Matches,
    pub(super) searches: Limiter,
    /// Reading of files, which may be large: one at a time, so that memory is needed for one only.
    pub(super) reads: Limiter,
    /// Room for downloads, each of which holds a file open.
    pub(super) downloads: Arc<Semaphore>,
    pub(super) unread: Unread,
    pub(super) feeds: Feeds,
    pub(super) jobs: Jobs,
    /// Room for streams of events.
    pub(super) streams: Arc<Semaphore>,
}

impl Desk {
    pub(super) fn new(shared: Shared) -> Desk {
        Desk(Arc::new(shared))
    }

    /// Serialises an answer.
    ///
    /// # Errors
    /// As [`Desk::hold`].
    pub(super) fn json(&self, answer: &impl Serialize) -> Result<Bytes, Refusal> {
        self.hold(serde_json::to_vec(answer).map_err(Refusal::failed)?)
    }

    /// Shares an answer among its readers.
    ///
    /// # Errors
    /// If clients that do not read leave no memory for it.
    pub(super) fn hold(&self, answer: Vec<u8>) -> Result<Bytes, Refusal> {
        let held = self.unread.hold(answer).or_else(|answer| {
            self.curves.clear();
            self.unread.hold(answer)
        });
        let busy = "other clients do not read their answers; ask again in a moment, or for less";
        held.map_err(|_| Refusal::busy(busy))
    }

    /// The folder of a run.
    ///
    /// # Errors
    /// If no listing has it.
    pub(super) fn run_folder(&self, id: &str) -> Result<PathBuf, Refusal> {
        let none = || Refusal::not_found(format!("there is no run {id:?} here"));
        self.runs.find(id).ok_or_else(none)
    }
}

impl std::ops::Deref for Desk {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
