//! The numbers that set a search. They are features as far as optimisers are concerned, though no position has
//! a value of them.

use super::feature::Definition;

/// A number that sets how the [engine](crate::search::engine) searches.
///
/// ```
/// use mancala::game::{Dial, Feature};
/// assert_eq!(Feature::from_name("margin"), Some(Feature::Dial(Dial::Margin)));
/// assert_eq!(Dial::Margin.range(), (0, 10_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dial {
    /// Depth from which a shallower search may cut a position.
    CutFrom,
    /// By how much it has to.
    Margin,
    /// What comes to the margin with every ply.
    Widening,
    /// Plies by which that search is shallower.
    Shallower,
    /// Sides on which it looks beyond what matters.
    Sides,
    /// Depth up to which the evaluation may cut a position.
    StillTo,
    /// By how much for each ply.
    StillMargin,
    /// Depth from which late moves are searched less deep.
    ReducedFrom,
    /// Plies by which they are.
    Reduction,
    /// Moves that are never late.
    Early,
}

/// A weight stands for so many hundredths of a dial that is a whole number.
const HUNDREDTHS: i32 = 100;

struct Row {
    definition: Definition,
    least: i32,
    /// Whether it is a number of plies or moves, and not hundredths of a seed.
    is_whole: bool,
}

const fn row(
    name: &'static str,
    least: i32,
    most: i32,
    is_whole: bool,
    meaning: &'static str,
) -> Row {
    Row { definition: Definition { name, meaning, sign: 1, max: most }, least, is_whole }
}

static ROWS: [Row; Dial::ALL.len()] = [
    row("cut_from", 2, Dial::NEVER, true, "depth from which a shallower search may cut"),
    row("margin", 0, 10_000, false, "by how much it has to, in hundredths of a seed"),
    row("widening", 0, 10_000, false, "what comes to the margin with every ply"),
    row("shallower", 1, 8, true, "plies by which that search is shallower"),
    row("sides", 1, 2, true, "sides on which it looks: 1, that of the evaluation, or both"),
    row("still_to", 0, 8, true, "depth up to which the evaluation may cut"),
    row("still_margin", 0, 10_000, false, "by how much for each ply, in hundredths of a seed"),
    row("reduced_from", 2, Dial::NEVER, true, "depth from which late moves are searched less deep"),
    row("reduction", 1, 4, true, "plies by which they are"),
    row("early", 1, 12, true, "moves that are never late"),
];

impl Dial {
    /// What is done from this depth on is never done.
    pub const NEVER: i32 = 40;

    /// All of them.
    pub const ALL: [Dial; 10] = [
        Dial::CutFrom,
        Dial::Margin,
        Dial::Widening,
        Dial::Shallower,
        Dial::Sides,
        Dial::StillTo,
        Dial::StillMargin,
        Dial::ReducedFrom,
        Dial::Reduction,
        Dial::Early,
    ];

    /// What it is called, as a setting of a player and as a feature.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// The least and the most that it can be.
    pub fn range(self) -> (i32, i32) {
        (ROWS[self as usize].least, self.definition().max)
    }

    /// How it stands by a weight: at so many hundredths of a seed, or of a ply or move to the nearest whole one,
    /// within its range.
    ///
    /// ```
    /// use mancala::game::Dial;
    /// assert_eq!([Dial::Shallower.at(349), Dial::Shallower.at(-9), Dial::Margin.at(349)], [3, 1, 349]);
    /// ```
    pub fn at(self, weight: i32) -> i32 {
        let (least, most) = self.range();
        let value = match ROWS[self as usize].is_whole {
            true => (weight + HUNDREDTHS / 2).div_euclid(HUNDREDTHS),
            false => weight,
        };
        value.clamp(least, most)
    }

    /// The weight by which it stands so.
    pub fn weight(self, value: i32) -> i32 {
        if ROWS[self as usize].is_whole { HUNDREDTHS * value } else { value }
    }

    pub(super) fn definition(self) -> &'static Definition {
        &ROWS[self as usize].definition
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dial_stands_as_it_was_set() {
        for (place, dial) in Dial::ALL.into_iter().enumerate() {
            assert_eq!(dial as usize, place);
            let (least, most) = dial.range();
            assert!((least..=most).all(|value| dial.at(dial.weight(value)) == value));
            assert_eq!([dial.at(-32_767), dial.at(32_767)], [least, most]);
        }
    }
}
