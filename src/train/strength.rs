//! Scores of weights with confidence intervals, as they are serialised in results.

use evolve::run::{KnownStrength, Measurement, Summary};
use mancala::eval::{Strength, mean_strength};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::terminal::without_empty;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// The number of points per game, from 0 to 1.
    pub score: f64,
    pub score_ci95: (f64, f64),
}

/// The mean score of the champion that was selected by final games or, if there were no final games, of the most
/// recently measured champion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LastStrength {
    #[serde(flatten)]
    pub score: Score,
    pub games: u64,
    pub generation: u32,
    /// Whether this champion was selected by final games.
    #[serde(rename = "final")]
    pub is_final: bool,
}

impl LastStrength {
    pub fn of(run: &Summary) -> Option<LastStrength> {
        let KnownStrength { generation, panel, is_final } = run.known_strength()?;
        let games = panel.iter().map(|it| it.games).sum();
        Some(LastStrength { score: Score::mean(&panel)?, games, generation, is_final })
    }
}

impl Score {
    /// Creates a score from its value and half the width of its interval. The interval is clamped to the range 0 to 1.
    pub fn within((score, margin): (f64, f64)) -> Score {
        Score { score, score_ci95: ((score - margin).max(0.0), (score + margin).min(1.0)) }
    }

    /// Returns the mean score against several opponents, or `None` if there are no opponents.
    pub fn mean(against: &[Strength]) -> Option<Score> {
        mean_strength(against).map(Score::within)
    }
}

impl From<&Strength> for Score {
    fn from(it: &Strength) -> Score {
        Score { score: it.score, score_ci95: (it.low, it.high) }
    }
}

/// Describes a measurement of a generation's champion: the mean score and accuracy, whether that champion became the
/// run's champion, and its tests against the previous champion.
pub fn measured_json(it: &Measurement) -> Value {
    let Score { score, score_ci95 } = Score::within(it.strength());
    let json = json!({
        "generation": it.generation,
        "score": score,
        "score_ci95": score_ci95,
        "strength": against(&it.against),
        "precision": it.accuracy,
        "champion": it.is_champion,
        "gate": it.gate,
    });
    without_empty(json, &["gate"])
}

pub fn against(strength: &[Strength]) -> Value {
    let result = |it: &Strength| {
        let Strength { opponent, openings, games, score, low, high } = it;
        json!({
            "opponent": opponent,
            "openings": openings,
            "games": games,
            "score": score,
            "score_ci95": [low, high],
        })
    };
    strength.iter().map(result).collect()
}

/// Serialises scores in the format of [`against`].
pub fn as_against<S: Serializer>(strength: &[Strength], serializer: S) -> Result<S::Ok, S::Error> {
    against(strength).serialize(serializer)
}
