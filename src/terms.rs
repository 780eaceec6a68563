//! The game of a result, in JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use mancala::game::AnyGame;

/// The rules of ayo, or another game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Raw", try_from = "Raw")]
pub enum Terms {
    /// Ayo by these rules.
    Rules(String),
    /// A game other than ayo, with its rules.
    Game(String),
}

#[derive(Serialize, Deserialize)]
struct Raw {
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
}

impl From<AnyGame> for Terms {
    fn from(game: AnyGame) -> Terms {
        match game.terms() {
            ("rules", rules) => Terms::Rules(rules),
            (_, game) => Terms::Game(game),
        }
    }
}

impl From<Terms> for Raw {
    fn from(terms: Terms) -> Raw {
        match terms {
            Terms::Rules(rules) => Raw { rules: Some(rules), game: None },
            Terms::Game(game) => Raw { rules: None, game: Some(game) },
        }
    }
}

impl TryFrom<Raw> for Terms {
    type Error = &'static str;

    fn try_from(raw: Raw) -> Result<Terms, Self::Error> {
        match (raw.rules, raw.game) {
            (Some(rules), None) => Ok(Terms::Rules(rules)),
            (None, Some(game)) => Ok(Terms::Game(game)),
            _ => Err("it must have either rules or game"),
        }
    }
}

/// `rules awari`, `game kalah`.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Terms::Rules(rules) => write!(f, "rules {rules}"),
            Terms::Game(game) => write!(f, "game {game}"),
        }
    }
}
