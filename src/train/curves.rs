//! Columns of a run's tables as curves: as many points as a picture can show, or the rows that have come since.

use std::path::Path;

use crate::train::follow::whole_lines;
use crate::train::result_pages::Curves;
use evolve::run::{RunFolder, Settings};
use mancala::store;

/// Which columns of which table are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The fitness of the members.
    Fitness,
    /// How different they are.
    Diversity,
    /// The mean of each weight.
    Weights,
    /// How the features were fitted that each epoch learned.
    Fit,
}

impl Wanted {
    /// What a name stands for.
    pub fn named(name: &str) -> Option<Wanted> {
        Some(match name {
            "fitness" => Wanted::Fitness,
            "diversity" => Wanted::Diversity,
            "weights" => Wanted::Weights,
            "fit" => Wanted::Fit,
            _ => return None,
        })
    }

    /// The table that has them.
    pub fn table(self) -> &'static str {
        if self == Wanted::Fit { "epochs.csv" } else { "history.csv" }
    }

    fn includes(self, column: &str) -> bool {
        match self {
            Wanted::Fitness => ["best", "mean", "worst", "sd"].contains(&column),
            Wanted::Diversity => ["hamming", "distinct"].contains(&column),
            Wanted::Weights => column.ends_with("_mean"),
            Wanted::Fit => ["first_loss", "last_loss", "duel"].contains(&column),
        }
    }
}

/// The columns of a table that are wanted, and where they stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    names: Vec<String>,
    places: Vec<usize>,
    /// The settings that say how much fitness is possible, if shares of it are added.
    settings: Option<Settings>,
}

const FITNESS: [&str; 3] = ["best", "mean", "worst"];

impl Columns {
    /// Those of a table with this header.
    pub fn of(header: &str, wanted: Wanted) -> Columns {
        let all = header.trim_end().split(',').enumerate();
        let of_table = all.filter(|(place, name)| *place == 0 || wanted.includes(name));
        let (places, names) = of_table.map(|(place, name)| (place, name.to_owned())).unzip();
        Columns { names, places, settings: None }
    }

    /// Adds the columns of fitness as shares of the possible fitness.
    #[must_use]
    pub fn with_shares(mut self, run: &Path) -> Columns {
        let Ok(settings) = RunFolder::settings(run) else { return self };
        let fitness = FITNESS.iter().filter(|&it| self.names.iter().any(|name| name == it));
        self.names.extend(fitness.map(|name| format!("{name}_share")).collect::<Vec<_>>());
        self.settings = Some(settings);
        self
    }

    /// Their names; the first is `generation`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The values of a line; `None` if it is no row.
    pub fn row(&self, line: &str) -> Option<Vec<Option<f64>>> {
        let mut fields = line.trim_end().split(',').enumerate();
        let mut found = |place| fields.find(|(at, _)| *at == place).map(|(_, field)| field);
        let values: Option<Vec<_>> = self.places.iter().map(|&place| found(place)).collect();
        let mut values: Vec<Option<f64>> =
            values?.into_iter().map(|text| text.parse().ok()).collect();
        let generation = (*values.first()?)?;
        if let Some(settings) = &self.settings {
            let possible = settings.best_possible_fitness(generation as u32).max(1) as f64;
            // Fitness comes right after the generation, in the order of its shares.
            for place in 1..=self.names.len() - self.places.len() {
                values.push(values[place].map(|fitness| fitness / possible));
            }
        }
        Some(values)
    }
}

/// Reads the curves of a run.
///
/// `after` leaves out the generations up to that one. More than `points` rows are thinned out. A table that is missing
/// or cannot be read has no rows. It is read line by line, first to count its rows, so that its size costs no memory.
pub fn curves(folder: &Path, wanted: Wanted, after: Option<u32>, points: usize) -> Curves {
    let path = folder.join(wanted.table());
    let lines = || store::open(&path).map(whole_lines).into_iter().flatten();
    let columns =
        Columns::of(&lines().next().unwrap_or("generation".into()), wanted).with_shares(folder);
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

fn generation(line: &str) -> Option<u32> {
    Some(line.split(',').next()?.parse::<f64>().ok()? as u32)
}

type Row = Vec<Option<f64>>;

/// Joins `count` rows into stretches, each of which becomes two rows: the least value of each column, and the greatest.
/// Their generations are the first and the last of the stretch.
fn thinned(rows: impl Iterator<Item = Row>, count: usize, points: usize) -> Vec<Row> {
    let stretches = (points / 2).max(1);
    let mut pairs: Vec<[Row; 2]> = Vec::new();
    for (index, row) in rows.enumerate() {
        let Some([least, greatest]) = pairs.get_mut(index * stretches / count) else {
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
    use proptest::prelude::*;

    use super::*;
    use mancala::laws;

    fn extremes(rows: &[Vec<Option<f64>>], column: usize) -> (Option<f64>, Option<f64>) {
        let values = || rows.iter().filter_map(|row| row[column]);
        (values().min_by(f64::total_cmp), values().max_by(f64::total_cmp))
    }

    laws! {
        #[test]
        fn thinning_keeps_the_ends_and_the_extremes(
            values in proptest::collection::vec(proptest::option::weighted(0.9, -100.0..100.0f64), 1..400),
            points in 2usize..100,
        ) {
            let rows = values.iter().zip(1..).map(|(value, generation)| vec![Some(f64::from(generation)), *value]);
            let rows: Vec<_> = rows.collect();
            let found = thinned(rows.iter().cloned(), rows.len(), points);
            prop_assert_eq!(found.len(), 2 * (points / 2).min(rows.len()));
            prop_assert_eq!(extremes(&found, 0), extremes(&rows, 0));
            prop_assert_eq!(extremes(&found, 1), extremes(&rows, 1));
            prop_assert!(found.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
            prop_assert!(found.chunks(2).all(|pair| pair[0][1] <= pair[1][1]));
        }
    }

    #[test]
    fn a_table_is_read_as_far_as_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join("history.csv"), text).unwrap();
        let found = |after, points| curves(folder.path(), Wanted::Fitness, after, points);
        assert_eq!((found(None, 10).rows.len(), found(None, 10).last), (0, 0));
        write("generation,best,mean,a1_mean\n1,5,2.5,7\n2,6,3,8\nx,1,1,1\n3,7");
        let all = found(None, 10);
        assert_eq!(all.columns, ["generation", "best", "mean"]);
        assert_eq!(all.rows, [[1.0, 5.0, 2.5], [2.0, 6.0, 3.0]].map(|row| row.map(Some).to_vec()));
        assert_eq!((all.last, all.total, all.decimated), (2, 2, false));
        assert_eq!(found(Some(1), 10).rows.len(), 1);
        assert!(found(None, 2).rows.len() == 2);
        let weights = curves(folder.path(), Wanted::Weights, None, 10);
        assert_eq!(weights.columns, ["generation", "a1_mean"]);
        // The possible fitness follows from the settings of the run.
        let settings = evolve::run::Draft::preset("daoud2004").unwrap().finish().unwrap();
        std::fs::write(folder.path().join("run.toml"), settings.to_toml()).unwrap();
        let all = found(None, 10);
        assert_eq!(all.columns[3..], ["best_share", "mean_share"]);
        let possible = settings.best_possible_fitness(1) as f64;
        assert_eq!(all.rows[0][3..], [5.0 / possible, 2.5 / possible].map(Some));
    }
}
