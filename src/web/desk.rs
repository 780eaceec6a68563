//! What requests share.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use axum::body::Bytes;
use tokio::sync::Semaphore;

use super::address::ServerError;
use super::answer::{Refusal, UNREAD};
use super::cache::Cache;
use super::connections::MAX_CONNECTIONS;
use super::events::Feeds;
use super::fingerprint::{Fingerprint, Mark};
use super::hosts::{Hosts, Reach};
use super::jobs::Jobs;
use super::limiter::Limiter;
use super::matches::is_match;
use super::runs::is_run;
use super::shelf::Shelf;
use super::token::Token;
use crate::app::matches::Matches;
use crate::results::RunCard;

/// Streams of events at a time.
pub(super) const STREAMS: usize = 128;
/// Downloads at a time.
pub(super) const DOWNLOADS: usize = 64;
/// Requests that may wait for a search.
const WAITING_SEARCHES: usize = 64;

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
    /// Memory for answers that clients have not read yet, in KiB.
    pub(super) unread: Arc<Semaphore>,
    pub(super) feeds: Feeds,
    pub(super) jobs: Jobs,
    /// Room for streams of events.
    pub(super) streams: Arc<Semaphore>,
}

impl Desk {
    /// The desk of a server that listens on a port.
    ///
    /// # Errors
    /// If the system refuses threads or has no randomness for tokens.
    pub(super) fn new(folders: Folders, reach: Reach, port: u16) -> Result<Desk, ServerError> {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Desk(Arc::new(Shared {
            token: Token::new().map_err(ServerError::Token)?,
            cookie: Token::new().map_err(ServerError::Token)?,
            hosts: Hosts::new(port),
            reach,
            runs: Shelf::new(&folders.runs, is_run),
            cards: Cache::new(2000),
            curves: Cache::new(64),
            match_files: Shelf::new(&folders.matches, is_match),
            matches: Matches::default(),
            folders,
            searches: Limiter::new(cores, WAITING_SEARCHES)?,
            reads: Limiter::new(1, MAX_CONNECTIONS)?,
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
            unread: Arc::new(Semaphore::new(UNREAD)),
            feeds: Feeds::default(),
            jobs: Jobs::default(),
            streams: Arc::new(Semaphore::new(STREAMS)),
        })))
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
