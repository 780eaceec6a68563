//! A run as it goes on.

use std::path::PathBuf;
use std::time::SystemTime;

use serde::Serialize;

use super::news::{Followed, News};
use crate::app::curves::{Columns, Wanted};
use crate::app::follow::{Grown, Tail};
use crate::app::pages;
use crate::results::RunCard;
use crate::web::desk::Desk;
use crate::web::runs::card;

/// More rows at once than this are for the page to ask for, thinned out.
const MOST_ROWS: usize = 2000;

/// How much of a table is read at first, in bytes: more than so many rows.
const TAIL: u64 = 2 << 20;

/// Rows that have come.
#[derive(Serialize)]
struct NewRows<'a> {
    columns: &'a [String],
    rows: &'a [Vec<Option<f64>>],
    /// The last generation among them.
    last: u32,
}

fn generation(row: &[Option<f64>]) -> u32 {
    row[0].unwrap_or_default() as u32
}

/// A run, and how far whoever follows it has heard.
pub(super) struct FollowedRun {
    id: String,
    folder: PathBuf,
    history: Tail,
    columns: Option<Columns>,
    /// The last generation that was told; none if it is to begin with the next one.
    told: Option<u32>,
    card: Option<RunCard>,
    measured: Option<Mark>,
}

/// Lengths and times of the files that measurements are in.
type Mark = [Option<(u64, SystemTime)>; 2];

impl FollowedRun {
    /// Follows a run from after a generation, or else from where it stands.
    pub(super) fn new(id: String, folder: PathBuf, after: Option<u32>) -> FollowedRun {
        let history = Tail::of(&folder.join(Wanted::Fitness.table()));
        let (columns, card, measured) = (None, None, None);
        FollowedRun { id, folder, history, columns, told: after, card, measured }
    }

    fn rows(&mut self) -> Vec<News> {
        let Some(columns) = self.columns.clone() else { return self.begin() };
        match self.history.grown() {
            Ok(Grown::Lines(text)) => self.told_of(&columns, &text),
            Ok(Grown::Anew) => {
                // Whoever asks for everything when this is heard gets at least the rows that are there now.
                (self.columns, self.told) = (None, None);
                self.begin();
                vec![News::plain("reset")]
            }
            Ok(Grown::Same) | Err(_) => Vec::new(),
        }
    }

    /// Looks at the table for the first time.
    fn begin(&mut self) -> Vec<News> {
        let Ok(Some(header)) = self.history.skip(TAIL) else { return Vec::new() };
        let columns = Columns::of(&header, Wanted::Fitness).with_shares(&self.folder);
        self.columns = Some(columns.clone());
        let text = match self.history.grown() {
            Ok(Grown::Lines(text)) => text,
            _ => String::new(),
        };
        let found = text.lines().filter_map(|line| columns.row(line));
        let mut generations = found.map(|row| generation(&row));
        let first = generations.next().unwrap_or(0);
        let last = generations.next_back().unwrap_or(first);
        let Some(told) = self.told else {
            self.told = Some(last);
            return Vec::new();
        };
        // Rows in between are for the page to ask for, thinned out; and of a table that ends before, all of them.
        if told > last || told + 1 < first {
            self.told = Some(last);
            return vec![News::plain("reset")];
        }
        self.told_of(&columns, &text)
    }

    /// What is new in some lines.
    fn told_of(&mut self, columns: &Columns, text: &str) -> Vec<News> {
        let told = self.told.unwrap_or_default();
        let rows = text.lines().filter_map(|line| columns.row(line));
        let new: Vec<_> = rows.filter(|row| generation(row) > told).collect();
        let last = new.last().map_or(told, |row| generation(row));
        self.told = Some(last);
        match new.len() {
            0 => Vec::new(),
            1..=MOST_ROWS => {
                vec![News::of("rows", &NewRows { columns: columns.names(), rows: &new, last })]
            }
            _ => vec![News::plain("reset")],
        }
    }

    fn measured(&mut self) -> Option<News> {
        let mark = |name| {
            let data = self.folder.join(name).metadata().ok()?;
            Some((data.len(), data.modified().ok()?))
        };
        let now = ["strength.csv", "champion.json"].map(mark);
        let before = self.measured.replace(now);
        if before.is_none_or(|before| before == now) {
            return None;
        }
        pages::strength(&self.folder).ok().map(|found| News::of("strength", &found))
    }

    fn status(&mut self, desk: &Desk) -> Option<News> {
        let now = card(desk, &self.id, &self.folder);
        let is_new = self.card.as_ref() != Some(&now);
        is_new.then(|| {
            let news = News::of("status", &now);
            self.card = Some(now);
            news
        })
    }
}

impl Followed for FollowedRun {
    fn news(&mut self, desk: &Desk) -> Vec<News> {
        if !self.folder.is_dir() {
            return vec![News::plain("runs")];
        }
        let mut news = self.rows();
        news.extend(self.measured());
        news.extend(self.status(desk));
        news
    }
}
