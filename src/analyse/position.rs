//! What evaluators and players say of one position.

use serde::{Deserialize, Serialize};

use crate::results::AgainstOpponent;

/// What an evaluator makes of a position, as the side to move sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "evaluation")]
pub struct Evaluation {
    /// The value of each feature.
    pub features: Vec<i32>,
    /// The names of the features.
    pub names: Vec<String>,
    /// The sum of the products of values and weights.
    pub score: i32,
    /// The hash of the layer that units are of, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// How strong the weights were found to be, if it was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strength: Vec<AgainstOpponent>,
    /// The weight of each feature, as a search uses it.
    pub weights: Vec<i32>,
    /// The product of each value with its weight.
    pub products: Vec<i32>,
}

/// The move that a player chose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "move")]
pub struct ChosenMove {
    /// The letter of the pit.
    #[serde(rename = "move")]
    pub pit: char,
    /// What the move is worth to the player, if it puts values on moves.
    pub score: Option<i32>,
    /// Positions searched.
    pub nodes: u64,
    /// The line that the player expects.
    pub pv: String,
    /// The player's reasons, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Vec<String>>,
}
