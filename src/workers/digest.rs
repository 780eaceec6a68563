//! What of an answer must not depend on who gave it.

use super::trained::settings_of;
use super::wire::Piece;
use crate::run::{COMPARISON_HEADER, Finished, Trial, read_comparison};
use evolution::arena::Outcome;

impl Piece {
    /// The digest of what an answer says; `None` of bytes that answer something else.
    ///
    /// Effort is left out: it depends on what whoever played remembered.
    pub(super) fn digest(&self, answer: &[u8]) -> Option<u32> {
        let mut hasher = crc32fast::Hasher::new();
        match self {
            Piece::Games(meetings) => {
                let outcomes = Outcome::decode(answer).ok()?;
                if outcomes.len() != meetings.len() {
                    return None;
                }
                for outcome in &outcomes {
                    hasher.update(format!("{:?}", outcome.game()).as_bytes());
                }
            }
            Piece::Run { settings } => {
                let settings = settings_of(settings).ok()?;
                return Some(Finished::decode(answer, &settings).ok()?.digest());
            }
            Piece::Search { contestant, seed, .. } => {
                let trial = trial_of(answer)?;
                if trial.contestant != *contestant || trial.seed != *seed {
                    return None;
                }
                hasher.update(trial.settings.as_bytes());
                for point in &trial.points {
                    let said = (point.number, point.spent.games, &point.weights, &point.strength);
                    hasher.update(format!("{said:?}").as_bytes());
                }
            }
        }
        Some(hasher.finalize())
    }
}

/// The trial that an answer is: its rows as `compare` keeps them.
pub(super) fn trial_of(answer: &[u8]) -> Option<Trial> {
    let text = format!("{COMPARISON_HEADER}{}", std::str::from_utf8(answer).ok()?);
    let found = read_comparison(&text).ok()?;
    let whole = found.good == text.len() && found.trials.len() == 1;
    found.trials.into_iter().next().map(|(_, trial)| trial).filter(|_| whole)
}
