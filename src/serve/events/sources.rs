//! Sources of events: the listings, a run, a match.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use serde_json::json;

use super::{empty_event, named_event};
use crate::serve::{
    ApiResult, AppState, FileStamp, file_stamp,
    matches::{match_file, stamps},
    runs::{card, cards},
};
use crate::train::curves::{Columns, CurveGroup, Row, last_lines};
use crate::train::pages::{self, RunCard};
use mancala::store::{self, Log};

/// Maximum number of rows in an event. A reader that has missed more than that requests a decimated table.
const MAX_ROWS: usize = 2000;
/// Number of bytes that are read from the end of a table. They suffice for more rows than an event may have.
const TAIL: u64 = 2 << 20;

pub(super) trait EventSource: Send + 'static {
    /// Returns the events since the last poll.
    fn poll(&mut self) -> Vec<Bytes>;

    /// Returns the events that a reader has missed if it has the rows or games up to `after`. If `after` is `None`, it
    /// does not need rows or games.
    fn missed(&self, _after: Option<u32>) -> Vec<Bytes> {
        Vec::new()
    }
}

pub(super) struct Listings {
    state: Arc<AppState>,
    runs: Option<BTreeMap<String, RunCard>>,
    matches: Option<Vec<(String, u64, bool)>>,
}

impl Listings {
    pub(super) fn new(state: &Arc<AppState>) -> Listings {
        Listings { state: Arc::clone(state), runs: None, matches: None }
    }

    fn poll_runs(&mut self) -> Vec<Bytes> {
        let cards = cards(&self.state).into_iter().map(|card| (card.id.clone(), card));
        let runs: BTreeMap<String, RunCard> = cards.collect();
        let Some(previous) = self.runs.replace(runs.clone()) else { return Vec::new() };
        let is_same_list = previous.len() == runs.len()
            && previous.values().zip(runs.values()).all(|(a, b)| has_same_state(a, b));
        if !is_same_list {
            return vec![empty_event("runs")];
        }
        let changed = runs.values().zip(previous.values()).filter(|(run, old)| run != old);
        changed.map(|(run, _)| named_event("status", run)).collect()
    }
}

/// Returns whether two cards of a run differ at most in its progress.
fn has_same_state(a: &RunCard, b: &RunCard) -> bool {
    (&a.id, &a.state, &a.champion, &a.strength, &a.error)
        == (&b.id, &b.state, &b.champion, &b.strength, &b.error)
}

impl EventSource for Listings {
    fn poll(&mut self) -> Vec<Bytes> {
        let mut events = self.poll_runs();
        let matches = stamps(&self.state);
        let previous = self.matches.replace(matches.clone());
        if previous.is_some_and(|previous| previous != matches) {
            events.push(empty_event("matches"));
        }
        events
    }
}

fn generation(row: &Row) -> u32 {
    row[0].unwrap_or_default() as u32
}

pub(super) struct RunEvents {
    state: Arc<AppState>,
    id: String,
    folder: PathBuf,
    table: FileStamp,
    columns: Vec<String>,
    /// The last rows of the table, at most [`MAX_ROWS`].
    rows: Vec<Row>,
    card: Option<RunCard>,
    strength: Option<[FileStamp; 2]>,
}

impl RunEvents {
    pub(super) fn new(state: &Arc<AppState>, id: &str) -> ApiResult<RunEvents> {
        let folder = state.run_folder(id)?;
        Ok(RunEvents {
            state: Arc::clone(state),
            id: id.into(),
            folder,
            table: None,
            columns: Vec::new(),
            rows: Vec::new(),
            card: None,
            strength: None,
        })
    }

    fn last(&self) -> u32 {
        self.rows.last().map_or(0, generation)
    }

    /// Rereads the last rows of the table if it has changed.
    fn poll_rows(&mut self) -> Vec<Bytes> {
        let path = self.folder.join(CurveGroup::Fitness.table());
        let stamp = file_stamp(&path);
        if stamp == self.table {
            return Vec::new();
        }
        self.table = stamp;
        let previous = self.rows.last().cloned();
        (self.columns, self.rows) = self.last_rows(&path).unwrap_or_default();
        match previous {
            // Either the table was replaced, or more rows were added than fit into an event.
            Some(row) if !self.rows.contains(&row) => vec![empty_event("reset")],
            row => self.rows_after(row.as_ref().map_or(0, generation)),
        }
    }

    fn last_rows(&self, table: &Path) -> Option<(Vec<String>, Vec<Row>)> {
        let (header, lines) = last_lines(store::open(table).ok()?, TAIL)?;
        let columns = Columns::of(&header, CurveGroup::Fitness).with_shares(&self.folder);
        let lines: Vec<String> = lines.collect();
        let newest = &lines[lines.len().saturating_sub(MAX_ROWS)..];
        let rows = newest.iter().filter_map(|line| columns.row(line)).collect();
        Some((columns.names, rows))
    }

    /// Returns events with the rows after a generation. If these are not in memory, or the table ends before that
    /// generation, returns a reset.
    fn rows_after(&self, after: u32) -> Vec<Bytes> {
        let (last, first) = (self.last(), self.rows.first().map_or(0, generation));
        if after == last {
            return Vec::new();
        }
        if after > last || first > after + 1 {
            return vec![empty_event("reset")];
        }
        let rows: Vec<&Row> = self.rows.iter().filter(|row| generation(row) > after).collect();
        let data = json!({ "columns": self.columns, "rows": rows, "last": last });
        vec![named_event("rows", &data)]
    }

    fn poll_strength(&mut self) -> Option<Bytes> {
        let stamps = ["strength.csv", "champion.json"].map(|it| file_stamp(&self.folder.join(it)));
        let previous = self.strength.replace(stamps);
        if previous.is_none_or(|previous| previous == stamps) {
            return None;
        }
        pages::strength(&self.folder).ok().map(|strength| named_event("strength", &strength))
    }
}

impl EventSource for RunEvents {
    fn poll(&mut self) -> Vec<Bytes> {
        if !self.folder.is_dir() {
            return vec![empty_event("runs")];
        }
        let mut events = self.poll_rows();
        events.extend(self.poll_strength());
        let card = card(&self.state, &self.id, &self.folder);
        if self.card.as_ref() != Some(&card) {
            events.push(named_event("status", &card));
            self.card = Some(card);
        }
        events
    }

    fn missed(&self, after: Option<u32>) -> Vec<Bytes> {
        let mut events = after.map_or_else(Vec::new, |after| self.rows_after(after));
        events.extend(self.card.iter().map(|card| named_event("status", card)));
        events
    }
}

pub(super) struct MatchEvents {
    state: Arc<AppState>,
    path: PathBuf,
    games: u64,
    is_running: bool,
}

impl MatchEvents {
    pub(super) fn new(state: &Arc<AppState>, id: &str) -> ApiResult<MatchEvents> {
        let path = match_file(state, id)?;
        Ok(MatchEvents { state: Arc::clone(state), path, games: 0, is_running: false })
    }

    fn count(&self) -> Bytes {
        named_event("games", &json!({ "games": self.games }))
    }
}

impl EventSource for MatchEvents {
    fn poll(&mut self) -> Vec<Bytes> {
        if !self.path.is_file() {
            return vec![empty_event("matches")];
        }
        let previous = (self.games, self.is_running);
        self.is_running = Log::is_open(&self.path);
        self.games = self.state.matches.count(&self.path);
        match previous.0 {
            games if self.games < games => vec![empty_event("reset")],
            _ if previous != (self.games, self.is_running) => vec![self.count()],
            _ => Vec::new(),
        }
    }

    fn missed(&self, after: Option<u32>) -> Vec<Bytes> {
        match after.map(u64::from) {
            Some(after) if self.games < after => vec![empty_event("reset")],
            Some(after) if self.games > after => vec![self.count()],
            _ => Vec::new(),
        }
    }
}
