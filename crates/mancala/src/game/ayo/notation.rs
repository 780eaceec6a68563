//! Lines of play: letters run together, and the form of Akinyemi's thesis (2012, section 4.6).

use std::fmt;
use std::str::FromStr;

use super::sowing::PITS;
use super::{Ayo, Position};
use crate::game::{Game, IllegalMove, Pit, Record, Side};

/// A line of play as written. Its moves are not yet checked to be legal.
///
/// Two forms are read: letters run together (`FfEaCe`, upper case for South), and the thesis' form,
/// plies separated by commas or blanks (`4S6, 4N6, 2S6(2)`: seeds, player, pit from 1, captured).
/// The side of the first ply begins.
///
/// ```
/// use mancala::game::ayo::Line;
/// let letters: Line = "FfE".parse().unwrap();
/// let thesis: Line = "4S6, 4N6, 5S5".parse().unwrap();
/// assert_eq!(letters.to_string(), "FfE");
/// assert_eq!(thesis.to_string(), "4S6, 4N6, 5S5");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The plies in order.
    pub plies: Vec<Ply>,
}

/// One ply as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The side that moves.
    pub side: Side,
    /// The pit that it sows from.
    pub pit: Pit,
    /// The numbers that the thesis' form adds.
    pub printed: Option<Printed>,
}

impl From<Ply> for (Side, Pit) {
    fn from(ply: Ply) -> (Side, Pit) {
        (ply.side, ply.pit)
    }
}

/// The numbers of a ply in the thesis' form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// The seeds in the pit.
    pub seeds: u8,
    /// The seeds captured.
    pub captured: u8,
}

/// Why a text is no line of play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: \"{text}\" is not a move; write a pit as A–F or a–f, or in the form 5S6(3)")]
pub struct LineError {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The text there, or its beginning.
    pub text: String,
}

/// Why a line cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
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
    pub fn play_from(&self, game: Ayo, opening: Position) -> Result<Record<Ayo>, PlayError> {
        let mut record = Record::from_position(game, opening);
        for (index, ply) in self.plies.iter().enumerate() {
            let to_move = record.to_move();
            if ply.side != to_move {
                return Err(PlayError::Turn { ply: index + 1, to_move });
            }
            record.play(ply.pit)?;
        }
        Ok(record)
    }

    /// The side that begins: that of the first ply, South if there is none.
    pub fn first(&self) -> Side {
        self.plies.first().map_or(Side::South, |ply| ply.side)
    }
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        let thesis = text.contains(|c: char| c.is_ascii_digit());
        let words: Vec<String> = if thesis {
            let separator = |c: char| c == ',' || c.is_whitespace();
            let words = text.split(separator).filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        } else {
            let letters = text.chars().filter(|c| !c.is_whitespace());
            letters.map(String::from).collect()
        };
        let parse = if thesis { thesis_form } else { letter_form };
        let plies = words.into_iter().enumerate().map(|(index, text)| {
            let ply = index + 1;
            parse(&text).ok_or_else(|| LineError { ply, text: shown(&text) })
        });
        Ok(Line { plies: plies.collect::<Result<_, _>>()? })
    }
}

/// What an error shows of a word: any file may be taken for a line of play.
fn shown(word: &str) -> String {
    word.chars().take(20).flat_map(char::escape_debug).collect()
}

fn letter_form(text: &str) -> Option<Ply> {
    let (side, pit) = Pit::from_letter(text.chars().next()?)?;
    let printed = None;
    (pit.index() < PITS).then_some(Ply { side, pit, printed })
}

/// `5S6(3)`; a ply that captures nothing has no bracket.
fn thesis_form(text: &str) -> Option<Ply> {
    let at = text.find(['S', 'N'])?;
    let side = if text[at..].starts_with('S') { Side::South } else { Side::North };
    let (pit, captured) = match text[at + 1..].split_once('(') {
        Some((pit, bracket)) => (pit, count(bracket.strip_suffix(')')?)?),
        None => (&text[at + 1..], 0),
    };
    let pit = Pit::new(count(pit)?.checked_sub(1)?).filter(|pit| pit.index() < PITS)?;
    let seeds = count(&text[..at])?;
    let printed = Some(Printed { seeds, captured });
    Some(Ply { side, pit, printed })
}

fn count(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, ply) in self.plies.iter().enumerate() {
            if index > 0 && ply.printed.is_some() {
                f.write_str(", ")?;
            }
            write!(f, "{ply}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Printed { seeds, captured }) = self.printed else {
            return write!(f, "{}", self.pit.letter(self.side));
        };
        let player = match self.side {
            Side::South => 'S',
            Side::North => 'N',
        };
        write!(f, "{seeds}{player}{}", self.pit.index() + 1)?;
        if captured > 0 {
            write!(f, "({captured})")?;
        }
        Ok(())
    }
}

/// The thesis' form of the ply that sows `pit` in `position`.
pub fn thesis_ply(game: &Ayo, position: &Position, pit: Pit) -> Ply {
    let side = position.to_move();
    let after = game.play(position, pit);
    Ply {
        side,
        pit,
        printed: Some(Printed {
            seeds: position.row(side)[pit.index()],
            captured: after.store(side) - position.store(side),
        }),
    }
}

impl Line {
    /// The thesis' form of a recorded game.
    pub fn in_thesis_form(record: &Record<Ayo>) -> Line {
        let mut replayed = Record::from_position(*record.game(), *record.opening());
        let plies = record.plies().iter().map(|&(_, pit)| {
            let ply = thesis_ply(record.game(), replayed.position(), pit);
            replayed.play(pit).expect("a recorded move is legal");
            ply
        });
        Line { plies: plies.collect() }
    }
}
