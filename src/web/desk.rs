//! What requests share.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::response::Response;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::{Refusal, of_json};
use super::cache::Cache;
use super::events::Feeds;
use super::fingerprint::{Fingerprint, Mark};
use super::hosts::{Hosts, Reach};
use super::jobs::Jobs;
use super::limiter::Limiter;
use super::shelf::Shelf;
use super::token::Token;
use crate::app::matches::Matches;
use crate::train::pages::RunCard;

/// Connections at a time. A browser opens six at most.
pub(super) const CONNECTIONS: usize = 512;
/// Streams of events at a time.
pub(super) const STREAMS: usize = 128;
/// Downloads at a time.
pub(super) const DOWNLOADS: usize = 64;
/// Memory for answers that clients have not read yet, in KiB.
pub(super) const UNREAD: usize = 48 << 10;
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
    /// Memory for answers that clients have not read yet, in KiB.
    pub(super) unread: Arc<Semaphore>,
    pub(super) feeds: Feeds,
    pub(super) jobs: Jobs,
    /// Room for streams of events.
    pub(super) streams: Arc<Semaphore>,
}

impl Desk {
    pub(super) fn new(shared: Shared) -> Desk {
        Desk(Arc::new(shared))
    }

    /// Reads files and answers with something of them.
    ///
    /// # Errors
    /// As `read`, [`Limiter::run`] and [`Desk::hold`].
    pub(super) async fn answer<T: Serialize>(
        &self,
        read: impl FnOnce(&Desk) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Response, Refusal> {
        let own = self.clone();
        let answer = self.reads.run(move |_| own.json(&read(&own)?)).await?;
        answer.map(of_json)
    }

    /// Serialises an answer.
    ///
    /// # Errors
    /// As [`Desk::hold`].
    pub(super) fn json(&self, answer: &impl Serialize) -> Result<Bytes, Refusal> {
        self.hold(serde_json::to_vec(answer).map_err(Refusal::failed)?)
    }

    /// Shares an answer among its readers. Its memory counts until the last of them has read it.
    ///
    /// # Errors
    /// If clients that do not read leave no memory for it.
    pub(super) fn hold(&self, answer: Vec<u8>) -> Result<Bytes, Refusal> {
        let size = (answer.len() >> 10) as u32;
        if size as usize > UNREAD {
            return Err(Refusal::conflict("the answer is too large; ask for less"));
        }
        let memory = || Arc::clone(&self.unread).try_acquire_many_owned(size);
        let memory = memory().or_else(|_| {
            self.curves.clear();
            memory()
        });
        let busy = "other clients do not read their answers; ask again in a moment, or for less";
        let memory = memory.map_err(|_| Refusal::busy(busy))?;
        Ok(Bytes::from_owner(Unread { answer: answer.into(), _memory: memory }))
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

struct Unread {
    answer: Box<[u8]>,
    _memory: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Unread {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::address;

    #[test]
    fn answers_that_nobody_reads_have_limited_memory() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders { runs: folder.path().into(), matches: folder.path().into() };
        let desk = address::desk(folders, Reach::Loopback, 0).unwrap();
        let answer = || desk.hold(vec![0; UNREAD << 8]);
        let held: Vec<_> = (0..4).map(|_| answer().unwrap()).collect();
        assert!(answer().is_err());
        // A second reader of the same answer takes no memory.
        let again = held[0].clone();
        drop(held);
        let held: Vec<_> = (0..3).map(|_| answer().unwrap()).collect();
        assert!(answer().is_err());
        drop((again, held));
        // Curves that are kept for later make room.
        let now = std::time::Instant::now();
        desk.curves.get_or("a", now, || None, answer).unwrap();
        let held: Vec<_> = (0..4).map(|_| answer().unwrap()).collect();
        assert!(answer().is_err());
        drop(held);
    }
}
