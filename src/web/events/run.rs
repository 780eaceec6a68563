//! A run as it goes on.

use std::path::PathBuf;
use std::time::SystemTime;

use super::{Followed, News};
use crate::app::curves::{Columns, Wanted};
use crate::app::follow::{Grown, Tail};
use crate::app::pages;
use crate::results::{Curves, RunCard};
use crate::web::desk::Desk;
use crate::web::runs::card;

/// More rows at once than this are for the page to ask for, thinned out.
const MOST_ROWS: usize = 2000;

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
        match self.history.grown() {
            Ok(Grown::Lines(text)) => self.told_of(&text),
            Ok(Grown::Anew) => {
                // What comes from now on is heard after all was asked for anew.
                (self.columns, self.told) = (None, None);
                vec![News::plain("reset")]
            }
            Ok(Grown::Same) | Err(_) => Vec::new(),
        }
    }

    /// What is new in some lines, of which the first of the file is the header.
    fn told_of(&mut self, text: &str) -> Vec<News> {
        let mut lines = text.lines();
        let is_first = self.columns.is_none();
        let columns = self
            .columns
            .get_or_insert_with(|| Columns::of(lines.next().unwrap_or_default(), Wanted::Fitness));
        let rows: Vec<_> = lines.filter_map(|line| columns.row(line)).collect();
        let generation = |row: &Vec<Option<f64>>| row[0].unwrap_or_default() as u32;
        let last = rows.last().map_or(0, generation);
        let Some(told) = self.told.filter(|_| !is_first || last > 0) else {
            self.told = Some(last);
            return Vec::new();
        };
        if is_first && told > last {
            self.told = Some(last);
            return vec![News::plain("reset")];
        }
        let total = rows.len();
        let new: Vec<_> = rows.into_iter().filter(|row| generation(row) > told).collect();
        self.told = Some(last.max(told));
        if new.len() > MOST_ROWS {
            return vec![News::plain("reset")];
        }
        let names = columns.names().to_vec();
        let found = Curves { columns: names, rows: new, last, total, decimated: false };
        if found.rows.is_empty() { Vec::new() } else { vec![News::of("rows", &found)] }
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
