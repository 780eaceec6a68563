//! The games of a match that were adjudicated, or would have been.

use std::io::Write;

use arena::player::PlayableGame;
use arena::{AdjudicatedBy, Contest, ContestGame, End};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdjudicationResult {
    /// The rules with their settings and, in a study, the word "study".
    pub settings: String,
    pub rules: Vec<AdjudicatedGames>,
}

/// The games that a rule decided, or in a study would have decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicatedGames {
    pub rule: AdjudicatedBy,
    pub games: u64,
    /// In a study, the number of games whose result the rule would have changed.
    pub changed: Option<u64>,
    /// In a study, the number of plies that the rule would have saved.
    pub plies_saved: Option<u64>,
}

impl AdjudicationResult {
    /// Counts the games of complete pairs. Returns `None` if no rule is set.
    pub(super) fn new<G: PlayableGame>(
        contest: &Contest<G>,
        games: &[ContestGame],
    ) -> Option<AdjudicationResult> {
        let adjudication = &contest.adjudication;
        let games = games.as_chunks::<2>().0.as_flattened();
        let rule = |rule: AdjudicatedBy| {
            let ended = games.iter().filter(|game| game.end == End::Adjudicated(rule));
            let studied: Vec<_> = games
                .iter()
                .filter_map(|game| Some((game, game.study.filter(|study| study.by == rule)?)))
                .collect();
            let changed =
                studied.iter().filter(|(game, study)| study.verdict != game.settlement.verdict);
            let saved = studied.iter().map(|(game, study)| (game.line.len() - study.plies) as u64);
            let is_study = adjudication.is_study;
            AdjudicatedGames {
                rule,
                games: (ended.count() + studied.len()) as u64,
                changed: is_study.then(|| changed.count() as u64),
                plies_saved: is_study.then(|| saved.sum()),
            }
        };
        let rules = AdjudicatedBy::ALL.into_iter().filter(|rule| adjudication.is_set(*rule));
        adjudication.is_on().then(|| AdjudicationResult {
            settings: adjudication.to_string(),
            rules: rules.map(rule).collect(),
        })
    }

    /// Prints a line per rule.
    pub(super) fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for AdjudicatedGames { rule, games, changed, plies_saved } in &self.rules {
            let study = changed.zip(*plies_saved).map(|(changed, plies)| {
                format!(" in the study, results changed {changed}, plies saved {plies}")
            });
            writeln!(out, "adjudicated   by {rule} {games}{}", study.unwrap_or_default())?;
        }
        Ok(())
    }
}
