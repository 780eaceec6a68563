//! Events of a run.

use std::collections::VecDeque;
use std::path::PathBuf;

use serde::Serialize;

use super::feed::{EventSource, ServerEvent};
use crate::train::curves::{Columns, CurveGroup};
use crate::train::follow::{Change, FileFollower};
use crate::train::pages;
use crate::train::pages::RunCard;
use crate::web::answer::Refusal;
use crate::web::desk::Desk;
use crate::web::fingerprint::{Mark, mark};
use crate::web::runs::card;

/// The most rows in an event. A reader that has missed more asks for all of them, thinned out.
const MOST_ROWS: usize = 2000;

/// The part of a table that is read at first, in bytes. It has more rows than an event.
const TAIL: u64 = 2 << 20;

type Row = Vec<Option<f64>>;

#[derive(Serialize)]
struct NewRows<'a> {
    columns: &'a [String],
    rows: &'a [&'a Row],
    last: u32,
}

fn generation(row: &Row) -> u32 {
    row[0].unwrap_or_default() as u32
}

/// A run as of the last look.
pub(super) struct FollowedRun {
    desk: Desk,
    id: String,
    folder: PathBuf,
    history: FileFollower,
    /// None as long as the table has no header.
    columns: Option<Columns>,
    /// The last rows of the table, at most [`MOST_ROWS`].
    rows: VecDeque<Row>,
    card: Option<RunCard>,
    measured: Option<[Mark; 2]>,
}

impl FollowedRun {
    /// Follows a run.
    ///
    /// # Errors
    /// If no listing has it.
    pub(super) fn new(desk: &Desk, id: &str) -> Result<FollowedRun, Refusal> {
        let folder = desk.run_folder(id)?;
        let history = FileFollower::of(&folder.join(CurveGroup::Fitness.table()));
        Ok(FollowedRun {
            desk: desk.clone(),
            id: id.into(),
            folder,
            history,
            columns: None,
            rows: VecDeque::new(),
            card: None,
            measured: None,
        })
    }

    fn last(&self) -> u32 {
        self.rows.back().map_or(0, generation)
    }

    /// Reads new rows of the table.
    fn read(&mut self) -> Vec<ServerEvent> {
        self.read_changes().unwrap_or_else(|| {
            (self.columns, self.rows) = (None, VecDeque::new());
            // A reader that hears the reset and asks for all rows gets at least the ones that are read here.
            self.read_changes();
            vec![ServerEvent::empty("reset")]
        })
    }

    /// Reads new rows of the table, or returns `None` if it is another table now.
    fn read_changes(&mut self) -> Option<Vec<ServerEvent>> {
        let before = self.last();
        if self.columns.is_none() {
            let header = self.history.skip(TAIL).ok().flatten();
            self.columns = header
                .map(|header| Columns::of(&header, CurveGroup::Fitness).with_shares(&self.folder));
        }
        let Some(columns) = &self.columns else { return Some(Vec::new()) };
        Some(match self.history.changes() {
            Ok(Change::Lines(lines)) => {
                let rows = lines.lines().filter_map(|line| columns.row(line));
                self.rows.extend(rows.filter(|row| generation(row) > before));
                self.rows.drain(..self.rows.len().saturating_sub(MOST_ROWS));
                self.missed_rows(before)
            }
            Ok(Change::Replaced) => return None,
            Ok(Change::None) | Err(_) => Vec::new(),
        })
    }

    /// The rows after a generation. If they are not at hand, or the table ends before it, the reader has to ask for
    /// all rows.
    fn missed_rows(&self, after: u32) -> Vec<ServerEvent> {
        let (last, first) = (self.last(), self.rows.front().map_or(0, generation));
        if after == last {
            return Vec::new();
        }
        let Some(columns) = self.columns.as_ref().filter(|_| after < last && first <= after + 1)
        else {
            return vec![ServerEvent::empty("reset")];
        };
        let rows: Vec<&Row> = self.rows.iter().filter(|row| generation(row) > after).collect();
        vec![ServerEvent::new("rows", &NewRows { columns: columns.names(), rows: &rows, last })]
    }

    fn measured(&mut self) -> Option<ServerEvent> {
        let now = ["strength.csv", "champion.json"].map(|name| mark(&self.folder.join(name)));
        let before = self.measured.replace(now);
        if before.is_none_or(|before| before == now) {
            return None;
        }
        pages::strength(&self.folder).ok().map(|found| ServerEvent::new("strength", &found))
    }
}

impl EventSource for FollowedRun {
    fn look(&mut self) -> Vec<ServerEvent> {
        if !self.folder.is_dir() {
            return vec![ServerEvent::empty("runs")];
        }
        let mut events = self.read();
        events.extend(self.measured());
        let card = card(&self.desk, &self.id, &self.folder);
        if self.card.as_ref() != Some(&card) {
            events.push(ServerEvent::new("status", &card));
            self.card = Some(card);
        }
        events
    }

    fn missed(&self, after: Option<u32>) -> Vec<ServerEvent> {
        let mut events = after.map_or_else(Vec::new, |after| self.missed_rows(after));
        events.extend(self.card.iter().map(|card| ServerEvent::new("status", card)));
        events
    }
}
