//! The result of a report, which is printed with `--json` and laid out as a page.

use arena::Accuracy;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::diagnosis::Diagnosed;
use crate::plot::Curve;
use crate::train::strength::{LastStrength, Score};

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename = "report")]
pub(crate) struct Report {
    /// The version of the program.
    pub(crate) version: &'static str,
    pub(crate) runs: Vec<RunReport>,
    /// How far the champions agree, if several runs of one preset have features in common.
    pub(crate) agreement: Option<Value>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct RunReport {
    pub(crate) name: String,
    /// The folder as in the commands: relative, without the names of other folders.
    pub(crate) folder: String,
    pub(crate) state: String,
    pub(crate) preset: String,
    pub(crate) seed: u64,
    pub(crate) game: String,
    pub(crate) generation: u32,
    pub(crate) generations: u32,
    /// Hours of training, without measurements and final games, if they are recorded.
    pub(crate) hours: Option<f64>,
    pub(crate) headline: String,
    /// Warnings about the run and its report, one sentence each.
    pub(crate) findings: Vec<String>,
    /// Commands to type next, with their purposes.
    pub(crate) next: Vec<Value>,
    #[serde(flatten)]
    pub(super) of_games: Diagnosed,
    /// The weights of the champion with their signs in the evaluation, largest first.
    pub(crate) weights: Vec<Value>,
    #[serde(skip)]
    pub(super) has_learned_features: bool,
    #[serde(skip)]
    pub(super) curves: RunCurves,
}

/// What the tables of a run record, by generation.
#[derive(Debug, Clone, Default)]
pub(super) struct RunCurves {
    /// Best, mean and worst fitness, in shares of the possible fitness.
    pub(super) fitness: [Curve; 3],
    /// The score against the reference opponents.
    pub(super) measured: Vec<(u32, Score)>,
    /// The strength of the champion.
    pub(super) champion: Option<LastStrength>,
    /// Hours of training by the end of each generation, from the first, as far as they are recorded.
    pub(super) hours: Vec<f64>,
}

impl RunCurves {
    pub(super) fn hours_at(&self, generation: u32) -> Option<f64> {
        self.hours.get((generation as usize).checked_sub(1)?).copied()
    }
}

/// The accuracy of champions according to endgame tables.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Truth {
    /// Why there are no figures.
    pub(crate) missing: Option<String>,
    /// Maximum number of seeds on the board in the tables.
    pub(crate) seeds: u8,
    pub(crate) champions: Vec<ChampionAccuracy>,
}

impl Truth {
    pub(super) fn missing(reason: String) -> Truth {
        Truth { missing: Some(reason), ..Truth::default() }
    }

    pub(super) fn unknown() -> Truth {
        let reason = "The moves of its champions have not been compared with endgame tables yet.";
        Truth::missing(reason.into())
    }
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct ChampionAccuracy {
    pub(crate) generation: u32,
    /// The joint rating, relative to the first champion.
    pub(crate) elo: Option<f64>,
    #[serde(flatten)]
    pub(crate) accuracy: Accuracy,
}

/// The game that shows best what the newest champion learned.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Showcase {
    pub(crate) old_generation: u32,
    pub(crate) new_generation: u32,
    /// Points per game of the new champion, and the number of games.
    pub(crate) score: f64,
    pub(crate) games: usize,
    /// The side of the new champion.
    pub(crate) side: String,
    pub(crate) stores: [u16; 2],
    pub(crate) opening: String,
    pub(crate) line: String,
    pub(crate) moves: Vec<ShownMove>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ShownMove {
    /// Number of the ply, from 1.
    pub(crate) ply: usize,
    pub(crate) side: String,
    #[serde(rename = "move")]
    pub(crate) played: char,
    /// Seeds captured by the move.
    pub(crate) captured: u16,
    /// The old champion's choice, if the new champion moved and chose another pit.
    pub(crate) old_choice: Option<char>,
    /// How much lower the new champion values the old one's choice, in seeds.
    pub(crate) seeds: Option<f64>,
    pub(crate) comment: Option<String>,
    /// The position before the move.
    pub(crate) position: String,
    /// Seeds in South's and in North's pits before the move, in sowing order.
    pub(crate) rows: [Vec<u16>; 2],
    /// Seeds in South's and in North's store before the move.
    pub(crate) stores: [u16; 2],
}
