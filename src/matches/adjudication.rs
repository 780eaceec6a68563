//! The games of a match that were adjudicated, or would have been.

use std::io::Write;

use arena::player::PlayableGame;
use arena::{AdjudicatedBy, Contest, ContestGame, End};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdjudicationResult {
    /// The settings of the rules.
    pub settings: Value,
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
            let ended = games.iter().filter(|game| game.end == End::Adjudicated(rule)).count();
            let (mut studied, mut changed, mut saved) = (0, 0, 0);
            for game in games {
                let Some(study) = game.study.filter(|study| study.by == rule) else { continue };
                studied += 1;
                changed += u64::from(study.verdict() != game.settlement.verdict);
                saved += (game.line.len() - study.plies) as u64;
            }
            let in_study = |count| adjudication.is_study.then_some(count);
            let (games, changed) = (ended as u64 + studied, in_study(changed));
            AdjudicatedGames { rule, games, changed, plies_saved: in_study(saved) }
        };
        let rules = adjudication.rules().into_iter().map(rule).collect();
        Some(AdjudicationResult { settings: adjudication.to_json()?, rules })
    }

    /// Prints a line per rule.
    pub(super) fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for AdjudicatedGames { rule, games, changed, plies_saved } in &self.rules {
            match changed.zip(*plies_saved) {
                None => writeln!(out, "adjudicated   {games} games by {rule}")?,
                Some((changed, plies)) => writeln!(
                    out,
                    "study         {games} games ended by {rule}, {changed} results changed, {plies} plies saved"
                )?,
            }
        }
        Ok(())
    }
}
