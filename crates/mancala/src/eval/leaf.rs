//! How a search values leaves: from whose view, and when it looks on.

use serde::{Deserialize, Serialize};

use super::{Evaluator, Score};
use crate::game::{Game, GameKind, Side};

/// From whose view leaves are valued. An evaluation need not be antisymmetric, so it matters.
///
/// ```
/// use mancala::eval::Perspective;
/// assert_eq!("mover".parse(), Ok(Perspective::Mover));
/// assert_eq!(Perspective::default(), Perspective::Mover);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Perspective {
    /// That of the side that made the last move, whichever is to move next. Weights that are bred at one
    /// depth then mean the same at every other.
    #[default]
    Mover,
    /// That of the player at the root of the search, at any depth.
    Root,
}

/// Which leaves are searched on.
///
/// ```
/// use mancala::eval::Quiescence;
/// assert_eq!(Quiescence::Captures.to_string(), "captures");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quiescence {
    /// None.
    #[default]
    Off,
    /// Those at which the side to move can capture: it captures, the other side may capture in its turn,
    /// and so on, or a side leaves a position as it is. The captures of both are not plies of the depth.
    Captures,
}

impl Perspective {
    /// The usual one of a game: see [`Options::of`](crate::search::Options::of).
    pub fn of(game: GameKind) -> Perspective {
        match game {
            GameKind::Ayo => Perspective::Mover,
            GameKind::Kalah => Perspective::Root,
        }
    }

    /// What an unfinished position that a move of `mover` led to is worth to `root`.
    #[inline(always)]
    pub fn value<G: Game, E: Evaluator<G> + ?Sized>(
        self,
        evaluator: &E,
        position: &G::Position,
        root: Side,
        mover: Side,
    ) -> Score {
        match self {
            Perspective::Mover if mover != root => -evaluator.evaluate(position, mover),
            _ => evaluator.evaluate(position, root),
        }
    }
}

/// A text that names none of the values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{expected} expected")]
pub struct OptionError {
    /// The values, in words.
    pub expected: &'static str,
}

/// Writes and reads an option by a word for each of its values, and refuses other text with an
/// [`OptionError`].
#[macro_export]
macro_rules! option_words {
    ($option:ident, $expected:literal, { $($value:ident: $word:literal),+ $(,)? }) => {
        impl std::fmt::Display for $option {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $($option::$value => $word,)+
                })
            }
        }

        impl std::str::FromStr for $option {
            type Err = $crate::eval::OptionError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok($option::$value),)+
                    _ => Err($crate::eval::OptionError { expected: $expected }),
                }
            }
        }
    };
}

option_words!(Perspective, "mover or root", { Mover: "mover", Root: "root" });
option_words!(Quiescence, "off or captures", { Off: "off", Captures: "captures" });
