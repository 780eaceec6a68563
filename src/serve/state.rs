//! The state that all requests share: folders, caches and limits.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use std::{fs, thread};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use mancala::progress::Progress;
use mancala::store::Lock;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::{ApiError, ApiResult, Jobs, Token, matches, runs};
use crate::matches::saved::SavedMatches;
use crate::terminal::Interrupt;

/// The maximum number of connections. (A browser opens at most six.)
pub(super) const MAX_CONNECTIONS: usize = 512;
pub(super) const MAX_STREAMS: usize = 128;
pub(super) const MAX_DOWNLOADS: usize = 64;
/// The maximum amount of memory in KiB for responses that clients haven't read yet.
const MAX_UNREAD: usize = 48 << 10;
const SEARCH_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a request waits for its task to start.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);

pub(super) type Shared = State<Arc<AppState>>;

pub(super) struct AppState {
    pub(super) token: Token,
    pub(super) cookie: Token,
    pub(super) port: u16,
    /// Whether other devices on the network may start and stop processes.
    pub(super) lan_control: bool,
    pub(super) runs: DirIndex,
    /// Cards (summaries) of runs by name. A card is valid while the folder's stamp is the same.
    pub(super) cards: Mutex<HashMap<String, (FolderStamp, Value)>>,
    pub(super) match_files: DirIndex,
    pub(super) matches: SavedMatches,
    pub(super) searches: Limiter,
    /// Allows one read at a time, so that we have at most one large file in memory.
    reads: Limiter,
    /// Limits downloads, because each of them keeps a file open.
    pub(super) downloads: Arc<Semaphore>,
    unread: Arc<Semaphore>,
    pub(super) jobs: Jobs,
    pub(super) streams: Arc<Semaphore>,
}

impl AppState {
    pub(super) fn new(
        port: u16,
        lan_control: bool,
        runs: &Path,
        matches: &Path,
    ) -> anyhow::Result<Arc<AppState>> {
        Ok(Arc::new(AppState {
            token: Token::new()?,
            cookie: Token::new()?,
            port,
            lan_control,
            runs: DirIndex { folder: runs.into(), is_entry: runs::is_run },
            cards: Mutex::default(),
            match_files: DirIndex { folder: matches.into(), is_entry: matches::is_match },
            matches: SavedMatches::default(),
            searches: Limiter(Arc::new(Semaphore::new(cores()))),
            reads: Limiter(Arc::new(Semaphore::new(1))),
            downloads: Arc::new(Semaphore::new(MAX_DOWNLOADS)),
            unread: Arc::new(Semaphore::new(MAX_UNREAD)),
            jobs: Jobs::default(),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        }))
    }

    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Arc<AppState>) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let state = Arc::clone(self);
        self.reads.run(move |_| read(&state)).await?
    }

    pub(super) async fn read_json<T: Serialize>(
        self: &Arc<Self>,
        read: impl FnOnce(&AppState) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult {
        let json = self.read(move |state| {
            state.hold(serde_json::to_vec(&read(state)?).map_err(ApiError::internal)?)
        });
        Ok(([(CONTENT_TYPE, "application/json")], json.await?).into_response())
    }

    /// Reserves memory for a response until all of its readers have finished.
    pub(super) fn hold(&self, response: Vec<u8>) -> ApiResult<Bytes> {
        let size = response.len() >> 10;
        if size > MAX_UNREAD {
            return Err(ApiError::conflict("the response is too large; request less"));
        }
        let permit = Arc::clone(&self.unread).try_acquire_many_owned(size as u32);
        let message =
            "too many responses are waiting to be read by clients; try again later or request less";
        let permit = permit.map_err(|_| ApiError::busy(message))?;
        Ok(Bytes::from_owner(Unread { response: response.into(), _permit: permit }))
    }

    pub(super) fn run_folder(&self, id: &str) -> ApiResult<PathBuf> {
        self.runs
            .find(id)
            .ok_or_else(|| ApiError::not_found(format!("no run with ID {id:?} in this folder")))
    }
}

pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

struct Unread {
    response: Box<[u8]>,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Unread {
    fn as_ref(&self) -> &[u8] {
        &self.response
    }
}

/// Runs a limited number of blocking tasks at once. Other requests have to wait.
pub(super) struct Limiter(Arc<Semaphore>);

impl Limiter {
    /// Runs a task in a free slot. We ask the task to stop after [`SEARCH_TIMEOUT`] or when the future is dropped.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        task: impl FnOnce(&dyn Progress) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let running = timeout(QUEUE_TIMEOUT, Arc::clone(&self.0).acquire_owned()).await;
        let Ok(Ok(running)) = running else {
            return Err(ApiError::busy("the server is busy; try again later"));
        };
        let interrupt = Interrupt::default();
        interrupt.set_after(SEARCH_TIMEOUT);
        let _cancel = CancelOnDrop(interrupt.clone());
        let result = spawn_blocking(move || {
            // We keep the slot until the task has ended, even if the client disconnects earlier.
            let _running = running;
            task(&interrupt)
        });
        result.await.map_err(|_| ApiError::internal("the request failed; this is a bug in ayo"))
    }
}

struct CancelOnDrop(Interrupt);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Looks up the entries of a folder by name. We never build a path from a request. Instead, we search for the name in
/// the folder's listing, which excludes links that lead out of the folder.
pub(super) struct DirIndex {
    pub(super) folder: PathBuf,
    is_entry: fn(&Path) -> bool,
}

impl DirIndex {
    /// Lists names and paths, sorted by name.
    pub(super) fn list(&self) -> Vec<(String, PathBuf)> {
        let mut entries: Vec<_> = self.named(|_| true).collect();
        entries.sort();
        entries
    }

    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        self.named(|entry| entry == name).next().map(|(_, path)| path)
    }

    fn named(&self, has_name: impl Fn(&str) -> bool) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entries =
            entries.filter_map(|it| Some((it.file_name().into_string().ok()?, it.path())));
        entries.filter(move |(name, path)| {
            let is_visible = !name.starts_with('.') && has_name(name);
            is_visible && self.is_inside(path) && (self.is_entry)(path)
        })
    }

    fn is_inside(&self, path: &Path) -> bool {
        if !path.is_symlink() {
            return true;
        }
        let (target, folder) = (path.canonicalize(), self.folder.canonicalize());
        target.is_ok_and(|target| folder.is_ok_and(|folder| target.starts_with(folder)))
    }
}

/// The length and modification time of a file, or `None` if it doesn't exist.
pub(super) type FileStamp = Option<(u64, SystemTime)>;

pub(super) fn file_stamp(path: &Path) -> FileStamp {
    let data = path.metadata().ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// The name, length and time of each file in a run folder, and whether a process is using the folder.
pub(super) type FolderStamp = (Vec<(String, FileStamp)>, bool);

pub(super) fn folder_stamp(folder: &Path) -> FolderStamp {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), file_stamp(&entry.path()))
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    (files, Lock::is_held(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unread_responses_have_limited_memory() {
        let folder = Path::new("no such folder");
        let state = AppState::new(0, false, folder, folder).unwrap();
        let hold = || state.hold(vec![0; MAX_UNREAD << 8]);
        let held: Vec<_> = (0..4).map(|_| hold().unwrap()).collect();
        assert!(hold().is_err());
        drop(held);
        assert!(hold().is_ok());
    }
}
