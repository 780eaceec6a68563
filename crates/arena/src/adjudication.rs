//! Adjudication: ending a game once its result is clear.
//!
//! Scores are compared in seeds: a player's score divided by the [value of a seed](Player::seed_value) in its scores.
//! Scores of won and lost games are beyond any limit, and scores from endgame tables stand for the table's difference.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::player::{DefaultTables, Player};
use crate::sprt::read_settings;
use mancala::endgame::Tables;
use mancala::eval::{Certainty, Score};
use mancala::game::{Record, Side, Verdict};
use mancala::search::SearchableGame;

/// Rules by which games end early. By default, there are none.
#[derive(Debug, Clone, Default)]
pub struct Adjudication {
    /// Tables that decide every position whose result they prove.
    pub tables: Option<DefaultTables>,
    /// A win, if both players' scores agree for some moves that one side leads by at least the rule's score.
    pub resign: Option<ScoreRule>,
    /// A draw, if both players' scores stay within the rule's score for some moves.
    pub draw: Option<ScoreRule>,
    /// Whether games are played to the end nevertheless, and the result by adjudication is only recorded.
    pub is_study: bool,
}

/// When scores are clear enough to end a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreRule {
    /// The number of moves that each player makes before a game can be adjudicated.
    pub movenumber: u32,
    /// The number of moves of each player, without interruption, whose scores must satisfy the rule.
    pub movecount: u32,
    /// The limit in seeds.
    pub score: f64,
}

/// The rule that decided an adjudicated game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AdjudicatedBy {
    Tables,
    Resign,
    Draw,
}

/// The result by adjudication of a game that was played to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjudicated {
    pub by: AdjudicatedBy,
    /// The number of plies after which the game would have ended.
    pub plies: usize,
    pub verdict: Verdict,
}

impl Adjudication {
    pub fn is_set(&self, rule: AdjudicatedBy) -> bool {
        match rule {
            AdjudicatedBy::Tables => self.tables.is_some(),
            AdjudicatedBy::Resign => self.resign.is_some(),
            AdjudicatedBy::Draw => self.draw.is_some(),
        }
    }

    /// Whether any rule is set.
    pub fn is_on(&self) -> bool {
        AdjudicatedBy::ALL.iter().any(|rule| self.is_set(*rule))
    }
}

impl AdjudicatedBy {
    /// All rules, in the order in which they are applied.
    pub const ALL: [AdjudicatedBy; 3] =
        [AdjudicatedBy::Tables, AdjudicatedBy::Resign, AdjudicatedBy::Draw];
}

/// Writes everything that the results of games depend on.
impl Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = |name: &str, rule: Option<ScoreRule>| rule.map(|rule| format!("{name} {rule}"));
        let parts = [
            self.tables.as_ref().map(DefaultTables::to_string),
            rule("resign", self.resign),
            rule("draw", self.draw),
            self.is_study.then(|| "study".into()),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

/// The error for invalid settings of a [`ScoreRule`]. It continues a sentence that begins with the rule's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rule{0}")]
pub struct ScoreRuleError(String);

/// The largest score of a rule, which is more than any board has seeds.
const MAX_SCORE: f64 = 1000.0;
const MAX_MOVES: f64 = 10_000.0;

impl FromStr for ScoreRule {
    type Err = ScoreRuleError;

    fn from_str(text: &str) -> Result<Self, ScoreRuleError> {
        let (mut movenumber, mut movecount, mut score) = (0.0, 0.0, 0.0);
        let mut fields =
            [("movenumber", &mut movenumber), ("movecount", &mut movecount), ("score", &mut score)];
        let invalid = |key: &str, value: &str| {
            let expected = match key {
                "movenumber" => "a whole number from 0 to 10000",
                "movecount" => "a whole number from 1 to 10000",
                _ => "a number of seeds from 0 to 1000",
            };
            format!(": {key} is \"{value}\", not {expected}")
        };
        let set = read_settings(text, &mut fields, invalid).map_err(ScoreRuleError)?;
        if let Some(key) = ["movecount", "score"].iter().find(|key| !set.contains(*key)) {
            return Err(ScoreRuleError(format!(": {key} is missing")));
        }
        let whole = |value: f64, min: f64| {
            (min..=MAX_MOVES).contains(&value) && value == f64::from(value as u32)
        };
        for (key, value, is_valid) in [
            ("movenumber", movenumber, whole(movenumber, 0.0)),
            ("movecount", movecount, whole(movecount, 1.0)),
            ("score", score, (0.0..=MAX_SCORE).contains(&score)),
        ] {
            if !is_valid {
                return Err(ScoreRuleError(invalid(key, &value.to_string())));
            }
        }
        let [movenumber, movecount] = [movenumber, movecount].map(|moves| moves as u32);
        Ok(ScoreRule { movenumber, movecount, score })
    }
}

impl Display for ScoreRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScoreRule { movenumber, movecount, score } = self;
        write!(f, "movenumber={movenumber},movecount={movecount},score={score}")
    }
}

impl Display for AdjudicatedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Applies the rules to one game.
pub(crate) struct Adjudicator<'a> {
    rules: &'a Adjudication,
    resign: Streak,
    draw: Streak,
}

/// The last moves of both players whose scores claim the same verdict.
#[derive(Default)]
struct Streak {
    verdict: Option<Verdict>,
    moves: [u32; 2],
}

impl Streak {
    fn add(&mut self, side: Side, verdict: Option<Verdict>) {
        if verdict != self.verdict {
            *self = Streak { verdict, moves: [0; 2] };
        }
        self.moves[side.index()] += 1;
    }

    fn verdict(&self, rule: &ScoreRule, plies: usize) -> Option<Verdict> {
        let is_long = self.moves.iter().all(|&moves| moves >= rule.movecount);
        self.verdict.filter(|_| is_long && plies >= 2 * rule.movenumber as usize)
    }
}

impl<'a> Adjudicator<'a> {
    pub(crate) fn new(rules: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator { rules, resign: Streak::default(), draw: Streak::default() }
    }

    /// Takes note of the score with which a player chose a move.
    pub(crate) fn add<G: SearchableGame>(
        &mut self,
        side: Side,
        score: Option<Score>,
        player: &dyn Player<G>,
    ) {
        if self.rules.resign.is_none() && self.rules.draw.is_none() {
            return;
        }
        let lead = score.zip(player.seed_value()).map(|(score, value)| seeds(score, value));
        self.resign.add(
            side,
            match (lead, self.rules.resign) {
                (Some(lead), Some(rule)) if lead >= rule.score => Some(Verdict::Won(side)),
                (Some(lead), Some(rule)) if lead <= -rule.score => Some(Verdict::Won(side.other())),
                _ => None,
            },
        );
        let is_even =
            lead.zip(self.rules.draw).is_some_and(|(lead, rule)| lead.abs() <= rule.score);
        self.draw.add(side, is_even.then_some(Verdict::Drawn));
    }

    /// Returns the result, if a rule decides the game after its last ply.
    pub(crate) fn decide<G: SearchableGame>(&self, record: &Record<G>) -> Option<Adjudicated> {
        let plies = record.plies().len();
        let Adjudication { tables, resign, draw, .. } = self.rules;
        let tables = tables.as_ref().and_then(DefaultTables::ready);
        let by_tables = || proven(tables?, record);
        let by_score =
            |rule: &Option<ScoreRule>, streak: &Streak| streak.verdict(rule.as_ref()?, plies);
        let (by, verdict) = None
            .or_else(|| Some((AdjudicatedBy::Tables, by_tables()?)))
            .or_else(|| Some((AdjudicatedBy::Resign, by_score(resign, &self.resign)?)))
            .or_else(|| Some((AdjudicatedBy::Draw, by_score(draw, &self.draw)?)))?;
        Some(Adjudicated { by, plies, verdict })
    }
}

/// Converts a score to seeds.
fn seeds(score: Score, seed_value: i32) -> f64 {
    match score.table_difference() {
        Some((difference, _)) => difference.into(),
        None if score.counts_plies() => f64::from(score.0.signum()) * f64::INFINITY,
        None => f64::from(score.0) / f64::from(seed_value),
    }
}

/// Returns the result that tables prove for the position after a capture. Elsewhere, it could depend on repetitions.
fn proven<G: SearchableGame>(tables: &Tables, record: &Record<G>) -> Option<Verdict> {
    let is_new = record.outcomes().next().is_none_or(|last| last.captured > 0);
    let position = G::as_ayo(record.position()).filter(|_| is_new)?;
    match tables.outcome(position, Side::South)? {
        (0, Certainty::Proven) => Some(Verdict::Drawn),
        (lead, Certainty::Proven) => {
            Some(Verdict::Won(if lead > 0 { Side::South } else { Side::North }))
        }
        (_, Certainty::Heuristic) => None,
    }
}
