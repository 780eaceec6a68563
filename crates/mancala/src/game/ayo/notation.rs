//! Text notation for ayo. Moves are written as letters or in the notation of Akinyemi's thesis (2012, section 4.6).

use super::{Ayo, PITS, Position};
use crate::game::notation::{
    Ply, Printed, read_letters, read_words, round, unsigned, wrong_length,
};
use crate::game::replay::thesis_ply;
use crate::game::{Game, Hole, Notated, Pit, Record, Side};
use crate::text::Result;

/// Parses a ply such as `5S6(3)`. The parentheses are omitted if the ply captures nothing.
fn thesis_form(text: &str) -> Option<Ply> {
    let at = text.find(['S', 'N'])?;
    let side = if text[at..].starts_with('S') { Side::South } else { Side::North };
    let (pit, captured) = match text[at + 1..].split_once('(') {
        Some((pit, bracket)) => (pit, unsigned(bracket.strip_suffix(')')?)?),
        None => (&text[at + 1..], 0),
    };
    let pit = Pit::new(unsigned::<u8>(pit)?.checked_sub(1)?).filter(|pit| pit.index() < PITS)?;
    let seeds = unsigned(&text[..at])?;
    let printed = Some(Printed { seeds, captured });
    Some(Ply { side, pit, printed })
}

impl Notated for Ayo {
    const NAME: &'static str = "ayo";

    const CONTINUES: bool = true;

    fn description(&self) -> (&'static str, String) {
        ("rules", self.rules.to_string())
    }

    fn read_position(&self, text: &str) -> Result<Position> {
        text.parse()
    }

    #[inline]
    fn position_of(&self, seeds: &[impl Copy + Into<u16>], to_move: Side) -> Result<Position> {
        let seeds: [_; 2 * PITS + 2] =
            seeds.try_into().map_err(|_| wrong_length(seeds.len(), PITS))?;
        // Numbers can be capped at 255, because `Position::new` rejects 255 as well.
        let [pits @ .., south, north] = seeds.map(|seeds| seeds.into().min(u8::MAX.into()) as u8);
        Position::new(pits, [south, north], to_move)
    }

    /// Plies are either letters (`FfEaCe`), or in the notation of Akinyemi's thesis, separated by commas or spaces. In
    /// the thesis, `2S6(2)` means that South sows two seeds from its sixth pit and captures two.
    fn read_plies(text: &str) -> Result<Vec<Ply>> {
        let form = "write a pit as A–F or a–f, or in the form 5S6(3)";
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return read_letters(text, PITS, form);
        }
        let words = text.split(|c: char| c.is_whitespace() || c == ',');
        read_words(words.filter(|word| !word.is_empty()), thesis_form, form)
    }

    fn rows(&self, position: &Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side).map(u16::from).to_vec())
    }

    /// Sowing skips the stores and the origin pit.
    fn sowing(&self, position: &Position, pit: Pit) -> Vec<Hole> {
        let mover = position.to_move();
        let origin = Hole::Pit(mover, pit);
        let holes = round(mover, PITS).cycle().filter(|hole| matches!(hole, Hole::Pit(..)));
        let after = holes.skip_while(move |it| *it != origin).filter(move |it| *it != origin);
        after.take(self.seeds(position, pit).into()).collect()
    }

    fn other_notation(record: &Record<Ayo>) -> Option<String> {
        let plies = record.positions().iter().zip(record.plies());
        let plies = plies.map(|(at, &(_, pit))| thesis_ply(record.game(), at, pit).to_string());
        Some(plies.collect::<Vec<_>>().join(", "))
    }

    fn strategies(&self, position: &Position, pit: Pit) -> Option<Vec<&'static str>> {
        Some(super::strategies(self, position, pit))
    }
}
