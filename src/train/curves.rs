//! Reads curves from the tables of a run, downsampled to the number of points that can be shown.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use evolve::run::{RunFolder, Settings};
use mancala::store;
use serde::{Deserialize, Serialize};

const MAX_LINE: u64 = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CurveGroup {
    Fitness,
    Diversity,
    /// The mean of each weight.
    Weights,
    /// The losses and scores that are recorded when features are learned.
    Fit,
}

impl CurveGroup {
    pub fn table(self) -> &'static str {
        if self == CurveGroup::Fit { "iterations.csv" } else { "history.csv" }
    }

    fn includes(self, column: &str) -> bool {
        match self {
            CurveGroup::Fitness => ["best", "mean", "worst", "sd"].contains(&column),
            CurveGroup::Diversity => ["hamming", "distinct"].contains(&column),
            CurveGroup::Weights => column.ends_with("_mean"),
            CurveGroup::Fit => ["first_loss", "last_loss", "evolved"].contains(&column),
        }
    }
}

/// Columns that were selected from a table, and their positions in the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    /// The names of the columns. The first is `generation`.
    pub names: Vec<String>,
    places: Vec<usize>,
    /// The settings of the run, which determine the maximum fitness. This is `None` if the settings can't be read.
    settings: Option<Settings>,
}

const FITNESS: [&str; 3] = ["best", "mean", "worst"];

impl Columns {
    /// Selects a group's columns from a table's header. Adds columns with fitness as a fraction of the maximum.
    pub fn of(header: &str, group: CurveGroup, run: &Path) -> Columns {
        let all = header.trim_end().split(',').enumerate();
        let of_table = all.filter(|(place, name)| *place == 0 || group.includes(name));
        let (places, mut names): (Vec<usize>, Vec<String>) =
            of_table.map(|(place, name)| (place, name.to_owned())).unzip();
        let settings = RunFolder::settings(run).ok();
        let is_shared = |it: &&str| settings.is_some() && names.iter().any(|name| name == it);
        let shares = FITNESS.into_iter().filter(is_shared).map(|name| format!("{name}_share"));
        names.extend(shares.collect::<Vec<_>>());
        Columns { names, places, settings }
    }

    /// Returns the selected values in a line, or `None` if the line isn't a valid row.
    pub fn row(&self, line: &str) -> Option<Vec<Option<f64>>> {
        let mut fields = line.trim_end().split(',').enumerate();
        let mut field = |place| fields.find(|(at, _)| *at == place).map(|(_, field)| field);
        let values: Option<Vec<_>> = self.places.iter().map(|&place| field(place)).collect();
        let mut values: Vec<Option<f64>> =
            values?.into_iter().map(|text| text.parse().ok()).collect();
        let generation = (*values.first()?)?;
        if let Some(settings) = &self.settings {
            let possible = settings.best_possible_fitness(generation as u32).max(1) as f64;
            // The fitness columns start at index 1. The fractions are in the same order.
            for place in 1..=self.names.len() - self.places.len() {
                values.push(values[place].map(|fitness| fitness / possible));
            }
        }
        Some(values)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "history")]
pub struct Curves {
    /// The names of the columns. The first is `generation`.
    columns: Vec<String>,
    rows: Vec<Row>,
    last: u32,
    total: usize,
    /// Whether each block of generations was reduced to two rows: the minima and the maxima.
    decimated: bool,
}

/// Reads the curves of a run.
///
/// Skips generations up to `after`. If more than `points` rows remain, combines them into fewer. A
/// missing or unreadable table is treated as empty. The table is read twice, line by line, so that
/// it isn't kept in memory. (The first pass only counts the rows.)
pub fn curves(folder: &Path, group: CurveGroup, after: Option<u32>, points: usize) -> Curves {
    let path = folder.join(group.table());
    let lines = || store::open(&path).map(BufReader::new).map(whole_lines).into_iter().flatten();
    let columns = Columns::of(&lines().next().unwrap_or("generation".into()), group, folder);
    let is_new = |generation: u32| after.is_none_or(|after| generation > after);
    let (mut total, mut last, mut count) = (0, 0, 0);
    for generation in lines().skip(1).filter_map(|line| generation(&line)) {
        (total, last) = (total + 1, generation);
        count += usize::from(is_new(generation));
    }
    let new = lines().skip(1).filter(|line| generation(line).is_some_and(is_new));
    let rows = new.filter_map(|line| columns.row(&line)).take(count);
    let decimated = count > points;
    let rows = if decimated { thinned(rows, count, points) } else { rows.collect() };
    Curves { columns: columns.names, rows, last, total, decimated }
}

/// Returns the complete lines of a table with their line endings.
fn whole_lines(mut table: impl BufRead) -> impl Iterator<Item = String> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        table.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
        line.ends_with(b"\n").then(|| String::from_utf8_lossy(&line).into_owned())
    })
}

/// Returns the header and the complete lines in roughly the last `bytes` bytes, or `None` if the header is incomplete.
pub fn last_lines(table: File, bytes: u64) -> Option<(String, impl Iterator<Item = String>)> {
    let length = table.metadata().ok()?.len();
    let mut table = BufReader::new(table);
    let header = whole_lines(&mut table).next()?;
    if length > header.len() as u64 + bytes {
        table.seek(SeekFrom::Start(length - bytes)).ok()?;
        // Skip the rest of a partial line.
        whole_lines(&mut table).next();
    }
    Some((header, whole_lines(table)))
}

fn generation(line: &str) -> Option<u32> {
    Some(line.split(',').next()?.parse::<f64>().ok()? as u32)
}

pub type Row = Vec<Option<f64>>;

/// Divides `count` rows into blocks and replaces each block with two rows: the minimum and the maximum of each column.
/// Note that the generations in these two rows are the first and the last generation of the block.
fn thinned(rows: impl Iterator<Item = Row>, count: usize, points: usize) -> Vec<Row> {
    let blocks = (points / 2).max(1);
    let mut pairs: Vec<[Row; 2]> = Vec::new();
    for (index, row) in rows.enumerate() {
        let Some([least, greatest]) = pairs.get_mut(index * blocks / count) else {
            pairs.push([row.clone(), row]);
            continue;
        };
        for ((least, greatest), value) in least.iter_mut().zip(greatest).zip(row) {
            let Some(value) = value else { continue };
            *least = Some(least.map_or(value, |least| least.min(value)));
            *greatest = Some(greatest.map_or(value, |greatest| greatest.max(value)));
        }
    }
    pairs.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    fn extremes(rows: &[Vec<Option<f64>>], column: usize) -> (Option<f64>, Option<f64>) {
        let values = || rows.iter().filter_map(|row| row[column]);
        (values().min_by(f64::total_cmp), values().max_by(f64::total_cmp))
    }

    laws! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn thinning_keeps_the_ends_and_the_extremes(
            values in proptest::collection::vec(proptest::option::weighted(0.9, -100.0..100.0f64), 1..400),
            points in 2usize..100,
        ) {
            let rows = values.iter().zip(1..).map(|(value, generation)| vec![Some(f64::from(generation)), *value]);
            let rows: Vec<_> = rows.collect();
            let reduced = thinned(rows.iter().cloned(), rows.len(), points);
            prop_assert_eq!(reduced.len(), 2 * (points / 2).min(rows.len()));
            prop_assert_eq!(extremes(&reduced, 0), extremes(&rows, 0));
            prop_assert_eq!(extremes(&reduced, 1), extremes(&rows, 1));
            prop_assert!(reduced.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
            prop_assert!(reduced.chunks(2).all(|pair| pair[0][1] <= pair[1][1]));
        }
    }

    #[test]
    fn complete_rows_of_a_table_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join("history.csv"), text).unwrap();
        let read = |after, points| curves(folder.path(), CurveGroup::Fitness, after, points);
        assert_eq!((read(None, 10).rows.len(), read(None, 10).last), (0, 0));
        write("generation,best,mean,a1_mean\n1,5,2.5,7\n2,6,3,8\nx,1,1,1\n3,7");
        let all = read(None, 10);
        assert_eq!(all.columns, ["generation", "best", "mean"]);
        assert_eq!(all.rows, [[1.0, 5.0, 2.5], [2.0, 6.0, 3.0]].map(|row| row.map(Some).to_vec()));
        assert_eq!((all.last, all.total, all.decimated), (2, 2, false));
        assert_eq!(read(Some(1), 10).rows.len(), 1);
        assert!(read(None, 2).rows.len() == 2);
        let weights = curves(folder.path(), CurveGroup::Weights, None, 10);
        assert_eq!(weights.columns, ["generation", "a1_mean"]);
        // The best possible fitness depends on the settings of the run.
        let settings = evolve::run::Draft::preset("daoud2004").unwrap().finish().unwrap();
        std::fs::write(folder.path().join("run.toml"), settings.to_toml()).unwrap();
        let all = read(None, 10);
        assert_eq!(all.columns[3..], ["best_share", "mean_share"]);
        let possible = settings.best_possible_fitness(1) as f64;
        assert_eq!(all.rows[0][3..], [5.0 / possible, 2.5 / possible].map(Some));
    }

    #[test]
    fn the_last_lines_of_a_table_are_complete() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |bytes| {
            let (header, lines) = last_lines(File::open(&file).unwrap(), bytes)?;
            Some((header, lines.collect::<String>()))
        };
        std::fs::write(&file, "hea").unwrap();
        assert_eq!(read(100), None);
        std::fs::write(&file, "head\none\ntwo\nthree\nfo").unwrap();
        let expected = |lines: &str| Some(("head\n".to_owned(), lines.to_owned()));
        assert_eq!(read(100), expected("one\ntwo\nthree\n"));
        assert_eq!(read(9), expected("three\n"));
        assert_eq!(read(1), expected(""));
    }
}
