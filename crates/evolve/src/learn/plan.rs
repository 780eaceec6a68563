//! The inputs and outputs of learning a layer of hidden neurons.

use arena::as_text;
use mancala::eval::{Format, Layer, Weights, export};
use mancala::game::{AnyGame, with_game};
use mancala::search::Options;
use mancala::store::sha256;
use serde::{Deserialize, Serialize};

use super::positions::Encoding;

/// Supported layer sizes, in units.
pub const SIZES: [usize; 8] = [8, 16, 24, 32, 48, 64, 128, 256];

/// Parameters for learning a layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub seed: u64,
    #[serde(with = "as_text::game")]
    pub game: AnyGame,
    pub units: usize,
    /// Number of neurons in the second layer, or 0 for none.
    pub neurons: usize,
    /// Number of game phases with different output weights.
    pub phases: usize,
    /// Datasets to fit the layer to, oldest first. The last one is from the current iteration.
    pub datasets: Vec<Dataset>,
    pub epochs: u32,
    /// Search depth for choosing moves.
    pub depth: u32,
    pub label_depth: u32,
    /// Maximum number of seeds in positions labelled by endgame tables, or 0 for no tables.
    pub label_tables: u8,
    pub options: Options,
}

/// Positions collected and labelled by one teacher.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dataset {
    /// The iteration in which the positions are collected, counted from 1.
    pub iteration: u32,
    pub positions: u32,
    pub teacher: Teacher,
}

/// Determines which player plays the self-play games and how their positions are labelled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Teacher {
    /// A player that only counts captured seeds. We label positions with the results of its games.
    Outcomes,
    /// A player with these weights. We label positions with its search scores.
    Scores(#[serde(with = "as_text::weights")] Box<Weights>),
}

/// Version of the algorithms that collect positions and fit layers. We ignore files from other versions.
const RECIPE: u32 = 4;

impl Plan {
    pub(crate) fn newest(&self) -> &Dataset {
        self.datasets.last().expect("a plan has datasets")
    }

    pub(crate) fn encoding(&self) -> Encoding {
        with_game!(self.game, game => Encoding::of(game))
    }

    /// Hashes everything that the positions of a dataset depend on.
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

    /// Hashes everything that the fit depends on.
    pub(super) fn origin(&self) -> String {
        let datasets: Vec<String> = self.datasets.iter().map(|it| self.origin_of(it)).collect();
        let Plan { units, neurons, phases, epochs, .. } = self;
        sha256(format!("{RECIPE} {units} {neurons} {phases} {epochs} {}", datasets.join(" ")))
    }
}

/// A learned layer with statistics of the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// Hidden neurons, with a factor for each neuron's output weight in each phase.
    pub layer: Layer,
    /// Largest output weight of each unit and second-layer neuron, in log odds.
    pub outputs: Vec<f32>,
    /// Mean cross-entropy of each epoch, in nats.
    pub losses: Vec<f64>,
    pub positions: usize,
}
