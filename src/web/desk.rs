//! What requests share.

use std::path::PathBuf;
use std::sync::Arc;

use super::access::Token;
use super::address::{Hosts, Reach};
use super::answer::Refusal;
use super::events::{Followed, Streams};
use super::jobs::Jobs;
use super::kept::Kept;
use super::matches::{self, FollowedMatch};
use super::runs::Fingerprint;
use super::searches::Searches;
use super::shelf::Shelf;
use crate::app::matches::Matches;
use crate::results::RunCard;

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
    /// Their cards.
    pub(super) cards: Kept<String, Fingerprint, RunCard>,
    /// The files of games.
    pub(super) match_files: Shelf,
    /// What was read of them.
    pub(super) matches: Matches,
    pub(super) searches: Searches,
    pub(super) jobs: Jobs,
    pub(super) streams: Streams,
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

    /// What is told of a match whose page has heard of so many games.
    ///
    /// # Errors
    /// If no listing has it.
    pub(super) fn followed_match(
        &self,
        id: &str,
        after: Option<u32>,
    ) -> Result<Box<dyn Followed>, Refusal> {
        Ok(Box::new(FollowedMatch::new(self, id, after.map(u64::from))?))
    }

    /// The matches, with the lengths of their files and whether they are played.
    pub(super) fn matches_by_length(&self) -> Vec<(String, u64, bool)> {
        matches::marks(self)
    }
}

impl std::ops::Deref for Desk {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
