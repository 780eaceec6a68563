//! Kalah as text. Moves are letters; a side that moves again has several letters in a row.

use super::{Kalah, Position};
use crate::game::notation::{Ply, round};
use crate::game::{Game, Hole, Notated, Pit, PositionError, Side, TextError};

impl Notated for Kalah {
    const NAME: &'static str = "kalah";
    const FORM: &'static str = "kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]";

    fn read(text: &str) -> Option<Result<Kalah, String>> {
        let is_kalah = text.split(':').next() == Some(Self::NAME);
        is_kalah.then(|| text.parse())
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Ok(self.position(text)?)
    }

    fn position_of(
        &self,
        seeds: &[impl Copy + Into<u16>],
        to_move: Side,
    ) -> Result<Position, PositionError> {
        self.position_from(seeds, to_move)
    }

    fn read_plies(text: &str) -> Result<Vec<Ply>, TextError> {
        let letters = text.chars().filter(|c| !c.is_whitespace()).zip(1..);
        let plies = letters.map(|(letter, ply)| {
            let pit = Pit::from_letter(letter).map(|(side, pit)| Ply { side, pit, printed: None });
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

    /// Sowing includes the mover's store and, after a full lap, the pit of origin.
    fn sowing(&self, position: &Position, pit: Pit) -> Vec<Hole> {
        let holes = round(position.to_move(), self.pits()).cycle().skip(pit.index() + 1);
        holes.take(self.seeds(position, pit).into()).collect()
    }
}
