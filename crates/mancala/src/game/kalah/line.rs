//! Lines of play: letters run together, a player's moves in a row where it moved again.

use std::fmt;
use std::str::FromStr;

use super::{Kalah, Position};
use crate::game::{IllegalMove, Pit, Record, Side};

/// A line of play as written, `A`–`H` for the first player's pits and `a`–`h` for the second's. Its moves are
/// not yet checked to be legal.
///
/// ```
/// use mancala::game::{Side, kalah::{Kalah, Line}};
/// let line: Line = "CFa".parse().unwrap();
/// let game = Kalah::default();
/// let record = line.play_from(game, game.position("4-4-4-4-4-4-0-4-4-4-4-4-4-0-1").unwrap());
/// assert_eq!(record.unwrap().line(), "CFa");
/// let twice: Line = "Cc".parse().unwrap();
/// let error = twice.play_from(game, game.position("4-4-4-4-4-4-0-4-4-4-4-4-4-0-1").unwrap());
/// assert_eq!(error.unwrap_err().to_string(), "ply 2: it is South's turn");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line(Vec<Ply>);

/// One ply as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The side that moves.
    pub side: Side,
    /// The pit that it sows from.
    pub pit: Pit,
}

impl From<Ply> for (Side, Pit) {
    fn from(ply: Ply) -> (Side, Pit) {
        (ply.side, ply.pit)
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pit.letter(self.side))
    }
}

/// A line that cannot be read or played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Something that is no pit.
    #[error("ply {ply}: \"{}\" is not a move; write a pit as A–H or a–h", letter.escape_debug())]
    Letter {
        /// The number of the ply, from 1.
        ply: usize,
        /// What stands there.
        letter: char,
    },
    /// A ply of the side that is not to move.
    #[error("ply {ply}: it is {to_move}'s turn")]
    Turn {
        /// The number of the ply, from 1.
        ply: usize,
        /// Whose turn it is.
        to_move: Side,
    },
    /// A move that the rules forbid.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

impl Line {
    /// The game that has this line, played from `opening`.
    ///
    /// # Errors
    /// At the first ply that is out of turn or illegal.
    pub fn play_from(&self, game: Kalah, opening: Position) -> Result<Record<Kalah>, LineError> {
        let mut record = Record::from_position(game, opening);
        for (index, &Ply { side, pit }) in self.0.iter().enumerate() {
            let to_move = record.to_move();
            if side != to_move {
                return Err(LineError::Turn { ply: index + 1, to_move });
            }
            record.play(pit)?;
        }
        Ok(record)
    }

    /// The side that begins: that of the first ply, the first player if there is none.
    pub fn first(&self) -> Side {
        self.0.first().map_or(Side::South, |ply| ply.side)
    }

    /// The plies in order.
    pub fn plies(&self) -> &[Ply] {
        &self.0
    }
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        let letters = text.chars().filter(|c| !c.is_whitespace()).enumerate();
        let plies = letters.map(|(index, letter)| {
            let found = Pit::from_letter(letter).map(|(side, pit)| Ply { side, pit });
            found.ok_or(LineError::Letter { ply: index + 1, letter })
        });
        Ok(Line(plies.collect::<Result<_, _>>()?))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|ply| ply.fmt(f))
    }
}
