//! Events of a match.

use std::path::PathBuf;

use serde_json::json;

use super::files::{count, file_of};
use crate::web::answer::Refusal;
use crate::web::desk::Desk;
use crate::web::events::{EventSource, ServerEvent};
use mancala::store::Log;

/// A match as of the last look.
pub(in crate::web) struct FollowedMatch {
    desk: Desk,
    path: PathBuf,
    games: u64,
    is_running: bool,
}

impl FollowedMatch {
    /// Follows a match.
    ///
    /// # Errors
    /// If no listing has it.
    pub(in crate::web) fn new(desk: &Desk, id: &str) -> Result<FollowedMatch, Refusal> {
        let (desk, path) = (desk.clone(), file_of(desk, id)?);
        Ok(FollowedMatch { desk, path, games: 0, is_running: false })
    }

    fn told(&self) -> Vec<ServerEvent> {
        vec![ServerEvent::new("games", &json!({ "games": self.games }))]
    }
}

impl EventSource for FollowedMatch {
    fn look(&mut self) -> Vec<ServerEvent> {
        if !self.path.is_file() {
            return vec![ServerEvent::empty("matches")];
        }
        let before = (self.games, self.is_running);
        self.is_running = Log::is_open(&self.path);
        self.games = count(&self.desk, &self.path);
        match before.0 {
            games if self.games < games => vec![ServerEvent::empty("reset")],
            _ if before != (self.games, self.is_running) => self.told(),
            _ => Vec::new(),
        }
    }

    fn missed(&self, after: Option<u32>) -> Vec<ServerEvent> {
        match after.map(u64::from) {
            Some(after) if self.games < after => vec![ServerEvent::empty("reset")],
            Some(after) if self.games > after => self.told(),
            _ => Vec::new(),
        }
    }
}
