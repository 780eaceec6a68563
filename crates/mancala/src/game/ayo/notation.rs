//! Ayo as text. Moves are letters or use the notation of Akinyemi's thesis (2012, section 4.6).

use std::fmt;
use std::str::FromStr;

use super::{Ayo, PITS, Position};
use crate::game::notation::{Ply, Printed, round, unsigned, wrong_length};
use crate::game::replay::thesis_ply;
use crate::game::{Game, Hole, Notated, Pit, Record, Side};
use crate::text::{Message, Result};

/// A written line of moves. The moves may be illegal.
///
/// The text is either letters (`FfEaCe`, upper case for South) or in the thesis notation, with plies separated by
/// commas or spaces (`4S6, 4N6, 2S6(2)`: seeds, player, pit from 1, captured). The side of the first ply moves first.
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
    pub plies: Vec<Ply>,
}

impl Line {
    /// Plays the line from `opening`. Fails if a ply is out of turn or illegal.
    pub fn play_from(&self, game: Ayo, opening: Position) -> Result<Record<Ayo>> {
        let mut record = Record::from_position(game, opening);
        record.play_line(self.plies.iter().map(|&ply| ply.into()))?;
        Ok(record)
    }

    /// Returns the side of the first ply, or South for an empty line.
    pub fn first(&self) -> Side {
        self.plies.first().map_or(Side::South, |ply| ply.side)
    }

    /// Returns the moves of a game in the thesis notation.
    pub fn in_thesis_form(record: &Record<Ayo>) -> Line {
        let plies = record.positions().iter().zip(record.plies());
        let plies = plies.map(|(position, &(_, pit))| thesis_ply(record.game(), position, pit));
        Line { plies: plies.collect() }
    }
}

impl FromStr for Line {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self> {
        let in_thesis_form = text.contains(|c: char| c.is_ascii_digit());
        let is_separator = |c: char| c.is_whitespace() || in_thesis_form && c == ',';
        let words = text.split(is_separator).filter(|word| !word.is_empty());
        let (words, parse): (Vec<&str>, _) = match in_thesis_form {
            true => (words.collect(), thesis_form as fn(&str) -> _),
            false => (words.flat_map(|word| word.split_inclusive(|_| true)).collect(), letter_form),
        };
        let plies = words.into_iter().zip(1..).map(|(word, ply)| {
            // Truncate and escape the word, because the text may be any file.
            let text = || word.chars().take(20).flat_map(char::escape_debug).collect::<String>();
            let form = "write a pit as A–F or a–f, or in the form 5S6(3)";
            parse(word).ok_or_else(|| format!("ply {ply}: \"{}\" is not a move; {form}", text()))
        });
        Ok(Line { plies: plies.collect::<Result<_, _>>()? })
    }
}

fn letter_form(text: &str) -> Option<Ply> {
    let (side, pit) = Pit::from_letter(text.chars().next()?)?;
    let printed = None;
    (pit.index() < PITS).then_some(Ply { side, pit, printed })
}

/// Parses a ply such as `5S6(3)`. A ply that captures nothing has no parentheses.
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
        // Numbers above 255 are reduced to 255, which is still too large for `Position::new` to accept.
        let [pits @ .., south, north] = seeds.map(|seeds| seeds.into().min(u8::MAX.into()) as u8);
        Position::new(pits, [south, north], to_move)
    }

    fn read_plies(text: &str) -> Result<Vec<Ply>> {
        Ok(text.parse::<Line>()?.plies)
    }

    fn rows(&self, position: &Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side).map(u16::from).to_vec())
    }

    /// Sowing skips the stores and the pit of origin.
    fn sowing(&self, position: &Position, pit: Pit) -> Vec<Hole> {
        let mover = position.to_move();
        let origin = Hole::Pit(mover, pit);
        let holes = round(mover, PITS).cycle().filter(|hole| matches!(hole, Hole::Pit(..)));
        let after = holes.skip_while(move |it| *it != origin).filter(move |it| *it != origin);
        after.take(self.seeds(position, pit).into()).collect()
    }

    fn other_notation(record: &Record<Ayo>) -> Option<String> {
        Some(Line::in_thesis_form(record).to_string())
    }

    fn strategies(&self, position: &Position, pit: Pit) -> Option<Vec<&'static str>> {
        Some(super::strategies(self, position, pit))
    }
}
