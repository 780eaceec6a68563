//! The file of a comparison: trials as rows of CSV, those of a trial together.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{ComparisonTerms, Point, Spent, Trial};
use crate::player::PANEL_SIZE;
use mancala::eval::Strength;
use mancala::game::AnyGame;

/// The header line of the file.
pub const COMPARISON_HEADER: &str = "contestant,seed,settings,terms,budget,depth,point,points,games,\
                                     nodes,seconds,opponent,openings,played,score,low,high,weights\n";

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

/// The rows of a trial.
pub fn comparison_rows(trial: &Trial, terms: &ComparisonTerms) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for point in &trial.points {
        for strength in &point.strength {
            let row = row(trial, terms, point, strength);
            writer.serialize(row).expect("writing to memory");
        }
    }
    String::from_utf8(writer.into_inner().expect("writing to memory")).expect("texts are UTF-8")
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

/// The whole trials in the text of a file, each with its first row, up to the first that is damaged or
/// unfinished; and how many bytes of the text they take. `None` if the text is no such file.
pub fn read_comparison(text: &str) -> Option<(Vec<(Row, Trial)>, usize)> {
    if !text.starts_with(COMPARISON_HEADER) {
        return None;
    }
    let complete = &text[..=text.rfind('\n')?];
    let mut reader = csv::Reader::from_reader(complete.as_bytes());
    let mut rows: Vec<Row> = Vec::new();
    let (mut trials, mut good) = (Vec::new(), COMPARISON_HEADER.len());
    let mut record = csv::StringRecord::new();
    let headers = reader.headers().ok()?.clone();
    while reader.read_record(&mut record).unwrap_or(false) {
        let Ok(row) = record.deserialize::<Row>(Some(&headers)) else { break };
        if !row.follows(&rows) {
            break;
        }
        rows.push(row);
        if rows.len() == rows[0].points * PANEL_SIZE {
            let rows = std::mem::take(&mut rows);
            trials.push((rows[0].clone(), trial(&rows)));
            good = reader.position().byte() as usize;
        }
    }
    Some((trials, good.min(complete.len())))
}

impl Row {
    /// Whether it can come after these rows of its trial.
    fn follows(&self, before: &[Row]) -> bool {
        let panel = before.len() % PANEL_SIZE;
        let first = before.first().unwrap_or(self);
        let last = before.last().filter(|_| panel > 0);
        let of_trial = |it: &Row| {
            let (a, b) = (self, it);
            (&a.contestant, a.seed, &a.settings, &a.terms, &a.budget, a.depth, a.points)
                == (&b.contestant, b.seed, &b.settings, &b.terms, &b.budget, b.depth, b.points)
        };
        let of_point = |it: &Row| {
            let (a, b) = (self, it);
            (a.point, a.games, a.nodes, &a.weights) == (b.point, b.games, b.nodes, &b.weights)
        };
        self.is_met(before)
            && self.points > 0
            && of_trial(first)
            && last.is_none_or(of_point)
            && self.seconds.is_finite()
            && self.seconds >= 0.0
            && self.strength().is_possible()
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
