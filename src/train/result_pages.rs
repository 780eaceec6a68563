//! What a page shows of a run.

use serde::Serialize;

use crate::train::result_inspection::Measured;
use crate::train::strength::LastStrength;
use evolve::run::{Status, Totals};

/// A run as a card shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunCard {
    /// The name of its folder.
    pub id: String,
    /// Whether it goes on.
    pub state: String,
    /// The preset that it began from.
    pub preset: Option<String>,
    /// The game, with its rules where its text form has them.
    pub game: Option<String>,
    /// Its seed.
    pub seed: Option<u64>,
    /// Generations that are safely on disk.
    pub generation: u32,
    /// Generations asked for.
    pub generations: u32,
    /// When its newest file was written, in seconds since the beginning of 1970.
    pub changed: u64,
    /// How far the process is that trains in it, if one does.
    pub status: Option<Status>,
    /// The weights that it would name its champion now.
    pub champion: Option<CardChampion>,
    /// How strong a champion of it was found to be.
    pub strength: Option<LastStrength>,
    /// What is damaged.
    pub error: Option<String>,
    /// The command that goes on with it.
    pub resume: Option<String>,
}

/// The champion of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CardChampion {
    /// Its generation.
    pub generation: u32,
    /// Its fitness.
    pub fitness: Option<u64>,
    /// The fitness of one that wins every game.
    pub best_possible: u64,
}

/// All that a page shows of a run but its curves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "run")]
pub struct RunPage {
    /// Its card.
    #[serde(flatten)]
    pub card: RunCard,
    /// Its settings.
    pub settings: Vec<ShownSetting>,
    /// What its figures say, a sentence each.
    pub findings: Vec<String>,
    /// Pictures that can be drawn of it.
    pub pictures: Vec<&'static str>,
    /// Files of its folder that can be had.
    pub files: Vec<&'static str>,
    /// Formats that its champion can be exported in.
    pub exports: Vec<&'static str>,
}

/// A setting with what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownSetting {
    /// What files and `--set` call it.
    pub name: &'static str,
    /// Its value as it would be typed after `--set NAME=`.
    pub value: String,
    /// What the preset has.
    pub preset_value: Option<String>,
    /// What it means.
    pub meaning: &'static str,
}

/// Columns of a table over the generations.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "history")]
pub struct Curves {
    /// Their names; the first is `generation`.
    pub columns: Vec<String>,
    /// A value for each column; none where the table has none.
    pub rows: Vec<Vec<Option<f64>>>,
    /// The last generation of the table.
    pub last: u32,
    /// Rows of the table.
    pub total: usize,
    /// Whether rows come in pairs of the least and the greatest value of a stretch of generations.
    pub decimated: bool,
}

/// Totals of games, nodes and hours of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "cost")]
pub struct CostCurve {
    /// The totals up to the end of some generations, including the last.
    pub rows: Vec<Totals>,
}

/// The measurements of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "strength")]
pub struct StrengthCurve {
    /// Those in the course of it.
    pub measurements: Vec<Measured>,
    /// That of the champion that final games chose.
    #[serde(rename = "final")]
    pub chosen: Option<Measured>,
    /// Generations between measurements, or 0 for no measurements.
    pub measure_every: u32,
}

/// What runs can begin from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "presets")]
pub struct Presets {
    /// All, the usual one first.
    pub presets: Vec<ShownPreset>,
}

/// A preset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownPreset {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The game that it is of.
    pub game: String,
    /// How long a run goes on if no time is given.
    pub usual_seconds: Option<u64>,
    /// Games that a run asks for.
    pub games: u64,
    /// Its settings.
    pub settings: Vec<ShownSetting>,
}
