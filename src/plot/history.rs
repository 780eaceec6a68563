//! Reads two of the tables that are needed to plot a run: `history.csv` and `iterations.csv`.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Result, anyhow};
use mancala::eval::FeatureSet;
use mancala::store;
use serde::Deserialize;

use super::invalid;

/// If a table contains a larger number, then the file must be damaged.
const MAX_NUMBER: f64 = 1e15;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Generation {
    pub(crate) best: f64,
    pub(crate) fitness: Spread,
    pub(crate) worst: f64,
    /// The mean Hamming distance over all pairs of chromosomes, in bits.
    pub(crate) hamming: f64,
    pub(crate) distinct: f64,
    /// The mean and standard deviation of each weight in the population, in the order of the features.
    pub(crate) weights: Vec<Spread>,
}

impl Generation {
    /// Converts fitness values to fractions of the best possible fitness.
    #[must_use]
    pub(crate) fn in_shares_of(mut self, possible: u64) -> Generation {
        let possible = possible.max(1) as f64;
        let Spread { mean, sd } = &mut self.fitness;
        [&mut self.best, mean, sd, &mut self.worst].into_iter().for_each(|it| *it /= possible);
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
}

/// Reads the generations. They must be numbered from 1 without gaps, and there must be at least one.
pub(crate) fn read(path: &Path, features: &FeatureSet) -> Result<Vec<Generation>> {
    parse(&complete_lines(path)?, features, path)
}

/// Reads the complete lines of a table. If the last line has no newline, then it's still being written, so we drop it.
fn complete_lines(path: &Path) -> Result<String> {
    let mut text = store::read_text(path)?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    Ok(text)
}

fn parse(text: &str, features: &FeatureSet, path: &Path) -> Result<Vec<Generation>> {
    let damaged = |reason| invalid(path, reason);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(damaged)?.clone();
    let places: HashMap<&str, usize> = header.iter().zip(0..).collect();
    let weights = features.features().iter().map(|feature| feature.name());
    let weights = weights.map(|name| [format!("{name}_mean"), format!("{name}_sd")]);
    let weights: Vec<[String; 2]> = weights.collect();
    let mut generations = Vec::new();
    for record in reader.records() {
        let record = record.map_err(damaged)?;
        let line = record.position().map_or(0, csv::Position::line);
        let number = |name: &str| {
            let place = places.get(name);
            let place =
                place.ok_or_else(|| invalid(path, format!("there is no column \"{name}\"")))?;
            // Indexing can't panic, because the CSV reader checks that rows have as many fields as the header.
            let field = &record[*place];
            let number = field.parse().ok().filter(|it: &f64| it.abs() <= MAX_NUMBER);
            number.ok_or_else(|| {
                let reason = format!("\"{field}\" in column \"{name}\" is not a valid number");
                in_line(path, line, &reason)
            })
        };
        let spread = |mean, sd| anyhow::Ok(Spread { mean: number(mean)?, sd: number(sd)? });
        let (generation, expected) = (number("generation")?, generations.len() + 1);
        if generation != expected as f64 {
            let reason = format!("expected generation {expected}, found generation {generation}");
            return Err(in_line(path, line, &reason));
        }
        generations.push(Generation {
            best: number("best")?,
            fitness: spread("mean", "sd")?,
            worst: number("worst")?,
            hamming: number("hamming")?,
            distinct: number("distinct")?,
            weights: weights.iter().map(|[mean, sd]| spread(mean, sd)).collect::<Result<_>>()?,
        });
    }
    if generations.is_empty() {
        return Err(invalid(path, "no generation has been recorded yet"));
    }
    Ok(generations)
}

fn in_line(path: &Path, line: u64, reason: &str) -> anyhow::Error {
    anyhow!("{}, line {line}: {reason}", path.display())
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(crate) struct Iteration {
    #[serde(rename = "iteration")]
    pub(crate) number: u32,
    /// The first generation that uses the features from this iteration.
    pub(crate) generation: u32,
    /// The mean cross-entropy in the first epoch of the fit, in nats.
    pub(crate) first_loss: f64,
    pub(crate) last_loss: f64,
    /// The score that the evolved weights of the previous iteration reached in the gating match at the start of this
    /// iteration. Their opponents are the fitted weights from which they evolved.
    pub(crate) evolved: Option<f64>,
}

/// Reads the iterations in order. Returns an empty list if the file is missing.
pub(crate) fn read_iterations(path: &Path) -> Result<Vec<Iteration>> {
    if path.exists() { parse_iterations(&complete_lines(path)?, path) } else { Ok(Vec::new()) }
}

fn parse_iterations(text: &str, path: &Path) -> Result<Vec<Iteration>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.map_err(|reason| invalid(path, reason))).collect()
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

    fn parse(lines: &[&str]) -> Result<Vec<Generation>> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        super::parse(&text, &features(), Path::new("run/history.csv"))
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
        let other = HEADER.replace("a10_sd", "other");
        let row = |good, bad: &str| FIRST.replacen(good, &format!("\"{bad}\""), 1);
        let (nan, huge) = (row("19.5000", "NaN"), row("19.5000", "1e300"));
        let (empty, comma) = (row("30", ""), row("4.5", "4,5"));
        for (lines, parts) in [
            (&[][..], [": ", "generation"]),
            (&[HEADER], [": ", "no generation"]),
            (&[HEADER, FIRST, "2,30"], [": ", ""]),
            (&[HEADER, FIRST, FIRST], [", line 3: ", "generation 1"]),
            (&[&*other, FIRST], [": ", "\"a10_sd\""]),
            (&[HEADER, &*nan], [", line 2: ", "\"mean\""]),
            (&[HEADER, &*huge], [", line 2: ", "\"mean\""]),
            (&[HEADER, &*empty], [", line 2: ", "\"best\""]),
            (&[HEADER, &*comma], [", line 2: ", "\"a1_sd\""]),
        ] {
            let error = parse(lines).unwrap_err().to_string();
            assert!(error.starts_with(&format!("run/history.csv{}", parts[0])), "{error}");
            assert!(error.contains(parts[1]), "{error}");
        }
    }

    fn parse_iterations(rows: &str) -> Result<Vec<Iteration>, String> {
        let header = "generation,iteration,layer,positions,first_loss,last_loss,evolved\n";
        super::parse_iterations(&format!("{header}{rows}"), Path::new("run/iterations.csv"))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn rows_become_iterations() {
        let rows = "1,1,0ac89c65,300,0.69000,0.61000,\n81,3,18b65cbf,300,0.50000,0.40000,0.5625\n";
        let fields =
            |i: &Iteration| ((i.number, i.generation), (i.first_loss, i.last_loss, i.evolved));
        let found: Vec<_> = parse_iterations(rows).unwrap().iter().map(fields).collect();
        assert_eq!(found, [((1, 1), (0.69, 0.61, None)), ((3, 81), (0.5, 0.4, Some(0.5625)))]);
        assert_eq!(parse_iterations(""), Ok(Vec::new()));
        for (row, part) in [("2,two,ab,300,0.5,0.4,\n", "invalid digit"), ("2,2\n", "2 fields")] {
            let error = parse_iterations(&format!("1,1,ab,300,0.5,0.4,\n{row}")).unwrap_err();
            let has_line = error.contains("line 3") || error.contains("line: 3");
            assert!(error.starts_with("run/iterations.csv") && has_line, "{error}");
            assert!(error.contains(part), "{row}: {error}");
        }
    }
}
