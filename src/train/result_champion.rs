//! The choice of a run's champion.

use mancala::eval::{GateTest, Provenance};
use serde::{Deserialize, Serialize};

use crate::train::strength::{AgainstOpponent, against};
use evolve::run::{Choice, Finalist};

/// A champion chosen by games between finalists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "champion")]
pub struct ChampionChoice {
    /// Games played between the finalists.
    pub games: u64,
    /// The finalists, the winner first.
    pub ranking: Vec<RankedFinalist>,
    /// The tests in which the winner met the champion before; none if there was none, or it is the winner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gate: Vec<GateTest>,
    /// The champion's weights: the winner's, or those before if the winner did not pass the gate.
    pub weights: Vec<i32>,
    /// Where they come from.
    pub provenance: Option<Provenance>,
    /// How strong they are.
    pub strength: Vec<AgainstOpponent>,
}

/// How a finalist did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedFinalist {
    /// Where it comes from, in words.
    pub finalist: String,
    /// The weights in the order of the features.
    pub weights: Vec<i32>,
    /// Points a game.
    pub score: f64,
    /// Games that this is the mean of.
    pub games: u64,
    /// The likelihood that the winner is stronger.
    pub behind: f64,
}

impl ChampionChoice {
    /// The choice among some finalists.
    pub fn of(finalists: &[Finalist], choice: &Choice) -> ChampionChoice {
        let ranking = choice.ranking.iter().map(|placing| RankedFinalist {
            finalist: finalists[placing.finalist].name.clone(),
            weights: finalists[placing.finalist].weights.values().to_vec(),
            score: placing.score,
            games: placing.games,
            behind: placing.behind,
        });
        ChampionChoice {
            games: choice.games,
            ranking: ranking.collect(),
            gate: choice.gate.clone(),
            weights: choice.champion.values().to_vec(),
            provenance: choice.champion.provenance.clone(),
            strength: against(&choice.champion.strength),
        }
    }
}
