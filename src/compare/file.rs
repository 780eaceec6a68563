//! The CSV file of a comparison. It has one row for each measurement and opponent. The rows of a trial (the search of a
//! contestant with one seed) are consecutive. When a comparison is resumed, we read the finished trials from the file.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arena::LineError;
use arena::player::PANEL_SIZE;
use mancala::eval::Strength;
use mancala::store::{self, FileError, Log};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ComparisonTerms, Contestant, Cost, Point, Trial};
use crate::terminal::usage;

pub const COMPARISON_HEADER: &str = "contestant,seed,settings,terms,budget,depth,point,points,games,\
                                     nodes,seconds,opponent,openings,played,score,low,high,weights,\
                                     checksum\n";

/// The header line of files that were written by version 0.1. Their rows have no checksums.
const HEADER_OF_0_1: &str = "contestant,seed,settings,terms,budget,depth,point,points,games,\
                             nodes,seconds,opponent,openings,played,score,low,high,weights\n";

/// Returns the header line of a comparison file, or `None` if `text` is not a comparison file.
pub fn comparison_header(text: &str) -> Option<&'static str> {
    [COMPARISON_HEADER, HEADER_OF_0_1].into_iter().find(|header| text.starts_with(header))
}

/// A row of the file: the score against one opponent in one measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub contestant: String,
    pub seed: u64,
    /// A hash of everything that affects the search.
    pub settings: String,
    /// The game or its rules, e.g. `rules ayo` or `game kalah`.
    pub terms: String,
    pub budget: String,
    pub depth: u32,
    point: u32,
    points: usize,
    cost: Cost,
    pub strength: Strength,
    weights: String,
}

/// Formats the rows of a trial for a file with the given header.
pub fn comparison_rows(trial: &Trial, terms: &ComparisonTerms, header: &str) -> String {
    let points = trial.points.iter();
    let rows = points.flat_map(|point| point.strength.iter().map(move |it| (point, it)));
    let rows = rows.map(|(point, strength)| row(trial, terms, point, strength).to_csv());
    if header == HEADER_OF_0_1 {
        return rows.map(|row| row + "\n").collect();
    }
    rows.map(|row| format!("{row},{}\n", checksum(&row))).collect()
}

fn checksum(row: &str) -> String {
    format!("{:08x}", crc32fast::hash(row.as_bytes()))
}

fn row(trial: &Trial, terms: &ComparisonTerms, point: &Point, strength: &Strength) -> Row {
    Row {
        contestant: trial.contestant.clone(),
        seed: trial.seed,
        settings: trial.settings.clone(),
        terms: terms.game.terms(),
        budget: terms.budget.to_string(),
        depth: terms.depth,
        point: point.number,
        points: trial.points.len(),
        cost: Cost { seconds: (point.cost.seconds * 1000.0).round() / 1000.0, ..point.cost },
        strength: strength.clone(),
        weights: point.weights.clone(),
    }
}

#[derive(Debug, Default)]
pub struct Searched {
    /// The complete trials, each with its first row.
    pub trials: Vec<(Row, Trial)>,
    /// The length in bytes of the header and the complete trials.
    pub good: usize,
    /// The first row of the last trial, if that trial is incomplete.
    pub unfinished: Option<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComparisonError {
    #[error("not a comparison file")]
    Other,
    #[error(transparent)]
    Line(#[from] LineError),
}

/// Reads a comparison file. The last trial or line may be incomplete.
pub fn read_comparison(text: &str) -> Result<Searched, ComparisonError> {
    let header = comparison_header(text).ok_or(ComparisonError::Other)?;
    let (mut end, mut rows) = (header.len(), Vec::<Row>::new());
    let mut found = Searched { good: end, ..Searched::default() };
    let complete = text[end..].split_inclusive('\n').filter(|line| line.ends_with('\n'));
    for (number, line) in (2..).zip(complete) {
        let row = Row::read(line.trim_end(), header == COMPARISON_HEADER);
        let row = row.and_then(|row| row.checked(&rows));
        rows.push(row.map_err(|reason| LineError { line: number, reason })?);
        end += line.len();
        let (measurements, []) = rows.as_chunks::<PANEL_SIZE>() else { continue };
        if measurements.len() == rows[0].points {
            found.trials.push((rows[0].clone(), trial(measurements)));
            found.good = end;
            rows.clear();
        }
    }
    found.unfinished = rows.into_iter().next();
    Ok(found)
}

impl Row {
    /// Returns the fields as a CSV line, without a line terminator.
    fn to_csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(self).expect("writing to memory");
        let line = writer.into_inner().expect("writing to memory");
        String::from_utf8(line).expect("fields are UTF-8").trim_end().into()
    }

    /// Parses a line. Lines end with a checksum unless they were written by version 0.1.
    fn read(line: &str, has_checksum: bool) -> Result<Row, String> {
        let row = match line.rsplit_once(',') {
            Some((row, sum)) if has_checksum && sum == checksum(row) => row,
            _ if has_checksum => return Err("it has changed since it was written".into()),
            _ => line,
        };
        let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row.as_bytes());
        let row = reader.into_deserialize().next().ok_or("it is empty")?;
        row.map_err(|error: csv::Error| error.to_string())
    }

    /// Checks that the values are possible and consistent with `before`, the previous rows of the trial.
    fn checked(self, before: &[Row]) -> Result<Row, String> {
        const OF_TRIAL: [&str; 7] =
            ["contestant", "seed", "settings", "terms", "budget", "depth", "points"];
        const OF_MEASUREMENT: [&str; 3] = ["point", "cost", "weights"];
        let last = before.last().filter(|_| !before.len().is_multiple_of(PANEL_SIZE));
        let [row, first, last] = [Some(&self), before.first(), last].map(|row| json!(row));
        let of_trial = OF_TRIAL.map(|name| (name, &row[name], first.get(name)));
        let of_measurement = OF_MEASUREMENT.map(|name| (name, &row[name], last.get(name)));
        for (name, value, due) in of_trial.into_iter().chain(of_measurement) {
            if let Some(due) = due.filter(|due| *due != value) {
                return Err(format!("{name} cannot be {value} after {due}"));
            }
        }
        let Strength { opponent, games, score, low, high, .. } = self.strength.clone();
        // The first measurement lists each opponent once. The others must list them in the same order.
        let is_opponent = match before.get(before.len() % PANEL_SIZE) {
            Some(due) if before.len() >= PANEL_SIZE => due.strength.opponent == opponent,
            _ => before.iter().all(|it| it.strength.opponent != opponent),
        };
        let seconds = self.cost.seconds;
        let is_time = seconds.is_finite() && seconds >= 0.0;
        match () {
            () if self.points == 0 => Err("points cannot be 0".into()),
            () if !is_opponent => Err(format!("opponent cannot be \"{opponent}\" here")),
            () if !is_time => Err(format!("seconds cannot be {seconds}")),
            () if !self.strength.is_possible() => {
                Err(format!("score cannot be {score}, {low} to {high} in {games} games"))
            }
            () => Ok(self),
        }
    }

    /// Describes the first parameter of the row that differs from `terms`, e.g. `--depth 3`.
    fn other_terms(&self, terms: &ComparisonTerms) -> Option<String> {
        match () {
            () if self.terms != terms.game.terms() => Some(self.terms.clone()),
            () if self.budget != terms.budget.to_string() => {
                Some(format!("--budget {}", self.budget))
            }
            () if self.depth != terms.depth => Some(format!("--depth {}", self.depth)),
            () if self.strength.games != 2 * u64::from(terms.openings) => {
                Some(format!("other --openings, {}", self.strength.openings))
            }
            () => None,
        }
    }
}

fn trial(measurements: &[[Row; PANEL_SIZE]]) -> Trial {
    let first = &measurements[0][0];
    let point = |rows: &[Row; PANEL_SIZE]| Point {
        number: rows[0].point,
        cost: rows[0].cost,
        weights: rows[0].weights.clone(),
        strength: rows.iter().map(|row| row.strength.clone()).collect(),
    };
    Trial {
        contestant: first.contestant.clone(),
        seed: first.seed,
        settings: first.settings.clone(),
        points: measurements.iter().map(point).collect(),
    }
}

#[derive(Default)]
pub struct TrialsFile {
    path: PathBuf,
    log: Option<Log>,
    /// The header line, which determines whether rows have checksums.
    header: &'static str,
    trials: Vec<Trial>,
}

impl TrialsFile {
    /// Opens or creates the comparison file. If `table` is `None`, then nothing is saved.
    pub fn open(table: Option<&Path>, terms: &ComparisonTerms) -> anyhow::Result<TrialsFile> {
        let Some(table) = table else { return Ok(TrialsFile::default()) };
        store::create_folder_of(table)?;
        let name = table.display();
        let log = Log::open(table)?;
        let mut log = log.with_context(|| format!("{name} is in use by another process"))?;
        let text = log.text()?;
        let found = match read_comparison(&text) {
            Ok(found) => found,
            // The program was interrupted while it was writing the header.
            Err(ComparisonError::Other) if COMPARISON_HEADER.starts_with(&text) => {
                Searched::default()
            }
            Err(ComparisonError::Other) => bail!("{name} is not a comparison file"),
            Err(ComparisonError::Line(wrong)) => bail!("{name}, {wrong}"),
        };
        let mut rows = found.trials.iter().map(|(row, _)| row).chain(&found.unfinished);
        if let Some(other) = rows.find_map(|row| row.other_terms(terms)) {
            let advice = "give the same options or another --output";
            return Err(usage(format!("{name} has results for {other}: {advice}")));
        }
        // Don't modify the file before we know that all of its rows were written with the same parameters.
        log.cut(found.good as u64)?;
        if found.good == 0 {
            log.append(COMPARISON_HEADER)?;
        }
        let header = comparison_header(&text).unwrap_or(COMPARISON_HEADER);
        let trials = found.trials.into_iter().map(|(_, trial)| trial).collect();
        Ok(TrialsFile { path: table.into(), log: Some(log), header, trials })
    }

    /// Returns a contestant's trial with this seed, if any. Fails if the trial was run with different settings.
    pub(crate) fn find(&self, contestant: &Contestant, seed: u64) -> anyhow::Result<Option<Trial>> {
        let is_same = |it: &&Trial| it.contestant == contestant.name && it.seed == seed;
        let found = self.trials.iter().find(is_same);
        if found.is_some_and(|trial| trial.settings != contestant.hash(seed)) {
            let name = self.path.display();
            return Err(usage(format!(
                "{name} has results for {contestant} with different settings: give another --output"
            )));
        }
        Ok(found.cloned())
    }

    pub(crate) fn add(&mut self, trial: &Trial, terms: &ComparisonTerms) -> Result<(), FileError> {
        if let Some(log) = &mut self.log {
            log.append(&comparison_rows(trial, terms, self.header))?;
        }
        Ok(())
    }
}
