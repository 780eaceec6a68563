//! What of a game is written as text.

use std::error::Error;
use std::fmt::{Debug, Display};

use super::{AnyGame, Game, Pit, Record, Replay, Side, replay};

/// Why a text is no position or line of play of a game.
pub type TextError = Box<dyn Error + Send + Sync>;

/// A game that has a name, and whose positions and lines of play can be written down.
pub trait Notated: Game + Into<AnyGame> {
    /// The name.
    const NAME: &'static str;

    /// What a text of the game with its rules looks like, for messages.
    const FORM: &'static str = Self::NAME;

    /// One ply as written: the side, the pit, and what else the notation may say of it.
    type Ply: Copy + Debug + Display + Eq + Into<(Side, Pit)>;

    /// The game that a text names, which begins with [`NAME`](Self::NAME) up to a colon. `None` if the
    /// text is not even of its form.
    ///
    /// # Errors
    /// If a rule in it is wrong.
    fn read(text: &str) -> Option<Result<Self, String>>;

    /// The game as text, with its rules where its text form has them.
    fn text(&self) -> String;

    /// All that results depend on, under the word for it: `rules: awari`, `game: kalah`.
    fn terms(&self) -> (&'static str, String) {
        ("game", self.text())
    }

    /// The position that a text describes.
    ///
    /// # Errors
    /// If it is none of this game.
    fn read_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// The game that follows the line of a text from a position. Without a position it begins at the
    /// start, with the side that moves first in the line.
    ///
    /// # Errors
    /// If it is no line, or one that cannot be played.
    fn read_line(
        &self,
        text: &str,
        from: Option<Self::Position>,
    ) -> Result<Record<Self>, TextError>;

    /// The plies of a line as written, which need not be playable.
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

    /// The line of a game in the other notation of the game, if there is one.
    fn other_notation(_record: &Record<Self>) -> Option<String> {
        None
    }
}
