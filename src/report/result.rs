//! The contents of a report, which we print with `--json` or lay out as a page.

use arena::Accuracy;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::diagnosis::Diagnosed;
use crate::plot::Curve;
use crate::train::strength::{LastStrength, Score};

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename = "report")]
pub(crate) struct Report {
    pub(crate) version: &'static str,
    pub(crate) runs: Vec<RunReport>,
    /// A comparison of the champions, if there are several runs of one preset whose champions have features in common.
    pub(crate) agreement: Option<Value>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct RunReport {
    pub(crate) name: String,
    /// The path to use in commands: as the user typed it, but an absolute path becomes relative or just the name.
    pub(crate) folder: String,
    pub(crate) state: String,
    pub(crate) preset: String,
    pub(crate) seed: u64,
    pub(crate) game: String,
    pub(crate) generation: u32,
    pub(crate) generations: u32,
    /// The number of hours of training, without measurements and final games, if it was recorded.
    pub(crate) hours: Option<f64>,
    pub(crate) headline: String,
    /// Warnings about the run and its report. Each warning is one sentence.
    pub(crate) findings: Vec<String>,
    /// The suggested commands, and the purpose of each command.
    pub(crate) next: Vec<Value>,
    #[serde(flatten)]
    pub(super) of_games: Diagnosed,
    /// The champion's weights with their signs in the evaluation, largest first.
    pub(crate) weights: Vec<Value>,
    #[serde(skip)]
    pub(super) has_learned_features: bool,
    #[serde(skip)]
    pub(super) curves: RunCurves,
}

/// The data recorded during a run that we plot over the generations.
#[derive(Debug, Clone, Default)]
pub(super) struct RunCurves {
    /// The best, mean and worst fitness, as fractions of the maximum possible fitness.
    pub(super) fitness: [Curve; 3],
    /// The generation of each measurement, and the score against the reference opponents.
    pub(super) measured: Vec<(u32, Score)>,
    /// The final strength of the champion.
    pub(super) champion: Option<LastStrength>,
    /// The hours of training by the end of each generation before the first one whose time is unknown.
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
    /// The reason why the accuracy is unknown, or `None` if it's known.
    pub(crate) missing: Option<String>,
    /// The maximum number of seeds on the board for which there are tables.
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
    /// The rating relative to the first champion, based on all games.
    pub(crate) elo: Option<f64>,
    #[serde(flatten)]
    pub(crate) accuracy: Accuracy,
}

/// The game that best shows what the newest champion has learned.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Showcase {
    pub(crate) old_generation: u32,
    pub(crate) new_generation: u32,
    /// The number of points per game that the new champion scored in `games` games.
    pub(crate) score: f64,
    pub(crate) games: usize,
    /// The new champion's side.
    pub(crate) side: String,
    pub(crate) stores: [u16; 2],
    pub(crate) opening: String,
    pub(crate) line: String,
    pub(crate) moves: Vec<ShownMove>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ShownMove {
    /// The ply number, starting from 1.
    pub(crate) ply: usize,
    pub(crate) side: String,
    #[serde(rename = "move")]
    pub(crate) played: char,
    pub(crate) captured: u16,
    /// The pit that the old champion would have sown, if the new champion chose a different one.
    pub(crate) old_choice: Option<char>,
    /// How much higher the new champion values its own choice than the old champion's choice, in seeds.
    pub(crate) seeds: Option<f64>,
    pub(crate) comment: Option<String>,
    /// The position before the move.
    pub(crate) position: String,
    /// The seeds in South's and North's pits before the move, in sowing order.
    pub(crate) rows: [Vec<u16>; 2],
    /// The seeds in South's and North's stores before the move.
    pub(crate) stores: [u16; 2],
}
