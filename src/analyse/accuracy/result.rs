//! How near players are to perfect play.

use arena::Accuracy;
use serde::{Deserialize, Serialize};

/// What players made of a sample of positions whose values tables know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "accuracy")]
pub struct AccuracyTest {
    /// The rules of tables and players.
    pub rules: String,
    /// Whether the values of the tables are proven.
    pub proven: bool,
    /// The checksum of the tables.
    #[serde(default)]
    pub tables: String,
    /// The fewest and the most seeds on the board.
    #[serde(default)]
    pub seeds: [u8; 2],
    /// Positions that every player was asked about.
    pub sample: u64,
    /// The seed of the games that they come from.
    #[serde(default)]
    pub seed: u64,
    /// Whether the figures can be repeated on any machine.
    #[serde(default)]
    pub reproducible: bool,
    /// The players in the order in which they were named.
    pub players: Vec<PlayerAccuracy>,
}

/// How near one player is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayerAccuracy {
    /// In all positions.
    #[serde(flatten)]
    pub whole: Accuracy,
    /// Its specification.
    pub player: String,
    /// By seeds on the board, where there are enough positions.
    pub by_seeds: Vec<AccuracyAt>,
}

/// How near a player is with so many seeds on the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccuracyAt {
    /// In these positions.
    #[serde(flatten)]
    pub figures: Accuracy,
    /// Seeds on the board.
    pub seeds: u8,
}
