//! What requests share.

use std::path::PathBuf;
use std::sync::Arc;

use super::access::Token;
use super::address::{Hosts, Reach};
use super::answer::Refusal;
use super::jobs::Jobs;
use super::searches::Searches;
use super::shelf::Shelf;

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
    pub(super) hosts: Hosts,
    pub(super) reach: Reach,
    pub(super) folders: Folders,
    /// The run folders.
    pub(super) runs: Shelf,
    pub(super) searches: Searches,
    pub(super) jobs: Jobs,
}

impl Desk {
    pub(super) fn new(shared: Shared) -> Desk {
        Desk(Arc::new(shared))
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
