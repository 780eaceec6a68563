//! Sources of events: the listings, a run, a match.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

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

/// The names of the columns and the last rows of a table, at most [`MAX_ROWS`].
pub(in crate::serve) type Tail = (Vec<String>, Vec<Row>);

fn last_rows(folder: &Path, table: &Path) -> Option<Tail> {
    let (header, lines) = last_lines(store::open(table).ok()?, TAIL)?;
    let columns = Columns::of(&header, CurveGroup::Fitness).with_shares(folder);
    let lines: Vec<String> = lines.collect();
    let newest = &lines[lines.len().saturating_sub(MAX_ROWS)..];
    let rows = newest.iter().filter_map(|line| columns.row(line)).collect();
    Some((columns.names, rows))
}

fn generation(row: &Row) -> u32 {
    row[0].unwrap_or_default() as u32
}

/// Returns an event with the rows after a generation, if there are any. If the table ends before that generation, or
/// rows are missing, the event is a reset.
fn rows_after(after: u32, (columns, rows): &Tail) -> Option<Bytes> {
    let [first, last] = [rows.first(), rows.last()].map(|row| row.map_or(0, generation));
    if after > last || (after < last && first > after + 1) {
        return Some(empty_event("reset"));
    }
    let rows: Vec<&Row> = rows.iter().filter(|row| generation(row) > after).collect();
    let data = json!({ "columns": columns, "rows": rows, "last": last });
    (!rows.is_empty()).then(|| named_event("rows", &data))
}

pub(super) struct RunEvents {
    state: Arc<AppState>,
    id: String,
    folder: PathBuf,
    /// The last generation that the reader has, if it needs the rows after it.
    after: Option<u32>,
    /// `None` before the first poll.
    table: Option<FileStamp>,
    last_row: Option<Row>,
    card: Option<RunCard>,
    strength: Option<[FileStamp; 2]>,
}

impl RunEvents {
    pub(super) fn new(state: &Arc<AppState>, id: &str, after: Option<u32>) -> ApiResult<RunEvents> {
        let (folder, state) = (state.run_folder(id)?, Arc::clone(state));
        let (id, table, last_row, card, strength) = (id.into(), None, None, None, None);
        Ok(RunEvents { state, id, folder, after, table, last_row, card, strength })
    }

    /// Reads the last rows of the table if it has changed.
    fn poll_rows(&mut self) -> Option<Bytes> {
        let path = self.folder.join(CurveGroup::Fitness.table());
        let stamp = file_stamp(&path);
        let known = self.table.replace(stamp);
        if known == Some(stamp) {
            return None;
        }
        let read =
            || Ok::<_, Infallible>(last_rows(&self.folder, &path).unwrap_or_default().into());
        let Ok(tail) =
            self.state.tails.get_or(&self.id, Instant::now(), || file_stamp(&path), read);
        let after = match std::mem::replace(&mut self.last_row, tail.1.last().cloned()) {
            // Either the table was replaced, or more rows were added than fit into an event.
            Some(row) if !tail.1.contains(&row) => return Some(empty_event("reset")),
            Some(row) => generation(&row),
            None if known.is_none() => self.after?,
            None => 0,
        };
        rows_after(after, &tail)
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
        let mut events = Vec::from_iter(self.poll_rows());
        events.extend(self.poll_strength());
        let card = card(&self.state, &self.id, &self.folder);
        if self.card.as_ref() != Some(&card) {
            events.push(named_event("status", &card));
            self.card = Some(card);
        }
        events
    }
}

pub(super) struct MatchEvents {
    state: Arc<AppState>,
    path: PathBuf,
    /// The number of games that the reader has, and whether it knows the match as running.
    known: Option<(u64, bool)>,
}

impl MatchEvents {
    pub(super) fn new(
        state: &Arc<AppState>,
        id: &str,
        after: Option<u32>,
    ) -> ApiResult<MatchEvents> {
        let path = match_file(state, id)?;
        let known = after.map(|after| (after.into(), Log::is_open(&path)));
        Ok(MatchEvents { state: Arc::clone(state), path, known })
    }
}

impl EventSource for MatchEvents {
    fn poll(&mut self) -> Vec<Bytes> {
        if !self.path.is_file() {
            return vec![empty_event("matches")];
        }
        let is_running = Log::is_open(&self.path);
        let found = (self.state.matches.count(&self.path), is_running);
        match self.known.replace(found) {
            Some((games, _)) if found.0 < games => vec![empty_event("reset")],
            Some(known) if known != found => {
                vec![named_event("games", &json!({ "games": found.0 }))]
            }
            _ => Vec::new(),
        }
    }
}
