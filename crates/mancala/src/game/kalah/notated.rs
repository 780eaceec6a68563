//! Kalah as text.

use super::{Kalah, Line, Ply, Position};
use crate::game::notated::round;
use crate::game::{Game, Hole, Notated, Pit, Record, Side, TextError};

impl Notated for Kalah {
    const NAME: &'static str = "kalah";
    const FORM: &'static str = "kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]";

    type Ply = Ply;

    fn read(text: &str) -> Option<Result<Kalah, String>> {
        let is_kalah = text.split(':').next() == Some(Self::NAME);
        is_kalah.then(|| text.parse().map_err(|error: super::KalahError| error.to_string()))
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Ok(self.position(text)?)
    }

    fn read_line(&self, text: &str, from: Option<Position>) -> Result<Record<Kalah>, TextError> {
        let line: Line = text.parse()?;
        Ok(line.play_from(*self, from.unwrap_or_else(|| self.start(line.first())))?)
    }

    fn read_plies(text: &str) -> Result<Vec<Ply>, TextError> {
        Ok(text.parse::<Line>()?.plies().to_vec())
    }

    fn rows(&self, position: &Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side)[..self.pits()].to_vec())
    }

    /// Seeds fall into the mover's store too, and into the pit of origin when they come round to it.
    fn sowing(&self, position: &Position, pit: Pit) -> Vec<Hole> {
        let holes = round(position.to_move(), self.pits()).cycle().skip(pit.index() + 1);
        holes.take(self.seeds(position, pit).into()).collect()
    }
}
