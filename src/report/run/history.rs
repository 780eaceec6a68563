//! `history.csv`: one row a generation.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use csv::StringRecord;

use super::{Error, unreadable};

/// Larger figures can only be damage, and would overflow the axes' arithmetic.
const LARGEST: f64 = 1e15;

/// The history of a run: at least one generation, numbered from 1 without a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Names of the features, in the order of the chromosome's genes.
    pub features: Vec<String>,
    /// The generations; the first is number 1.
    pub generations: Vec<Generation>,
}

/// One row of the history.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Highest fitness, in points.
    pub best: i64,
    /// Lowest fitness, in points.
    pub worst: i64,
    /// Fitness of the whole population.
    pub fitness: Spread,
    /// The best chromosome in hexadecimal digits.
    pub best_chromosome: String,
    /// Mean Hamming distance of all pairs, in bits.
    pub hamming: f64,
    /// Number of different chromosomes.
    pub distinct: u64,
    /// Games that the fitness asked for.
    pub games_asked: u64,
    /// Games that had not been played before.
    pub games_played: u64,
    /// Each weight over the whole population, in the order of the features.
    pub weights: Vec<Spread>,
}

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
}

impl History {
    /// Reads the file. A run may be writing it: a last line without its end is
    /// not there yet.
    pub fn read(path: &Path) -> Result<History, Error> {
        let text = fs::read_to_string(path).map_err(|source| unreadable(path, source))?;
        let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
        History::parse(complete, path)
    }

    fn parse(text: &str, path: &Path) -> Result<History, Error> {
        let damaged = |source| Error::Csv { path: path.to_owned(), source };
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().map_err(damaged)?.clone();
        let features = features(&header);
        let mut generations = Vec::new();
        for record in reader.records() {
            let row = Row { path, header: &header, record: record.map_err(damaged)? };
            generations.push(row.generation(generations.len() as u64 + 1, &features)?);
        }
        if generations.is_empty() {
            let path = path.to_owned();
            return Err(Error::NoGeneration { path });
        }
        Ok(History { features, generations })
    }
}

/// A feature is a pair of columns NAME_mean and NAME_sd.
fn features(header: &StringRecord) -> Vec<String> {
    let names = header.iter().filter_map(|name| name.strip_suffix("_mean"));
    let paired = |name: &&str| header.iter().any(|other| other == format!("{name}_sd"));
    names.filter(paired).map(str::to_owned).collect()
}

struct Row<'a> {
    path: &'a Path,
    header: &'a StringRecord,
    record: StringRecord,
}

impl Row<'_> {
    fn generation(&self, expected: u64, features: &[String]) -> Result<Generation, Error> {
        self.check_number(expected)?;
        let weights =
            features.iter().map(|name| self.spread(&format!("{name}_mean"), &format!("{name}_sd")));
        Ok(Generation {
            best: self.number("best")?,
            worst: self.number("worst")?,
            fitness: self.spread("mean", "sd")?,
            best_chromosome: self.cell("best_chromosome")?.to_owned(),
            hamming: self.decimal("hamming")?,
            distinct: self.number("distinct")?,
            games_asked: self.number("games_asked")?,
            games_played: self.number("games_played")?,
            weights: weights.collect::<Result<_, _>>()?,
        })
    }

    fn check_number(&self, expected: u64) -> Result<(), Error> {
        let found = self.number("generation")?;
        if found == expected {
            return Ok(());
        }
        Err(Error::Generation { path: self.path.to_owned(), line: self.line(), found, expected })
    }

    fn spread(&self, mean: &str, sd: &str) -> Result<Spread, Error> {
        Ok(Spread { mean: self.decimal(mean)?, sd: self.decimal(sd)? })
    }

    fn decimal(&self, column: &str) -> Result<f64, Error> {
        let value: f64 = self.number(column)?;
        // A comparison with NaN is false, so this refuses it too.
        let drawable = value.abs() <= LARGEST;
        drawable.then_some(value).ok_or_else(|| self.bad(column))
    }

    fn number<T: FromStr>(&self, column: &str) -> Result<T, Error> {
        let number = self.cell(column)?.parse();
        number.map_err(|_| self.bad(column))
    }

    fn cell(&self, column: &str) -> Result<&str, Error> {
        let index = self.header.iter().position(|name| name == column);
        let cell = index.and_then(|index| self.record.get(index));
        cell.ok_or_else(|| Error::MissingColumn {
            path: self.path.to_owned(),
            column: column.to_owned(),
        })
    }

    fn bad(&self, column: &str) -> Error {
        Error::BadNumber {
            path: self.path.to_owned(),
            line: self.line(),
            column: column.to_owned(),
            value: self.cell(column).unwrap_or_default().to_owned(),
        }
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "generation,best,mean,worst,sd,best_chromosome,hamming,distinct,\
                          games_asked,games_played,a1_mean,a1_sd,mobility_mean,mobility_sd";
    const FIRST: &str = "1,30,19.5000,6,8.8749,be3e,23.5949,49,1000,390,7.25,4.5,0.5,0";

    fn parse(lines: &[&str]) -> Result<History, Error> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        History::parse(&text, Path::new("run/history.csv"))
    }

    fn refusal(lines: &[&str]) -> String {
        parse(lines).unwrap_err().to_string()
    }

    #[test]
    fn a_row_becomes_a_generation() {
        let history = parse(&[HEADER, FIRST]).unwrap();
        assert_eq!(history.features, ["a1", "mobility"]);
        let spread = |mean, sd| Spread { mean, sd };
        let expected = Generation {
            best: 30,
            worst: 6,
            fitness: spread(19.5, 8.8749),
            best_chromosome: "be3e".to_owned(),
            hamming: 23.5949,
            distinct: 49,
            games_asked: 1000,
            games_played: 390,
            weights: vec![spread(7.25, 4.5), spread(0.5, 0.0)],
        };
        assert_eq!(history.generations, [expected]);
    }

    #[test]
    fn a_line_that_is_being_written_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.csv");
        for rest in ["", "2,3", &FIRST.replacen('1', "2", 1)] {
            fs::write(&path, format!("{HEADER}\n{FIRST}\n{rest}")).unwrap();
            let history = History::read(&path).unwrap();
            assert_eq!(history.generations.len(), 1, "{rest}");
        }
    }

    #[test]
    fn a_history_without_a_generation_is_refused() {
        let expected = "run/history.csv: no generation has been recorded yet";
        assert_eq!(refusal(&[HEADER]), expected);
        assert_eq!(refusal(&[]), expected);
    }

    #[test]
    fn a_missing_column_is_named() {
        let header = HEADER.replace("hamming", "hemming");
        let expected = "run/history.csv has no column `hamming`";
        assert_eq!(refusal(&[&header, FIRST]), expected);
    }

    #[test]
    fn a_bad_number_is_named_with_its_place() {
        for (good, bad, column) in [
            ("19.5000", "often", "mean"),
            ("19.5000", "NaN", "mean"),
            ("19.5000", "1e300", "mean"),
            ("30", "30.5", "best"),
            ("1000", "-1", "games_asked"),
            ("4.5", "", "a1_sd"),
        ] {
            let row = FIRST.replacen(good, bad, 1);
            let expected = format!(
                "run/history.csv, line 2, column `{column}`: `{bad}` is not a valid number"
            );
            assert_eq!(refusal(&[HEADER, &row]), expected);
        }
    }

    #[test]
    fn generations_follow_each_other() {
        let third = FIRST.replacen('1', "3", 1);
        let expected = "run/history.csv, line 3: generation 3 stands where generation 2 is due";
        assert_eq!(refusal(&[HEADER, FIRST, &third]), expected);
        assert!(refusal(&[HEADER, FIRST, FIRST]).contains("generation 1 stands where"));
    }

    #[test]
    fn a_short_row_is_refused() {
        assert_eq!(refusal(&[HEADER, FIRST, "2,30"]), "run/history.csv is damaged");
    }
}
