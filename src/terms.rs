//! The JSON form of the game that a result is about.

use std::fmt;

use serde::{Deserialize, Serialize};

use mancala::game::AnyGame;

/// The game of a result: a field `rules` for ayo, or `game` for any other game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "Fields")]
pub enum Terms {
    /// Ayo under these rules.
    Rules(String),
    /// A game other than ayo, with its rules.
    Game(String),
}

/// The fields of [`Terms`] as read from a file.
#[derive(Deserialize)]
struct Fields {
    rules: Option<String>,
    game: Option<String>,
}

impl TryFrom<Fields> for Terms {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Terms, Self::Error> {
        match (fields.rules, fields.game) {
            (Some(rules), None) => Ok(Terms::Rules(rules)),
            (None, Some(game)) => Ok(Terms::Game(game)),
            _ => Err("either rules or game is required"),
        }
    }
}

impl From<AnyGame> for Terms {
    fn from(game: AnyGame) -> Terms {
        match game.description() {
            ("rules", rules) => Terms::Rules(rules),
            (_, game) => Terms::Game(game),
        }
    }
}

/// Writes `rules awari` or `game kalah`.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terms::Rules(rules) => write!(f, "rules {rules}"),
            Terms::Game(game) => write!(f, "game {game}"),
        }
    }
}
