//! The result of an ablation.

use arena::Pentanomial;
use serde::{Deserialize, Serialize};

use crate::results::Terms;
use evolve::run::Ablated;

/// What each feature of some weights is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "ablation")]
pub struct Ablation {
    /// The name of the weights.
    pub weights: String,
    /// Plies that both sides searched.
    pub depth: u32,
    /// What was played.
    #[serde(flatten)]
    pub terms: Terms,
    /// What the games began from.
    pub openings: String,
    /// The features from what is worth the most to what weighs nothing.
    pub features: Vec<FeatureWorth>,
}

/// What the weights lose without a feature. A feature that weighs nothing has no figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureWorth {
    /// The feature's name.
    pub feature: String,
    /// What it counts.
    pub meaning: String,
    /// What the feature is weighed by.
    pub weight: i64,
    /// The Elo difference that it makes.
    pub elo: Option<f64>,
    /// The 95 % interval of that.
    pub elo_ci95: Option<(f64, f64)>,
    /// Points a game with it against those without.
    pub score: Option<f64>,
    /// The 95 % interval of that.
    pub score_ci95: Option<(f64, f64)>,
    /// Games played.
    #[serde(default)]
    pub games: u64,
    /// The pairs of games by score.
    pub pairs: Option<Pentanomial>,
}

impl From<&Ablated> for FeatureWorth {
    fn from(it: &Ablated) -> FeatureWorth {
        let worth = it.worth();
        FeatureWorth {
            feature: it.feature.name().to_owned(),
            meaning: it.feature.meaning().to_owned(),
            weight: it.weight.into(),
            elo: worth.map(|worth| worth.elo),
            elo_ci95: worth.map(|worth| worth.elo_ci95),
            score: worth.map(|worth| worth.score),
            score_ci95: worth.map(|worth| worth.score_ci95),
            games: it.pairs.map_or(0, |pairs| 2 * pairs.pairs()),
            pairs: it.pairs,
        }
    }
}
