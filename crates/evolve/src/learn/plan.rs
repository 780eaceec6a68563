//! The parameters and the results of learning a layer of hidden neurons.

use arena::as_text;
use mancala::eval::{Format, Layer, Weights, export};
use mancala::game::{AnyGame, with_game};
use mancala::search::Options;
use mancala::store::sha256;
use serde::{Deserialize, Serialize};

use super::positions::Encoding;

/// The supported numbers of units in a layer.
pub const SIZES: [usize; 8] = [8, 16, 24, 32, 48, 64, 128, 256];

/// The parameters for learning a layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub seed: u64,
    #[serde(with = "as_text::game")]
    pub game: AnyGame,
    pub units: usize,
    /// The number of neurons in the second layer, or 0 if there is none.
    pub neurons: usize,
    /// The number of game phases. Each phase has its own output weights.
    pub phases: usize,
    /// The datasets that we fit the layer to, oldest first. The last one is from the current iteration.
    pub datasets: Vec<Dataset>,
    pub epochs: u32,
    /// The search depth at which a teacher with [weights](Teacher::Scores) chooses moves in self-play games.
    pub depth: u32,
    pub label_depth: u32,
    /// The maximum number of seeds in the endgame tables that we search with, or 0 to search without tables.
    pub label_tables: u8,
    pub options: Options,
}

/// Positions that are collected and labelled by the same teacher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    /// The iteration in which the positions are collected, counted from 1.
    pub iteration: u32,
    pub positions: u32,
    pub teacher: Teacher,
}

/// The player of the self-play games, which also determines how we label positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Teacher {
    /// A player that only counts captured seeds. We label positions with the results of its games.
    Outcomes,
    /// A player with these weights. We label positions with its search scores.
    Scores(#[serde(with = "as_text::weights")] Box<Weights>),
}

/// The version of the algorithms that collect positions and fit layers. We ignore files from other versions.
const RECIPE: u32 = 4;

impl Plan {
    pub(crate) fn newest(&self) -> &Dataset {
        self.datasets.last().expect("a plan has datasets")
    }

    pub(crate) fn encoding(&self) -> Encoding {
        with_game!(self.game, game => Encoding::of(game))
    }

    /// Returns a hash of everything that the positions in a dataset depend on.
    pub(crate) fn origin_of(&self, dataset: &Dataset) -> String {
        let Plan { seed, game, depth, label_depth, label_tables, options, .. } = self;
        let Dataset { iteration, positions, teacher } = dataset;
        let teacher = match teacher {
            Teacher::Outcomes => String::new(),
            Teacher::Scores(weights) => export(weights, Format::Json),
        };
        let text = format!(
            "{RECIPE} {seed} {game} {depth} {label_depth} {label_tables} {options:?} {iteration} {positions} {teacher}"
        );
        sha256(text)
    }

    /// Returns a hash of everything that the fit depends on.
    pub(super) fn origin(&self) -> String {
        let datasets: Vec<String> = self.datasets.iter().map(|it| self.origin_of(it)).collect();
        let Plan { units, neurons, phases, epochs, .. } = self;
        sha256(format!("{RECIPE} {units} {neurons} {phases} {epochs} {}", datasets.join(" ")))
    }
}

/// A learned layer, along with statistics about the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The hidden neurons. Each neuron has a factor for its output weight in each phase.
    pub layer: Layer,
    /// For each unit and second-layer neuron, the output weight with the largest absolute value, in log odds.
    pub outputs: Vec<f32>,
    /// The mean cross-entropy in each epoch, in nats.
    pub losses: Vec<f64>,
    pub positions: usize,
}
