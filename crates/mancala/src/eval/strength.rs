//! The measured strength of weights.

use serde::{Deserialize, Serialize};

/// What weights scored against one opponent. The figures have four decimals, which is more than they
/// are worth and the same on every machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The opponent, as a player specification.
    pub opponent: String,
    /// The openings; each was played with both colours.
    pub openings: String,
    /// Games played.
    pub games: u64,
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Lower end of the 95 % interval of the expected score.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Strength {
    /// The strength with these figures, which are rounded.
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

    /// Half the width of the interval.
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether the figures can be those of games.
    pub fn is_possible(&self) -> bool {
        0.0 <= self.low && self.low <= self.score && self.score <= self.high && self.high <= 1.0
    }
}

/// A sequential test in which weights met the champion that they replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateTest {
    /// The generation of the champion before.
    pub against: u32,
    /// The search limit of both sides: `depth 5`.
    pub limits: String,
    /// The hypotheses in logistic Elo and the error probabilities: `elo0=0,elo1=20,alpha=0.05,beta=0.05`.
    pub test: String,
    /// Pairs of games by their score, from two losses to two wins.
    pub pairs: [u64; 5],
    /// The log-likelihood ratio of the pairs, with four decimals.
    pub llr: f64,
    /// `H1 accepted`, `H0 accepted` or `undecided`.
    pub decision: String,
}

/// The mean score against several opponents, and half the width of its 95 % interval where the games
/// against one say nothing about those against another.
pub fn mean_strength(strengths: &[Strength]) -> Option<(f64, f64)> {
    let count = strengths.len() as f64;
    let score = strengths.iter().map(|it| it.score).sum::<f64>() / count;
    let squares: f64 = strengths.iter().map(|it| it.margin() * it.margin()).sum();
    (!strengths.is_empty()).then(|| (score, squares.sqrt() / count))
}
