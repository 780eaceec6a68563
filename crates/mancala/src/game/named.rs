//! Games by name, and what of a game is written as text.

use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::str::FromStr;

use super::ayo::{self, Ayo, Rules};
use super::kalah::{self, Kalah, KalahError};
use super::{Game, Pit, Record, Replay, Side, replay};

/// Why a text is no position or line of play of a game.
pub type TextError = Box<dyn Error + Send + Sync>;

/// A game whose positions and lines of play can be written down.
pub trait Notated: Game + Into<AnyGame> {
    /// One ply as written: who sows which pit, and what else the notation may say of it.
    type Ply: Copy + Debug + Display + Eq + Into<(Side, Pit)>;

    /// The position that a text describes.
    ///
    /// # Errors
    /// If it is none of this game.
    fn read_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// The game that has the line of a text, played from a position; from the start, begun by whoever
    /// moves first in the line, if there is none.
    ///
    /// # Errors
    /// If it is no line, or one that cannot be played.
    fn read_line(
        &self,
        text: &str,
        from: Option<Self::Position>,
    ) -> Result<Record<Self>, TextError>;

    /// The plies of a line as written; nobody has checked that they can be played.
    ///
    /// # Errors
    /// If it is no line.
    fn read_plies(text: &str) -> Result<Vec<Self::Ply>, TextError>;

    /// Plays a written game up to the first ply that is not as written.
    fn replay(self, opening: Self::Position, plies: &[Self::Ply]) -> Replay<Self> {
        replay::plainly(self, opening, plies)
    }

    /// The seeds in South's and in North's pits, each in the order of sowing.
    fn rows(&self, position: &Self::Position) -> [Vec<u16>; 2];

    /// A game as it is written otherwise, if it is.
    fn other_notation(_record: &Record<Self>) -> Option<String> {
        None
    }
}

impl Notated for Ayo {
    type Ply = ayo::Ply;

    fn read_position(&self, text: &str) -> Result<ayo::Position, TextError> {
        Ok(text.parse()?)
    }

    fn read_line(&self, text: &str, from: Option<ayo::Position>) -> Result<Record<Ayo>, TextError> {
        let line: ayo::Line = text.parse()?;
        Ok(line.play_from(*self, from.unwrap_or_else(|| self.start(line.first())))?)
    }

    fn read_plies(text: &str) -> Result<Vec<ayo::Ply>, TextError> {
        Ok(text.parse::<ayo::Line>()?.plies)
    }

    fn replay(self, opening: ayo::Position, plies: &[ayo::Ply]) -> Replay<Ayo> {
        ayo::replay(self, opening, plies)
    }

    fn rows(&self, position: &ayo::Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side).map(u16::from).to_vec())
    }

    fn other_notation(record: &Record<Ayo>) -> Option<String> {
        Some(ayo::Line::in_thesis_form(record).to_string())
    }
}

impl Notated for Kalah {
    type Ply = kalah::Ply;

    fn read_position(&self, text: &str) -> Result<kalah::Position, TextError> {
        Ok(self.position(text)?)
    }

    fn read_line(
        &self,
        text: &str,
        from: Option<kalah::Position>,
    ) -> Result<Record<Kalah>, TextError> {
        let line: kalah::Line = text.parse()?;
        Ok(line.play_from(*self, from.unwrap_or_else(|| self.start(line.first())))?)
    }

    fn read_plies(text: &str) -> Result<Vec<kalah::Ply>, TextError> {
        Ok(text.parse::<kalah::Line>()?.plies().to_vec())
    }

    fn rows(&self, position: &kalah::Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side)[..self.pits()].to_vec())
    }
}

/// A game with all of its rules. Its text form names the game, and of kalah the rules too:
///
/// ```
/// use mancala::game::AnyGame;
/// let kalah: AnyGame = "kalah:seeds=3".parse().unwrap();
/// assert_eq!((kalah.name(), kalah.to_string()), ("kalah", "kalah:seeds=3".to_string()));
/// assert_eq!("ayo".parse(), Ok(AnyGame::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnyGame {
    /// Ayo, under some rules.
    Ayo(Ayo),
    /// Kalah, on some board.
    Kalah(Kalah),
}

/// Runs a piece of code with the game of a [`AnyGame`] in its own type, so that it is compiled for each.
#[macro_export]
macro_rules! with_game {
    ($named:expr, $game:ident => $code:expr) => {
        match $named {
            $crate::game::AnyGame::Ayo($game) => $code,
            $crate::game::AnyGame::Kalah($game) => $code,
        }
    };
}

impl AnyGame {
    /// `ayo` or `kalah`.
    pub fn name(&self) -> &'static str {
        match self {
            AnyGame::Ayo(_) => "ayo",
            AnyGame::Kalah(_) => "kalah",
        }
    }

    /// All that results depend on, under the word for it: `rules: awari`, `game: kalah`.
    pub fn terms(&self) -> (&'static str, String) {
        match self {
            AnyGame::Ayo(game) => ("rules", game.rules.to_string()),
            AnyGame::Kalah(game) => ("game", game.to_string()),
        }
    }

    /// The same game under these rules of ayo.
    ///
    /// # Errors
    /// If it is another game.
    pub fn with_rules(self, rules: Rules) -> Result<AnyGame, String> {
        match self {
            AnyGame::Ayo(_) => Ok(AnyGame::Ayo(Ayo { rules })),
            AnyGame::Kalah(_) => Err(format!(
                "{rules} is for ayo; write the rules of kalah into the game, as in kalah:ending=emptier"
            )),
        }
    }
}

impl Default for AnyGame {
    fn default() -> Self {
        AnyGame::Ayo(Ayo::default())
    }
}

impl From<Ayo> for AnyGame {
    fn from(game: Ayo) -> AnyGame {
        AnyGame::Ayo(game)
    }
}

impl From<Kalah> for AnyGame {
    fn from(game: Kalah) -> AnyGame {
        AnyGame::Kalah(game)
    }
}

impl FromStr for AnyGame {
    type Err = String;

    fn from_str(text: &str) -> Result<AnyGame, String> {
        match text.split(':').next() {
            Some("ayo") if text == "ayo" => Ok(AnyGame::default()),
            Some("kalah") => {
                text.parse().map(AnyGame::Kalah).map_err(|e: KalahError| e.to_string())
            }
            _ => Err(format!(
                "unknown game \"{text}\": choose ayo or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]"
            )),
        }
    }
}

impl fmt::Display for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyGame::Ayo(_) => f.write_str("ayo"),
            AnyGame::Kalah(game) => Display::fmt(game, f),
        }
    }
}
