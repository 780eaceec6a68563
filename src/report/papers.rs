//! The charts of two papers, drawn anew from what the studies find.

use std::fs;
use std::path::Path;

use super::charts::{Chart, Charts};
use super::error::Error;
use crate::results::LevelResult;
use mancala::store::FileError;

/// Figures 5.1 to 5.4 of the thesis: the seeds of table 5.1, a chart a level.
pub(super) fn levels(games: &[LevelResult]) -> Charts {
    let of_level = |games: &[LevelResult]| {
        let group = |game: &LevelResult| {
            let ([rbh, level], [printed, awale]) = (game.seeds, game.printed.seeds);
            vec![f64::from(rbh), f64::from(printed), f64::from(level), f64::from(awale)]
        };
        Chart::Bars {
            title: format!("{}: seeds in each of six games", games[0].level),
            groups: games.iter().map(group).collect(),
        }
    };
    let notes = [
        "figures 5.1 to 5.4 of Akinyemi 2012 beside games of ours; levels of ours, since Awale's cannot be had",
    ];
    Charts::new(
        "Seeds captured by RBH and its opponents",
        &notes,
        &["RBH", "RBH, printed", "level of ours", "Awale, printed"],
        games.chunk_by(|a, b| a.level == b.level).map(of_level).collect(),
    )
}

/// Titles of charts of the Kansas report, with the file and the columns that are added up. `None`: bars of how
/// many combinations with each heuristic win nearly always.
type Sorted = (&'static str, &'static str, &'static [&'static str]);

const SORTED: [Sorted; 5] = [
    ("IV B, figure 7: stones a move", "random.csv", &["stones_per_move"]),
    ("IV B, figure 9: captures a move", "random.csv", &["captures_per_move"]),
    ("IV B, figure 11: go-agains a move", "random.csv", &["go_agains_per_move"]),
    (
        "IV B, figure 13: captures and go-agains a move",
        "random.csv",
        &["captures_per_move", "go_agains_per_move"],
    ),
    ("IV C, figure 11: share of games won", "round-robin.csv", &["win"]),
];

/// The share from which a combination wins nearly always: 799 games of 800.
const NEARLY: f64 = 0.998_75 - 1e-9;

/// What the Kansas report prints that the tables of a study do not hold.
#[derive(Debug, Clone)]
pub struct PrintedCharts {
    /// How many combinations with each heuristic won nearly every game.
    pub counts: [usize; 6],
    /// Combinations, as tables write them, with the shares of games won, won moving first and second, tied and not
    /// lost.
    pub standings: Vec<(String, [f64; 5])>,
}

/// The charts of the Kansas report, of the tables in a folder.
pub(super) fn kansas(folder: &Path, printed: &PrintedCharts) -> Result<Charts, Error> {
    let mut charts = vec![counts(folder, printed.counts)?, standings(folder, &printed.standings)?];
    for (title, file, columns) in SORTED {
        let pairs = pairs(folder, file, columns)?;
        charts.push(Chart::Falling { title: title.into(), pairs });
    }
    let notes = [
        "charts of Gifford et al. 2008, drawn from their tables; combinations in the order of the printed figure",
        "figures 3 to 5 count those that win 799 games of 800; figure 10: won, first, second, tied, not lost",
    ];
    Ok(Charts::new("Charts of the Kansas report", &notes, &["ours", "printed"], charts))
}

/// Figures 3 to 5 of section B, as the count of combinations that win nearly every game.
fn counts(folder: &Path, printed: [usize; 6]) -> Result<Chart, Error> {
    let mut ours = [0; 6];
    for row in rows(folder, "random.csv", &["heuristics", "win"])? {
        if row[1].parse::<f64>().is_ok_and(|win| win >= NEARLY) {
            for (count, digit) in ours.iter_mut().zip(row[0].chars()) {
                *count += usize::from(digit == '1');
            }
        }
    }
    let groups = ours.iter().zip(printed).map(|(&a, b)| vec![a as f64, b as f64]).collect();
    let title = "IV B, figures 3 to 5: combinations with H1 to H6".into();
    Ok(Chart::Bars { title, groups })
}

/// Figure 10 of section C: five shares of each of some combinations, one combination after the other.
fn standings(folder: &Path, printed: &[(String, [f64; 5])]) -> Result<Chart, Error> {
    let columns = ["heuristics", "win", "win_first", "win_second", "tie"];
    let rows = rows(folder, "round-robin.csv", &columns)?;
    let mut groups = Vec::new();
    for (name, printed) in printed {
        let Some(row) = rows.iter().find(|row| row[0] == *name) else { continue };
        let share = |at: usize| row[at].parse::<f64>().ok().filter(|it| it.is_finite());
        let shares = [share(1), share(2), share(3), share(4)].map(|it| it.unwrap_or(0.0));
        let [win, first, second, tie] = shares;
        let ours = [win, first, second, tie, win + tie];
        groups.extend(ours.into_iter().zip(*printed).map(|(ours, printed)| vec![ours, printed]));
    }
    let title = "IV C, figure 10: five shares of four combinations".into();
    Ok(Chart::Bars { title, groups })
}

/// The printed figure and ours, of every row that has both.
fn pairs(folder: &Path, file: &str, columns: &[&str]) -> Result<Vec<[f64; 2]>, Error> {
    let printed: Vec<String> = columns.iter().map(|it| format!("printed_{it}")).collect();
    let names: Vec<&str> =
        printed.iter().map(String::as_str).chain(columns.iter().copied()).collect();
    let sum = |cells: &[String]| -> Option<f64> {
        cells.iter().map(|cell| cell.parse::<f64>().ok().filter(|it| it.is_finite())).sum()
    };
    let both = |row: Vec<String>| {
        let (printed, ours) = row.split_at(columns.len());
        Some([sum(printed)?, sum(ours)?])
    };
    Ok(rows(folder, file, &names)?.into_iter().filter_map(both).collect())
}

/// Some columns of a table.
fn rows(folder: &Path, file: &str, columns: &[&str]) -> Result<Vec<Vec<String>>, Error> {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).map_err(FileError::of("read", &path))?;
    let refused = |reason| Error::Results { path: path.clone(), kind: "Kalah study", reason };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| refused(error.to_string()))?.clone();
    let place = |column: &&str| {
        let found = header.iter().position(|name| name == *column);
        found.ok_or_else(|| refused(format!("there is no column {column}")))
    };
    let places: Vec<usize> = columns.iter().map(place).collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| refused(error.to_string()))?;
        found.push(places.iter().map(|&at| record[at].to_owned()).collect());
    }
    Ok(found)
}
