//! The file of a comparison: trials as rows of CSV, those of a trial together.

use std::fmt::Display;
use std::time::Duration;

use arena::player::PANEL_SIZE;
use mancala::eval::Strength;
use mancala::game::AnyGame;
use serde::{Deserialize, Serialize};

use super::{ComparisonTerms, Point, Spent, Trial};

/// The header line of the file.
pub const COMPARISON_HEADER: &str = "contestant,seed,settings,terms,budget,depth,point,points,games,\
                                     nodes,seconds,opponent,openings,played,score,low,high,weights,\
                                     checksum\n";

/// Version 0.1 left no checksums.
const HEADER_OF_0_1: &str = "contestant,seed,settings,terms,budget,depth,point,points,games,\
                             nodes,seconds,opponent,openings,played,score,low,high,weights\n";

/// The header of the comparison that a text is, or `None` if it is something else.
pub fn comparison_header(text: &str) -> Option<&'static str> {
    [COMPARISON_HEADER, HEADER_OF_0_1].into_iter().find(|header| text.starts_with(header))
}

/// A row: what one measurement found against one opponent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The contestant that searched.
    pub contestant: String,
    /// With which seed.
    pub seed: u64,
    /// What stands for all that the search depends on.
    pub settings: String,
    /// What is played: `rules ayo`, `game kalah`.
    pub terms: String,
    /// What it may spend.
    pub budget: String,
    /// Plies that its weights are searched in the measurement.
    pub depth: u32,
    point: u32,
    points: usize,
    games: u64,
    nodes: u64,
    seconds: f64,
    opponent: String,
    /// What the games of the measurement begin from.
    pub openings: String,
    played: u64,
    score: f64,
    low: f64,
    high: f64,
    weights: String,
}

/// The rows of a trial for a file with this header.
pub fn comparison_rows(trial: &Trial, terms: &ComparisonTerms, header: &str) -> String {
    let points = trial.points.iter();
    let rows = points.flat_map(|point| point.strength.iter().map(move |it| (point, it)));
    let rows = rows.map(|(point, strength)| row(trial, terms, point, strength).to_csv());
    if header == HEADER_OF_0_1 {
        return rows.map(|row| row + "\n").collect();
    }
    rows.map(|row| format!("{row},{:08x}\n", crc32fast::hash(row.as_bytes()))).collect()
}

fn row(trial: &Trial, terms: &ComparisonTerms, point: &Point, strength: &Strength) -> Row {
    Row {
        contestant: trial.contestant.clone(),
        seed: trial.seed,
        settings: trial.settings.clone(),
        terms: played(terms.game),
        budget: terms.budget.to_string(),
        depth: terms.depth,
        point: point.number,
        points: trial.points.len(),
        games: point.spent.games,
        nodes: point.spent.nodes,
        seconds: (point.time.as_secs_f64() * 1000.0).round() / 1000.0,
        opponent: strength.opponent.clone(),
        openings: strength.openings.clone(),
        played: strength.games,
        score: strength.score,
        low: strength.low,
        high: strength.high,
        weights: point.weights.clone(),
    }
}

/// A game as files of results have it.
pub fn played(game: AnyGame) -> String {
    let (word, terms) = game.terms();
    format!("{word} {terms}")
}

/// What a file of searches holds.
#[derive(Debug, Default)]
pub struct Searched {
    /// The whole trials, each with its first row.
    pub trials: Vec<(Row, Trial)>,
    /// How many bytes of the text they take with the header.
    pub good: usize,
    /// The first row of a trial that was being written when its process ended.
    pub unfinished: Option<Row>,
}

/// A text that is no file of searches.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComparisonError {
    /// It begins with another header.
    #[error("its first line is another")]
    Other,
    /// A line is not what can stand there.
    #[error(transparent)]
    Line(#[from] WrongLine),
}

/// A line that is not what can stand there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct WrongLine {
    /// Its number, from 1.
    pub line: u64,
    /// The field and its value.
    pub reason: String,
}

/// The trials in the text of a file. A last trial, or line, that was cut off is no damage.
///
/// # Errors
/// If the text is no such file, or at the first line that cannot stand where it does.
pub fn read_comparison(text: &str) -> Result<Searched, ComparisonError> {
    let header = comparison_header(text).ok_or(ComparisonError::Other)?;
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut reader = csv::Reader::from_reader(complete.as_bytes());
    let mut found = Searched { good: header.len(), ..Searched::default() };
    let mut rows: Vec<Row> = Vec::new();
    let mut record = csv::StringRecord::new();
    let wrong = |line: u64, reason: String| WrongLine { line, reason };
    let headers = reader.headers().map_err(|e| wrong(1, e.to_string()))?.clone();
    loop {
        let (line, begin) = (reader.position().line(), reader.position().byte() as usize);
        if !reader.read_record(&mut record).map_err(|e| wrong(line, reason(&e)))? {
            break;
        }
        let end = (reader.position().byte() as usize).min(complete.len());
        if header == COMPARISON_HEADER && !is_as_written(&complete[begin..end]) {
            return Err(wrong(line, "it has changed since it was written".into()).into());
        }
        let row: Row = record
            .deserialize(Some(&headers))
            .map_err(|error| wrong(line, wrong_value(&error, &headers, &record)))?;
        if let Some(objection) = row.objection(&rows) {
            return Err(wrong(line, objection).into());
        }
        rows.push(row);
        if rows.len() == rows[0].points * PANEL_SIZE {
            let rows = std::mem::take(&mut rows);
            found.trials.push((rows[0].clone(), trial(&rows)));
            found.good = end;
        }
    }
    found.unfinished = rows.into_iter().next();
    Ok(found)
}

/// Whether a line ends with the checksum of what stands before.
fn is_as_written(line: &str) -> bool {
    let parts = line.trim_end_matches(['\r', '\n']).rsplit_once(',');
    parts.is_some_and(|(row, sum)| sum == format!("{:08x}", crc32fast::hash(row.as_bytes())))
}

/// What is wrong with a line that is no row at all.
fn reason(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields stand where {expected_len} are due")
        }
        _ => error.to_string(),
    }
}

/// Names the field that has no such value.
fn wrong_value(
    error: &csv::Error,
    headers: &csv::StringRecord,
    record: &csv::StringRecord,
) -> String {
    let field = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.field(),
        _ => None,
    };
    let named = field.and_then(|index| {
        let index = usize::try_from(index).ok()?;
        Some(cannot_be(headers.get(index)?, record.get(index)?))
    });
    named.unwrap_or_else(|| error.to_string())
}

fn cannot_be(field: &str, value: impl Display) -> String {
    format!("{field} cannot be \"{value}\" there")
}

impl Row {
    /// Its fields, as a line without its end.
    fn to_csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(self).expect("writing to memory");
        let line = writer.into_inner().expect("writing to memory");
        String::from_utf8(line).expect("texts are UTF-8").trim_end().into()
    }

    /// Why it cannot come after these rows of its trial: the field and its value.
    fn objection(&self, before: &[Row]) -> Option<String> {
        let first = before.first().unwrap_or(self);
        let last =
            before.last().filter(|_| !before.len().is_multiple_of(PANEL_SIZE)).unwrap_or(self);
        let differs = |(field, its, due): (&str, String, String)| {
            (its != due).then(|| cannot_be(field, format_args!("{its}\" after \"{due}")))
        };
        let of_trial = self.terms_of_trial().into_iter().zip(first.terms_of_trial());
        let of_point = self.terms_of_point().into_iter().zip(last.terms_of_point());
        let pairs = of_trial.chain(of_point);
        let mut fields = pairs.map(|((field, its), (_, due))| (field, its, due));
        fields.find_map(differs).or_else(|| self.impossible(before))
    }

    /// What all rows of a trial share.
    fn terms_of_trial(&self) -> [(&'static str, String); 7] {
        [
            ("contestant", self.contestant.clone()),
            ("seed", self.seed.to_string()),
            ("settings", self.settings.clone()),
            ("terms", self.terms.clone()),
            ("budget", self.budget.clone()),
            ("depth", self.depth.to_string()),
            ("points", self.points.to_string()),
        ]
    }

    /// What all rows of a measurement share.
    fn terms_of_point(&self) -> [(&'static str, String); 4] {
        [
            ("point", self.point.to_string()),
            ("games", self.games.to_string()),
            ("nodes", self.nodes.to_string()),
            ("weights", self.weights.clone()),
        ]
    }

    /// A value that it cannot have, whatever stands before it.
    fn impossible(&self, before: &[Row]) -> Option<String> {
        let Row { score, low, high, played, .. } = self;
        match () {
            () if self.points == 0 => Some(cannot_be("points", 0)),
            () if !self.is_met(before) => Some(cannot_be("opponent", &self.opponent)),
            () if !(self.seconds.is_finite() && self.seconds >= 0.0) => {
                Some(cannot_be("seconds", self.seconds))
            }
            () if !self.strength().is_possible() => {
                Some(cannot_be("score", format_args!("{score}, {low} to {high} in {played} games")))
            }
            () => None,
        }
    }

    /// Whether the opponent is due after these rows: in the first measurement another than before, then
    /// the same ones in the same order.
    fn is_met(&self, before: &[Row]) -> bool {
        match before.get(before.len() % PANEL_SIZE) {
            Some(due) if before.len() >= PANEL_SIZE => due.opponent == self.opponent,
            _ => before.iter().all(|it| it.opponent != self.opponent),
        }
    }

    fn strength(&self) -> Strength {
        let interval = (self.low, self.high);
        Strength::new(&self.opponent, &self.openings, self.played, self.score, interval)
    }
}

fn trial(rows: &[Row]) -> Trial {
    let first = &rows[0];
    let point = |rows: &[Row]| Point {
        number: rows[0].point,
        spent: Spent { games: rows[0].games, nodes: rows[0].nodes },
        time: Duration::try_from_secs_f64(rows[0].seconds).unwrap_or_default(),
        weights: rows[0].weights.clone(),
        strength: rows.iter().map(Row::strength).collect(),
    };
    Trial {
        contestant: first.contestant.clone(),
        seed: first.seed,
        settings: first.settings.clone(),
        points: rows.chunks(PANEL_SIZE).map(point).collect(),
    }
}
