//! What weights scored, as results have it.

use mancala::eval::{Strength, mean_strength};
use serde::{Deserialize, Serialize};

use evolve::run::{KnownStrength, Summary};

/// A figure between 0 and 1 with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// The 95 % interval of that.
    pub score_ci95: (f64, f64),
}

/// What weights scored against one opponent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgainstOpponent {
    /// The opponent, as a player specification.
    pub opponent: String,
    /// The openings; each was played with both colours.
    pub openings: String,
    /// Games played.
    pub games: u64,
    /// Points a game, and their interval.
    #[serde(flatten)]
    pub score: Score,
}

/// The mean score against the panel of the champion that final games chose, or else of the last measurement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LastStrength {
    /// Points a game, and their interval.
    #[serde(flatten)]
    pub score: Score,
    /// Games.
    pub games: u64,
    /// The generation that was measured.
    pub generation: u32,
    /// Whether it is the champion that final games chose.
    #[serde(rename = "final")]
    pub is_final: bool,
}

impl LastStrength {
    /// Returns the strength of a run, if it was measured.
    pub fn of(run: &Summary) -> Option<LastStrength> {
        let KnownStrength { generation, panel, is_final } = run.known_strength()?;
        let games = panel.iter().map(|it| it.games).sum();
        Some(LastStrength { score: Score::mean(&panel)?, games, generation, is_final })
    }
}

impl Score {
    /// A score with half the width of its interval, which ends where scores do.
    pub fn within((score, margin): (f64, f64)) -> Score {
        Score { score, score_ci95: ((score - margin).max(0.0), (score + margin).min(1.0)) }
    }

    /// The mean score against several opponents; `None` against nobody.
    pub fn mean(against: &[Strength]) -> Option<Score> {
        mean_strength(against).map(Score::within)
    }
}

impl From<&Strength> for AgainstOpponent {
    fn from(it: &Strength) -> AgainstOpponent {
        let Strength { opponent, openings, games, score, low, high } = it.clone();
        let score = Score { score, score_ci95: (low, high) };
        AgainstOpponent { opponent, openings, games, score }
    }
}

/// Opponent by opponent.
pub fn against(strength: &[Strength]) -> Vec<AgainstOpponent> {
    strength.iter().map(AgainstOpponent::from).collect()
}
