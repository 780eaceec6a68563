//! What a search maximises.

use std::fmt;
use std::ops::Neg;

use crate::game::{Side, Verdict};

/// The value of a position for one player: an integer, so that it is the same bits on every machine.
///
/// Evaluations stay below half of [`Score::WIN`] in size; a won end is `WIN` less the plies to it, a
/// lost one `-WIN` plus the plies, so that a search wins early and loses late. The seed margin of an
/// end plays no part.
///
/// ```
/// use ayo::eval::Score;
/// assert!(Score::win(3) > Score::win(5));
/// assert!(Score::loss(5) > Score::loss(3));
/// assert_eq!(Score::win(3).to_string(), "win in 3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// The size of a win at the root.
    pub const WIN: i32 = 10_000_000;
    /// A drawn end.
    pub const DRAW: Score = Score(0);
    /// Worse than any score.
    pub const LOWEST: Score = Score(-Self::WIN - 1);
    /// Better than any score.
    pub const HIGHEST: Score = Score(Self::WIN + 1);

    /// A won end so many plies from the root.
    #[inline]
    pub fn win(plies: u32) -> Score {
        Score(Self::WIN - plies as i32)
    }

    /// A lost end so many plies from the root.
    #[inline]
    pub fn loss(plies: u32) -> Score {
        Score(-Self::WIN + plies as i32)
    }

    /// A game that ended `plies` plies from the root, for `me`.
    #[inline]
    pub fn of_end(verdict: Verdict, me: Side, plies: u32) -> Score {
        match verdict {
            Verdict::Drawn => Score::DRAW,
            Verdict::Won(side) if side == me => Score::win(plies),
            Verdict::Won(_) => Score::loss(plies),
        }
    }

    /// The plies to the end that this score stands for, if it is a won or lost end.
    pub fn plies_to_end(self) -> Option<u32> {
        let plies = Self::WIN - self.0.abs();
        (plies < Self::WIN / 2).then_some(plies as u32)
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.0 > 0 => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None => write!(f, "{}", self.0),
        }
    }
}
