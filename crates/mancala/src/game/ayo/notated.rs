//! Ayo as text.

use super::{Ayo, Line, PITS, Ply, Position, replay};
use crate::game::notated::round;
use crate::game::{Game, Hole, Notated, Pit, Record, Replay, Side, TextError};

impl Notated for Ayo {
    const NAME: &'static str = "ayo";

    type Ply = Ply;

    /// The name alone: its rules are a setting of their own.
    fn read(text: &str) -> Option<Result<Ayo, String>> {
        (text == Self::NAME).then(|| Ok(Ayo::default()))
    }

    fn text(&self) -> String {
        Self::NAME.into()
    }

    fn terms(&self) -> (&'static str, String) {
        ("rules", self.rules.to_string())
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Ok(text.parse()?)
    }

    fn read_line(&self, text: &str, from: Option<Position>) -> Result<Record<Ayo>, TextError> {
        let line: Line = text.parse()?;
        Ok(line.play_from(*self, from.unwrap_or_else(|| self.start(line.first())))?)
    }

    fn read_plies(text: &str) -> Result<Vec<Ply>, TextError> {
        Ok(text.parse::<Line>()?.plies)
    }

    fn replay(self, opening: Position, plies: &[Ply]) -> Replay<Ayo> {
        replay(self, opening, plies)
    }

    fn rows(&self, position: &Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side).map(u16::from).to_vec())
    }

    /// Stores are not sown into, and the pit of origin is skipped.
    fn sowing(&self, position: &Position, pit: Pit) -> Vec<Hole> {
        let mover = position.to_move();
        let origin = Hole::Pit(mover, pit);
        let holes = round(mover, PITS).cycle().filter(|hole| matches!(hole, Hole::Pit(..)));
        let after = holes.skip_while(move |hole| *hole != origin).filter(move |it| *it != origin);
        after.take(self.seeds(position, pit).into()).collect()
    }

    fn other_notation(record: &Record<Ayo>) -> Option<String> {
        Some(Line::in_thesis_form(record).to_string())
    }

    fn strategies(&self, position: &Position, pit: Pit) -> Option<Vec<String>> {
        Some(super::strategies(self, position, pit).iter().map(ToString::to_string).collect())
    }
}
