//! The tables of a run that are drawn: `history.csv` and `epochs.csv`.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use csv::StringRecord;
use mancala::eval::{Feature, FeatureSet};
use mancala::store;
use serde::Deserialize;

use super::error::Error;

/// Larger numbers are damage, and would overflow the arithmetic of the axes.
const MAX_NUMBER: f64 = 1e15;

/// The drawn data of a generation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Generation {
    /// Highest fitness.
    pub(super) best: f64,
    /// Fitness of the whole population.
    pub(super) fitness: Spread,
    /// Lowest fitness.
    pub(super) worst: f64,
    /// Mean Hamming distance of all pairs, in bits.
    pub(super) hamming: f64,
    /// Number of distinct chromosomes.
    pub(super) distinct: f64,
    /// Each weight over the whole population, in the order of the features.
    pub(super) weights: Vec<Spread>,
}

impl Generation {
    /// Converts its fitness to shares of the possible fitness.
    #[must_use]
    pub(super) fn in_shares_of(mut self, possible: u64) -> Generation {
        let possible = possible.max(1) as f64;
        let Spread { mean, sd } = &mut self.fitness;
        [&mut self.best, mean, sd, &mut self.worst].into_iter().for_each(|it| *it /= possible);
        self
    }
}

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// Reads the generations, at least one, numbered from 1 without a gap. A last line without an end is still being
/// written.
pub(super) fn read(path: &Path, features: &FeatureSet) -> Result<Vec<Generation>, Error> {
    let text = store::read_text(path)?;
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    parse(complete, features, path)
}

fn parse(text: &str, features: &FeatureSet, path: &Path) -> Result<Vec<Generation>, Error> {
    let damaged = |reason| Error::input(path, reason);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = Columns::find(reader.headers().map_err(damaged)?, features, path)?;
    let mut generations = Vec::new();
    for record in reader.records() {
        let row = Row { path, record: record.map_err(damaged)? };
        row.check_generation(&columns.generation, generations.len() as u64 + 1)?;
        generations.push(row.generation(&columns)?);
    }
    if generations.is_empty() {
        return Err(Error::input(path, "no generation has been recorded yet"));
    }
    Ok(generations)
}

/// The places of the numbers in a row.
struct Columns {
    generation: Column,
    best: Column,
    fitness: SpreadColumns,
    worst: Column,
    hamming: Column,
    distinct: Column,
    weights: Vec<SpreadColumns>,
}

struct Column {
    name: String,
    index: usize,
}

struct SpreadColumns {
    mean: Column,
    sd: Column,
}

impl Columns {
    fn find(header: &StringRecord, features: &FeatureSet, path: &Path) -> Result<Columns, Error> {
        let column = |name: String| match header.iter().position(|other| other == name) {
            Some(index) => Ok(Column { name, index }),
            None => Err(Error::input(path, format!("there is no column \"{name}\""))),
        };
        let spread = |prefix: &str| -> Result<_, Error> {
            let mean = column(format!("{prefix}mean"))?;
            Ok(SpreadColumns { mean, sd: column(format!("{prefix}sd"))? })
        };
        let weight = |feature: &Feature| spread(&format!("{}_", feature.name()));
        Ok(Columns {
            generation: column("generation".into())?,
            best: column("best".into())?,
            fitness: spread("")?,
            worst: column("worst".into())?,
            hamming: column("hamming".into())?,
            distinct: column("distinct".into())?,
            weights: features.features().iter().map(weight).collect::<Result<_, _>>()?,
        })
    }
}

struct Row<'a> {
    path: &'a Path,
    record: StringRecord,
}

impl Row<'_> {
    fn check_generation(&self, column: &Column, expected: u64) -> Result<(), Error> {
        let found: u64 = self.number(column)?;
        if found == expected {
            return Ok(());
        }
        let reason = format!("generation {found} stands where generation {expected} is due");
        Err(Error::line(self.path, self.line(), reason))
    }

    fn generation(&self, columns: &Columns) -> Result<Generation, Error> {
        let weights = columns.weights.iter().map(|columns| self.spread(columns));
        Ok(Generation {
            best: self.decimal(&columns.best)?,
            fitness: self.spread(&columns.fitness)?,
            worst: self.decimal(&columns.worst)?,
            hamming: self.decimal(&columns.hamming)?,
            distinct: self.decimal(&columns.distinct)?,
            weights: weights.collect::<Result<_, _>>()?,
        })
    }

    fn spread(&self, columns: &SpreadColumns) -> Result<Spread, Error> {
        Ok(Spread { mean: self.decimal(&columns.mean)?, sd: self.decimal(&columns.sd)? })
    }

    fn decimal(&self, column: &Column) -> Result<f64, Error> {
        let value: f64 = self.number(column)?;
        // A comparison with NaN is false, so NaN is refused as well.
        let drawable = value.abs() <= MAX_NUMBER;
        drawable.then_some(value).ok_or_else(|| self.bad(column))
    }

    fn number<T: FromStr>(&self, column: &Column) -> Result<T, Error> {
        self.cell(column).parse().map_err(|_| self.bad(column))
    }

    /// The reader ensures that rows are as long as the header.
    fn cell(&self, column: &Column) -> &str {
        &self.record[column.index]
    }

    fn bad(&self, column: &Column) -> Error {
        bad_number(self.path, self.line(), &column.name, self.cell(column))
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }
}

fn bad_number(path: &Path, line: u64, column: &str, value: &str) -> Error {
    let reason = format!("\"{value}\" in column \"{column}\" is not a valid number");
    Error::line(path, line, reason)
}

/// The largest number of an epoch.
const MAX_EPOCH: u32 = 1_000_000;
/// Larger losses are damage.
const MAX_LOSS: f64 = 1e6;

/// The drawn data of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Epoch {
    /// From 1.
    pub(super) number: u32,
    /// The first generation with its features.
    pub(super) generation: u32,
    /// Mean cross-entropies of the first and the last pass of the fit, in nats.
    pub(super) losses: [f64; 2],
    /// Score of the champion of the epoch before, in the gating match with which this epoch began.
    pub(super) duel: Option<f64>,
}

#[derive(Deserialize)]
struct EpochRow {
    generation: u32,
    epoch: u32,
    first_loss: f64,
    last_loss: f64,
    duel: Option<f64>,
}

/// Reads the epochs in order; a missing file has no epochs. A last line without an end is still being written.
pub(super) fn read_epochs(path: &Path) -> Result<Vec<Epoch>, Error> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = store::read_text(path)?;
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    parse_epochs(complete, path)
}

fn parse_epochs(text: &str, path: &Path) -> Result<Vec<Epoch>, Error> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut epochs: Vec<Epoch> = Vec::new();
    for (row, line) in reader.deserialize().zip(2..) {
        let row: EpochRow = row.map_err(|reason| Error::input(path, reason))?;
        let last = epochs.last().map_or(0, |epoch| epoch.number);
        let epoch = row.epoch(last);
        epochs.push(epoch.map_err(|(column, value)| bad_number(path, line, column, &value))?);
    }
    Ok(epochs)
}

impl EpochRow {
    /// Returns the epoch, which must follow number `last`, or the column and the value that are wrong.
    fn epoch(&self, last: u32) -> Result<Epoch, (&'static str, String)> {
        let EpochRow { generation, epoch, first_loss, last_loss, duel } = *self;
        let check = |is_good: bool, column, value: &dyn Display| {
            if is_good { Ok(()) } else { Err((column, value.to_string())) }
        };
        check((last + 1..=MAX_EPOCH).contains(&epoch), "epoch", &epoch)?;
        for (column, loss) in [("first_loss", first_loss), ("last_loss", last_loss)] {
            check((0.0..=MAX_LOSS).contains(&loss), column, &loss)?;
        }
        if let Some(score) = duel {
            check((0.0..=1.0).contains(&score), "duel", &score)?;
        }
        Ok(Epoch { number: epoch, generation, losses: [first_loss, last_loss], duel })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "generation,best,mean,worst,sd,best_chromosome,hamming,distinct,\
                          games_asked,games_played,a1_mean,a1_sd,a10_mean,a10_sd";
    const FIRST: &str = "1,30,19.5000,6,8.8749,be3e,23.5949,49,1000,390,7.25,4.5,0.5,0";

    fn features() -> FeatureSet {
        "a10,a1".parse().unwrap()
    }

    fn parse(lines: &[&str]) -> Result<Vec<Generation>, Error> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        super::parse(&text, &features(), Path::new("run/history.csv"))
    }

    fn refusal(lines: &[&str]) -> String {
        parse(lines).unwrap_err().to_string()
    }

    #[test]
    fn a_row_becomes_a_generation() {
        let spread = |mean, sd| Spread { mean, sd };
        let expected = Generation {
            best: 30.0,
            fitness: spread(19.5, 8.8749),
            worst: 6.0,
            hamming: 23.5949,
            distinct: 49.0,
            weights: vec![spread(0.5, 0.0), spread(7.25, 4.5)],
        };
        assert_eq!(parse(&[HEADER, FIRST]).unwrap(), [expected]);
    }

    #[test]
    fn a_line_that_is_being_written_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.csv");
        for rest in ["", "2,3", &FIRST.replacen('1', "2", 1)] {
            std::fs::write(&path, format!("{HEADER}\n{FIRST}\n{rest}")).unwrap();
            assert_eq!(read(&path, &features()).unwrap().len(), 1, "{rest}");
        }
    }

    #[test]
    fn a_wrong_history_is_refused_with_its_place() {
        let place = |lines: &[&str], place: &str| {
            let refusal = refusal(lines);
            assert!(refusal.starts_with(place), "{refusal}");
        };
        place(&[], "run/history.csv: there is no column \"generation\"");
        place(&[HEADER], "run/history.csv: no generation");
        place(&[HEADER, FIRST, "2,30"], "run/history.csv: ");
        place(&[HEADER, FIRST, FIRST], "run/history.csv, line 3: generation 1");
        for name in ["generation", "hamming", "a10_sd"] {
            let header = HEADER.replace(name, "other");
            let expected = format!("run/history.csv: there is no column \"{name}\"");
            place(&[&header, FIRST], &expected);
        }
        for (good, bad, column) in [
            ("19.5000", "NaN", "mean"),
            ("19.5000", "1e300", "mean"),
            ("30", "", "best"),
            ("4.5", "4,5", "a1_sd"),
        ] {
            let row = FIRST.replacen(good, &format!("\"{bad}\""), 1);
            let expected = format!("run/history.csv, line 2: \"{bad}\" in column \"{column}\"");
            place(&[HEADER, &row], &expected);
        }
    }

    const EPOCHS_HEADER: &str = "generation,epoch,layer,positions,first_loss,last_loss,duel\n";

    fn parse_epochs(rows: &str) -> Result<Vec<Epoch>, String> {
        let found =
            super::parse_epochs(&format!("{EPOCHS_HEADER}{rows}"), Path::new("run/epochs.csv"));
        found.map_err(|error| error.to_string())
    }

    #[test]
    fn rows_become_epochs() {
        let rows = "1,1,0ac89c65,300,0.69000,0.61000,\n81,3,18b65cbf,300,0.50000,0.40000,0.5625\n";
        let expected = [
            Epoch { number: 1, generation: 1, losses: [0.69, 0.61], duel: None },
            Epoch { number: 3, generation: 81, losses: [0.5, 0.4], duel: Some(0.5625) },
        ];
        assert_eq!(parse_epochs(rows).unwrap(), expected);
        assert_eq!(parse_epochs(""), Ok(Vec::new()));
    }

    #[test]
    fn a_wrong_epoch_is_refused_with_line_and_value() {
        for (row, parts) in [
            ("2,1,ab,300,0.5,0.4,\n", ["line 3", "\"1\" in column \"epoch\""]),
            ("2,2,ab,300,inf,0.4,\n", ["line 3", "\"inf\" in column \"first_loss\""]),
            ("2,2,ab,300,0.5,NaN,\n", ["line 3", "\"NaN\" in column \"last_loss\""]),
            ("2,2,ab,300,0.5,0.4,1.5\n", ["line 3", "\"1.5\" in column \"duel\""]),
            ("2,two,ab,300,0.5,0.4,\n", ["line: 3", "invalid digit"]),
            ("2,2\n", ["line: 3", "2 fields"]),
        ] {
            let error = parse_epochs(&format!("1,1,ab,300,0.5,0.4,\n{row}")).unwrap_err();
            assert!(error.starts_with("run/epochs.csv"), "{error}");
            assert!(parts.iter().all(|part| error.contains(part)), "{row}: {error}");
        }
    }
}
