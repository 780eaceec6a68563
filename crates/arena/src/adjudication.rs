//! Ends games early once their result is clear.
//!
//! Scores are compared in seeds, so we divide each score by the player's [value of a seed](Player::seed_value). The
//! score of a won or lost game exceeds every limit. For a score from endgame tables, we use its difference in seeds.

use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::player::{DefaultTables, Player};
use mancala::endgame::Tables;
use mancala::eval::{Certainty, Score};
use mancala::game::{Record, Side, Verdict};
use mancala::search::SearchableGame;

/// Rules for ending games early. No rule is set by default.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Adjudication {
    /// If set, a game ends as soon as these endgame tables prove its result.
    #[serde(serialize_with = "description")]
    pub tables: Option<DefaultTables>,
    /// If set, a side wins once it has led by at least the limit, in both players' scores, for the required moves.
    pub resign: Option<ScoreRule>,
    /// If set, a game is drawn once both players' scores have been within the limit for the required number of moves.
    pub draw: Option<ScoreRule>,
    /// Whether adjudicated games are played to the end anyway, and the adjudicated result is only recorded.
    #[serde(rename = "study")]
    pub is_study: bool,
}

fn description<S: Serializer>(tables: &Option<DefaultTables>, to: S) -> Result<S::Ok, S::Error> {
    tables.as_ref().map(DefaultTables::to_string).serialize(to)
}

/// A condition on the players' scores under which a game ends early.
///
/// ```
/// let rule: arena::ScoreRule = "movecount=4,score=0.5".parse().unwrap();
/// assert_eq!((rule.movenumber, rule.score), (0, 0.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRule {
    /// The number of moves per player before a game can be adjudicated, i.e. half the number of plies.
    #[serde(default)]
    pub movenumber: u32,
    /// The number of consecutive moves by each player for which the score must satisfy the rule.
    pub movecount: NonZeroU32,
    /// The limit for scores, in seeds.
    pub score: f64,
}

/// The rule by which a game was adjudicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AdjudicatedBy {
    Tables,
    Resign,
    Draw,
}

/// The adjudicated result of a game that was played to the end anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudicated {
    pub by: AdjudicatedBy,
    /// The number of plies after which the game would have ended.
    pub plies: usize,
    /// The winner, or `None` for a draw.
    pub winner: Option<Side>,
}

impl Adjudicated {
    pub fn verdict(&self) -> Verdict {
        self.winner.map_or(Verdict::Drawn, Verdict::Won)
    }
}

impl Adjudication {
    /// Returns the enabled rules, in the order in which they are checked.
    pub fn rules(&self) -> Vec<AdjudicatedBy> {
        let tables = self.tables.as_ref().map(|_| AdjudicatedBy::Tables);
        let resign = self.resign.map(|_| AdjudicatedBy::Resign);
        let draw = self.draw.map(|_| AdjudicatedBy::Draw);
        [tables, resign, draw].into_iter().flatten().collect()
    }

    /// Returns every setting that affects the results of games, or `None` if no rule is set.
    pub fn to_json(&self) -> Option<Value> {
        let is_on = !self.rules().is_empty();
        is_on.then(|| serde_json::to_value(self).expect("strings and numbers"))
    }
}

impl Display for AdjudicatedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for ScoreRule {
    type Err = String;

    /// Parses comma-separated `key=value` settings in any order.
    fn from_str(text: &str) -> Result<Self, String> {
        let rule = toml::from_str(&text.replace(',', "\n"));
        let rule: ScoreRule = rule.map_err(|error| error.message().to_owned())?;
        let is_valid = (0.0..=1000.0).contains(&rule.score);
        is_valid.then_some(rule).ok_or_else(|| "score must be from 0 to 1000 seeds".into())
    }
}

pub(crate) struct Adjudicator<'a> {
    rules: &'a Adjudication,
    resign: Streak,
    draw: Streak,
}

/// The number of consecutive moves by each player for which the score implies the same result, i.e. a winner or a draw.
#[derive(Default)]
struct Streak {
    claim: Option<Option<Side>>,
    moves: [u32; 2],
}

impl Streak {
    fn add(&mut self, side: Side, claim: Option<Option<Side>>) {
        if claim != self.claim {
            *self = Streak { claim, moves: [0; 2] };
        }
        self.moves[side.index()] += 1;
    }

    fn result(&self, rule: Option<ScoreRule>, plies: usize) -> Option<Option<Side>> {
        let rule = rule.filter(|rule| plies >= 2 * rule.movenumber as usize)?;
        self.claim.filter(|_| self.moves.iter().all(|&moves| moves >= rule.movecount.get()))
    }
}

impl<'a> Adjudicator<'a> {
    pub(crate) fn new(rules: &'a Adjudication) -> Adjudicator<'a> {
        Adjudicator { rules, resign: Streak::default(), draw: Streak::default() }
    }

    pub(crate) fn add<G: SearchableGame>(
        &mut self,
        side: Side,
        score: Option<Score>,
        player: &dyn Player<G>,
    ) {
        let Adjudication { resign, draw, .. } = self.rules;
        if resign.is_none() && draw.is_none() {
            return;
        }
        let lead = score.zip(player.seed_value()).map(|(score, value)| seeds(score, value));
        let claims = |rule: &Option<ScoreRule>, test: fn(f64, f64) -> bool| {
            lead.zip(*rule).is_some_and(|(lead, rule)| test(lead, rule.score))
        };
        let winner = if lead > Some(0.0) { side } else { side.other() };
        let is_won = claims(resign, |lead, score| lead.abs() >= score);
        self.resign.add(side, is_won.then_some(Some(winner)));
        let is_even = claims(draw, |lead, score| lead.abs() <= score);
        self.draw.add(side, is_even.then_some(None));
    }

    /// Returns the adjudicated result if one of the rules applies after the latest ply.
    pub(crate) fn decide<G: SearchableGame>(&self, record: &Record<G>) -> Option<Adjudicated> {
        let (plies, rules) = (record.plies().len(), self.rules);
        let tables = rules.tables.as_ref().and_then(DefaultTables::ready);
        let results = [
            (AdjudicatedBy::Tables, tables.and_then(|tables| proven(tables, record))),
            (AdjudicatedBy::Resign, self.resign.result(rules.resign, plies)),
            (AdjudicatedBy::Draw, self.draw.result(rules.draw, plies)),
        ];
        let result =
            |(by, winner): (_, Option<_>)| Some(Adjudicated { by, plies, winner: winner? });
        results.into_iter().find_map(result)
    }
}

fn seeds(score: Score, seed_value: i32) -> f64 {
    match score.table_difference() {
        Some((difference, _)) => difference.into(),
        None if score.counts_plies() => f64::from(score.0.signum()) * f64::INFINITY,
        None => f64::from(score.0) / f64::from(seed_value),
    }
}

/// If the tables prove the result, returns the winner, or `Some(None)` for a draw. Returns `None` if the last ply, if
/// any, wasn't a capture, since the result could then depend on repeated positions.
fn proven<G: SearchableGame>(tables: &Tables, record: &Record<G>) -> Option<Option<Side>> {
    let is_new = record.outcomes().next().is_none_or(|last| last.captured > 0);
    let position = G::as_ayo(record.position()).filter(|_| is_new)?;
    let (lead, certainty) = tables.outcome(position, Side::South)?;
    let winner = if lead > 0 { Side::South } else { Side::North };
    (certainty == Certainty::Proven).then_some((lead != 0).then_some(winner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use crate::contest::{Contest, ContestGame, Form};
    use crate::game::End;
    use crate::openings::Suite;
    use crate::player::SpecError;
    use crate::player_pool::PlayerPool;
    use mancala::endgame::{BuildPlan, build};
    use mancala::game::ayo::{Ayo, Position, Rules};
    use mancala::game::{Game, Pit};

    fn games(specs: [&str; 2], rules: Rules, adjudication: &Adjudication) -> Vec<ContestGame> {
        let game = Ayo { rules };
        let suite: Suite = "random:12,plies=6".parse().unwrap();
        let players = specs.map(|spec| PlayerPool::new(spec, game).unwrap()).into();
        let openings = suite.openings(game).unwrap();
        let contest = Contest::new(Form::Match, players, game, openings, suite.to_string());
        let contest = Contest { adjudication: adjudication.clone(), ..contest };
        let mut games = Vec::new();
        contest.play(&mut games, &(), &mut |_, _| Ok::<_, SpecError>(())).unwrap();
        games
    }

    fn with_tables(rules: Rules) -> Adjudication {
        let folder = tempfile::tempdir().unwrap();
        build(&BuildPlan::new(rules, 8, folder.path()).unwrap(), &(), |_| ()).unwrap();
        let tables = DefaultTables::with_bounds(Ayo { rules }, Some(folder.path())).unwrap();
        Adjudication { tables, ..Adjudication::default() }
    }

    fn rule(text: &str) -> Option<ScoreRule> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn a_study_predicts_the_adjudicated_games() {
        let players = ["minimax:weights=seeds,depth=3", "minimax:weights=aalina4,nodes=60"];
        let resign = rule("movecount=3,score=6,movenumber=4");
        let draw = rule("movecount=2,score=1.5,movenumber=15");
        let rules = Adjudication { resign, draw, ..with_tables(Rules::AYO) };
        let ended = games(players, Rules::AYO, &rules);
        let whole = games(players, Rules::AYO, &Adjudication::default());
        let studied = games(players, Rules::AYO, &Adjudication { is_study: true, ..rules.clone() });
        for ((ended, whole), game) in ended.iter().zip(&whole).zip(&studied) {
            assert_eq!((&game.line, &game.end), (&whole.line, &whole.end));
            match game.study {
                Some(study @ Adjudicated { by, plies, .. }) => {
                    assert_eq!(ended.line, whole.line[..plies]);
                    assert_eq!(ended.end, End::Adjudicated(by));
                    assert_eq!(ended.result, GameResult::of(study.verdict(), ended.side_of_first));
                }
                None => assert_eq!((&ended.line, &ended.end), (&whole.line, &whole.end)),
            }
        }
        for by in rules.rules() {
            assert!(studied.iter().any(|game| game.study.is_some_and(|it| it.by == by)), "{by:?}");
        }
    }

    #[test]
    fn tables_decide_as_perfect_players_play() {
        let players = ["seeds", "aalina4"]
            .map(|it| format!("engine:weights={it},nodes=300,hash=1,tables=likely"));
        let players = players.each_ref().map(String::as_str);
        for rules in [Rules::AWARI, Rules::AYO] {
            let study = Adjudication { is_study: true, ..with_tables(rules) };
            let games = games(players, rules, &study);
            let studied = games.iter().filter_map(|game| Some((game, game.study?)));
            assert!(studied.clone().count() > 3);
            for (game, study) in studied {
                let result = GameResult::of(study.verdict(), game.side_of_first);
                assert_eq!(game.result, result, "{rules}: {game:?}");
                let opening: Position = game.opening.parse().unwrap();
                let mut positions = vec![opening];
                for letter in game.line[..study.plies].to_lowercase().bytes() {
                    let pit = Pit::new(letter - b'a').unwrap();
                    positions.push(Ayo { rules }.play(positions.last().unwrap(), pit));
                }
                if let [.., before, after] = positions[..] {
                    let stores = |it: Position| Side::BOTH.map(|side| it.store(side));
                    assert_ne!(stores(before), stores(after));
                }
            }
        }
    }

    #[test]
    fn both_players_must_agree_without_interruption() {
        let won = Some(Some(Side::South));
        let rule = rule("movecount=2,score=1,movenumber=3");
        let mut streak = Streak::default();
        for (side, claim, plies, expected) in [
            (Side::South, won, 9, None),
            // In kalah, a player may move several times in a row.
            (Side::South, won, 9, None),
            (Side::North, won, 9, None),
            (Side::North, won, 5, None),
            (Side::South, won, 6, won),
            (Side::North, None, 9, None),
            (Side::South, won, 9, None),
        ] {
            streak.add(side, claim);
            assert_eq!(streak.result(rule, plies), expected);
        }
    }

    #[test]
    fn scores_are_compared_in_seeds() {
        assert_eq!(seeds(Score(-42), 14), -3.0);
        assert_eq!(seeds(Score::of_tables(-6, Certainty::Heuristic, 2), 14), -6.0);
        assert_eq!(seeds(Score::loss(9), 14), f64::NEG_INFINITY);
        assert_eq!(seeds(Score::DRAW, 14), 0.0);
    }

    #[test]
    fn invalid_rules_are_refused() {
        let wrong = "3 movecount=4 score=1 movecount=0,score=1 movecount=1.5,score=1 movecount=1,score=nan \
                     movecount=1,score=-1 movecount=1,score=1,score=1 movecount=1,scores=1";
        for text in wrong.split(' ').chain([""]) {
            assert!(text.parse::<ScoreRule>().is_err(), "{text}");
        }
        assert!("movecount=4".parse::<ScoreRule>().unwrap_err().contains("score"));
    }
}
