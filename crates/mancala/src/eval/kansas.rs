//! The Kalah heuristics of Gifford et al. (2008) and their sum.

use std::fmt;
use std::str::FromStr;

use super::kalah::Linear;
use super::{Evaluator, Score};
use crate::game::kalah::{Kalah, Position};
use crate::game::{Ending, Game, Side};
use crate::text::{Message, Result};

/// A subset of the heuristics H1 to H6. These are the features `h1` to `h6` of [kalah](crate::game::kalah::Feature),
/// except that H3 is negated. With the empty set, all moves are equally good, so the first legal move is played.
///
/// The text form is the one in the report's tables: one digit for each of H1 to H6, which is 1 if the heuristic is used
/// and 0 otherwise. Parsing also accepts names joined by `+`, and `h0` for the empty set.
///
/// ```
/// use mancala::eval::kansas::Heuristics;
/// let chosen: Heuristics = "110100".parse().unwrap();
/// assert!(chosen.contains(4) && !chosen.contains(3));
/// assert_eq!(chosen.names(), "H1 H2 H4");
/// assert_eq!("h1+h2+h4".parse(), Ok(chosen));
/// assert_eq!(Heuristics::all().count(), 64);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Heuristics(u8);

impl Heuristics {
    /// The empty set (H0). A player without heuristics plays the first legal move.
    pub const NONE: Heuristics = Heuristics(0);

    /// The numbers of the heuristics.
    pub const NUMBERS: [u8; 6] = [1, 2, 3, 4, 5, 6];

    /// Returns a set with a single heuristic. Panics if `number` is not from 1 to 6.
    pub fn only(number: u8) -> Heuristics {
        assert!(Self::NUMBERS.contains(&number), "a heuristic from 1 to 6");
        Heuristics(1 << (number - 1))
    }

    /// Iterates over all 64 sets in the order used by the report, which is ascending if H1 is the lowest bit.
    pub fn all() -> impl Iterator<Item = Heuristics> {
        (0..1 << Self::NUMBERS.len()).map(Heuristics)
    }

    /// Returns whether a heuristic is in the set. Panics if `number` is not from 1 to 6.
    pub fn contains(self, number: u8) -> bool {
        self.0 & Self::only(number).0 != 0
    }

    /// Returns the names of the heuristics, or `H0` for the empty set.
    pub fn names(self) -> String {
        let used = Self::NUMBERS.into_iter().filter(|it| self.contains(*it));
        let names: Vec<String> = used.map(|it| format!("H{it}")).collect();
        if names.is_empty() { "H0".into() } else { names.join(" ") }
    }

    /// Returns the sum of the heuristics, scaled down to the smallest integer weights that choose the same moves.
    ///
    /// Since H1 = H2 + H3, different sets can describe the same player, e.g. H1, H2 H3 and H1 H2 H3.
    pub fn utility(self) -> Utility {
        let uses = |number| i32::from(self.contains(number));
        let [mut mine, mut theirs] = [2, 3].map(|store| uses(1) + uses(store));
        let thirds = [5, 6, 4].map(uses);
        if thirds == [0; 3] && mine % 2 == 0 && theirs % 2 == 0 {
            (mine, theirs) = (mine / 2, theirs / 2);
        }
        Utility(Linear { stores: [mine, -theirs], thirds, others: None })
    }
}

impl FromStr for Heuristics {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self> {
        let joined = |it: &Heuristics| it.names().to_lowercase().replace(' ', "+");
        let found = Heuristics::all().find(|it| it.to_string() == text || joined(it) == text);
        let expected = "neither h0 nor a list of some of h1 to h6 in this order, such as h1+h2+h4";
        found.ok_or_else(|| format!("\"{text}\" is {expected}").into())
    }
}

impl fmt::Display for Heuristics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = Self::NUMBERS.map(|it| if self.contains(it) { '1' } else { '0' });
        f.pad(&String::from_iter(digits))
    }
}

/// A weighted sum of heuristics, as seen by the player at the root.
///
/// The end of a game isn't scored as a win or a loss. Instead, we add the remaining seeds to the stores and evaluate
/// the empty board. The report says that its program didn't know what a win is; only this reproduces its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Utility(Linear);

impl Utility {
    /// See [`Linear::seed_value`].
    pub fn seed_value(&self) -> i32 {
        self.0.seed_value()
    }
}

impl fmt::Display for Utility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([home, their_home], [far, middle, near]) = (self.0.stores, self.0.thirds);
        write!(f, "utility of stores {home} {}, pits {far} {middle} {near}", -their_home)
    }
}

impl Evaluator<Kalah> for Utility {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        self.0.evaluate(position, me)
    }

    #[inline]
    fn end_value(&self, game: &Kalah, end: &Position, ending: Ending, me: Side, _: u32) -> Score {
        let stores = game.settle(end, ending).stores.map(i32::from);
        let [mine, theirs] = self.0.stores;
        Score(mine * stores[me.index()] + theirs * stores[me.other().index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::eval::kalah::Linear;
    use crate::game::arbitrary::any_kalah_position as any_position;
    use crate::laws::prelude::*;

    fn value(chosen: &str, position: &str, me: Side) -> i32 {
        let position = Kalah::KANSAS.position(position).unwrap();
        chosen.parse::<Heuristics>().unwrap().utility().evaluate(&position, me).0
    }

    #[test]
    fn heuristics_have_the_values_of_the_report() {
        let position = "1-2-3-4-0-6-9-0-0-0-2-1-0-20-2";
        let south = ["100000", "010000", "001000", "000100", "000010", "000001"];
        let values = south.map(|chosen| value(chosen, position, Side::South));
        assert_eq!(values, [-11, 9, -20, 6, 3, 7]);
        assert_eq!(value("100100", position, Side::North), 11 + 1);
    }

    laws! {
        #[test]
        fn a_utility_is_the_sum_of_the_features_of_these_names(
            (_, position) in any_position(), index in 1..64usize,
        ) {
            let chosen = Heuristics::all().nth(index).unwrap();
            let names = chosen.names().to_lowercase().replace(' ', "+");
            let sum = Linear::new(&Weights::named(&names).unwrap());
            // This is the only set whose weights are scaled down.
            let factor = if chosen.to_string() == "111000" { 2 } else { 1 };
            for me in Side::BOTH {
                let value = chosen.utility().evaluate(&position, me).0;
                prop_assert_eq!(factor * value, sum.evaluate(&position, me).0, "{}", names);
            }
        }
    }

    #[test]
    fn equivalent_sets_are_one_player() {
        let utility = |text: &str| text.parse::<Heuristics>().unwrap().utility();
        assert_eq!([utility("011000"), utility("111000")], [utility("100000"); 2]);
        let all = Heuristics::all().map(Heuristics::utility);
        assert_eq!(all.collect::<std::collections::HashSet<_>>().len(), 64 - 8 - 1);
        let seed = |text| utility(text).seed_value();
        assert_eq!(["h1", "h2", "h3", "h1+h3", "h4", "h0"].map(seed), [1, 1, 1, 2, 0, 0]);
    }

    #[test]
    fn an_end_is_swept_before_it_is_valued() {
        let end = Kalah::KANSAS.position("0-0-0-0-0-0-20-1-2-0-0-0-0-25-1").unwrap();
        let value = |chosen: &str| {
            let utility = chosen.parse::<Heuristics>().unwrap().utility();
            utility.end_value(&Kalah::KANSAS, &end, Ending::EmptyRow, Side::South, 3).0
        };
        assert_eq!([value("100000"), value("010000"), value("000111")], [-2, 23, 0]);
    }

    #[test]
    fn texts() {
        for chosen in Heuristics::all() {
            assert_eq!(chosen.to_string().parse(), Ok(chosen));
        }
        for wrong in ["11000", "h2+h1", "h7", "", "h1+"] {
            assert!(wrong.parse::<Heuristics>().is_err(), "{wrong}");
        }
        assert_eq!("h0".parse(), Ok(Heuristics::NONE));
        assert_eq!(Heuristics::only(3).to_string(), "001000");
    }
}
