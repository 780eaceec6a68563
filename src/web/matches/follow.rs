//! A match as it goes on.

use std::path::PathBuf;

use serde_json::json;

use super::files::{count, file_of};
use crate::web::answer::Refusal;
use crate::web::desk::Desk;
use crate::web::events::{Followed, News};
use mancala::store::Log;

/// A match, and how far whoever follows it has heard.
pub(in crate::web) struct FollowedMatch {
    path: PathBuf,
    /// The games that were told of; none if it is to begin with the next one.
    told: Option<u64>,
    is_running: Option<bool>,
}

impl FollowedMatch {
    /// Follows a match from after so many games, or else from where it stands.
    ///
    /// # Errors
    /// If no listing has it.
    pub(in crate::web) fn new(
        desk: &Desk,
        id: &str,
        after: Option<u64>,
    ) -> Result<FollowedMatch, Refusal> {
        Ok(FollowedMatch { path: file_of(desk, id)?, told: after, is_running: None })
    }
}

impl Followed for FollowedMatch {
    fn news(&mut self, desk: &Desk) -> Vec<News> {
        if !self.path.is_file() {
            return vec![News::plain("matches")];
        }
        let is_running = Log::is_open(&self.path);
        let games = count(desk, &self.path);
        let told = self.told.replace(games);
        let changed = self.is_running.replace(is_running).is_some_and(|it| it != is_running);
        match told {
            Some(told) if games < told => vec![News::plain("reset")],
            Some(told) if games > told || changed => {
                vec![News::of("games", &json!({ "games": games }))]
            }
            _ => Vec::new(),
        }
    }
}
