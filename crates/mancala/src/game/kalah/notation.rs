//! Kalah as text. Moves are letters, with several of one side in succession where it moves again.

use std::fmt;

use super::{Kalah, KalahError, Position};
use crate::game::notation::round;
use crate::game::{Game, Hole, Notated, Pit, Side, TextError};

/// A ply as written: `A`–`H` for South's pits and `a`–`h` for North's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    pub side: Side,
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

impl Notated for Kalah {
    const NAME: &'static str = "kalah";
    const FORM: &'static str = "kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]";

    type Ply = Ply;

    fn read(text: &str) -> Option<Result<Kalah, String>> {
        let is_kalah = text.split(':').next() == Some(Self::NAME);
        is_kalah.then(|| text.parse().map_err(|error: KalahError| error.to_string()))
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Ok(self.position(text)?)
    }

    fn read_plies(text: &str) -> Result<Vec<Ply>, TextError> {
        let letters = text.chars().filter(|c| !c.is_whitespace()).zip(1..);
        let plies = letters.map(|(letter, ply)| {
            let pit = Pit::from_letter(letter).map(|(side, pit)| Ply { side, pit });
            pit.ok_or_else(|| {
                let letter = letter.escape_debug();
                format!("ply {ply}: \"{letter}\" is not a move; write a pit as A–H or a–h").into()
            })
        });
        plies.collect()
    }

    fn rows(&self, position: &Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side)[..self.pits()].to_vec())
    }

    /// Sowing includes the mover's store, and the pit of origin after a lap.
    fn sowing(&self, position: &Position, pit: Pit) -> Vec<Hole> {
        let holes = round(position.to_move(), self.pits()).cycle().skip(pit.index() + 1);
        holes.take(self.seeds(position, pit).into()).collect()
    }
}
