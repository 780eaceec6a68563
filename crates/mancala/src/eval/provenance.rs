//! The origin and measured strength of weights.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::{Perspective, Quiescence};
use crate::game::{AnyGame, GameKind};
use crate::search::Ties;

/// The training run that produced the weights. We don't store paths or times, so identical runs write the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    pub preset: String,
    pub seed: u64,
    /// The hash of all settings that affect the results.
    pub settings: String,
    pub generation: u32,
    /// The fitness of the weights in that generation, if it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitness: Option<u64>,
    #[serde(flatten)]
    pub played: AnyGame,
    /// The search depth used in training, in plies.
    pub depth: u32,
    /// The node limit per move. If there is one, it was used instead of the depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NonZeroU64>,
    /// This is missing in files from version 0.1. See [`perspective`](Self::perspective).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perspective: Option<Perspective>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiescence: Option<Quiescence>,
    /// `None` means [`Ties::Lowest`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ties: Option<Ties>,
}

impl Provenance {
    /// Returns the search limit used in training, such as `depth 5` or `nodes 10000`.
    pub fn searched(&self) -> String {
        match self.nodes {
            Some(nodes) => format!("nodes {nodes}"),
            None => format!("depth {}", self.depth),
        }
    }

    /// Returns the perspective used in training. Version 0.1 didn't record it, but always evaluated leaves for the
    /// player at the root. At odd depths in ayo, this is the same as [`Perspective::Mover`].
    pub fn perspective(&self, game: GameKind) -> Perspective {
        let is_even = self.depth.is_multiple_of(2);
        let old = || if is_even { Perspective::Root } else { Perspective::of(game) };
        self.perspective.unwrap_or_else(old)
    }

    /// Returns the quiescence search used in training.
    pub fn quiescence(&self) -> Quiescence {
        self.quiescence.unwrap_or_default()
    }
}

/// A score against one opponent, rounded to four decimals so that it's the same on every machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The opponent, as a player specification.
    pub opponent: String,
    /// The openings. Each opening is played twice, with the players swapped in the second game.
    pub openings: String,
    pub games: u64,
    /// The number of points per game, from 0 to 1.
    pub score: f64,
    /// The lower end of the 95 % confidence interval for the expected score.
    pub low: f64,
    /// The upper end of the confidence interval.
    pub high: f64,
}

impl Strength {
    /// Creates a score whose figures are rounded to four decimals.
    pub fn new(
        opponent: impl Into<String>,
        openings: impl Into<String>,
        games: u64,
        score: f64,
        (low, high): (f64, f64),
    ) -> Strength {
        let round = |figure: f64| (figure * 1e4).round() / 1e4;
        let (score, low, high) = (round(score), round(low), round(high));
        Strength { opponent: opponent.into(), openings: openings.into(), games, score, low, high }
    }

    /// Returns whether the score is in the confidence interval and the interval is between 0 and 1.
    pub fn is_possible(&self) -> bool {
        0.0 <= self.low && self.low <= self.score && self.score <= self.high && self.high <= 1.0
    }
}

/// A gating match, i.e. a sequential test of weights against the champion that they replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateTest {
    /// The generation of the previous champion.
    pub against: u32,
    /// The search limit of both players, such as `depth 5`.
    pub limits: String,
    /// Hypotheses in logistic Elo and error probabilities, such as `elo0=0,elo1=20,alpha=0.05,beta=0.05`.
    pub test: String,
    /// The number of game pairs with each result, from two losses to two wins.
    pub pairs: [u64; 5],
    /// The log-likelihood ratio, rounded to four decimals.
    pub llr: f64,
    /// `H1 accepted`, `H0 accepted` or `undecided`.
    pub decision: String,
}

/// Returns the mean score and half the width of its 95 % confidence interval, assuming that the scores are independent.
/// Returns `None` if there are no scores.
pub fn mean_strength(strengths: &[Strength]) -> Option<(f64, f64)> {
    let count = strengths.len() as f64;
    let score = strengths.iter().map(|it| it.score).sum::<f64>() / count;
    let margins = strengths.iter().map(|it| (it.high - it.low) / 2.0);
    let squares: f64 = margins.map(|margin| margin * margin).sum();
    (!strengths.is_empty()).then(|| (score, squares.sqrt() / count))
}
