//! Position values.

use std::fmt;
use std::ops::Neg;

use crate::game::{Side, Verdict};

/// The value of a position for one player. This is an integer so that it's the same on every machine.
///
/// The absolute value of an evaluation is below half of [`Score::WIN`]. A win is scored as `WIN` minus the number of
/// plies until the win, and a loss is scored as `-WIN` plus the number of plies. A search therefore wins as early and
/// loses as late as possible, regardless of the margin in seeds. Winning scores from endgame tables lie between
/// evaluations and wins, and proven scores are higher than heuristic scores. For losing scores, the order is reversed.
///
/// ```
/// use mancala::eval::{Certainty, Score};
/// assert!(Score::win(3) > Score::win(5));
/// assert!(Score::loss(5) > Score::loss(3));
/// assert_eq!(Score::win(3).to_string(), "win in 3");
/// let proven = Score::of_tables(4, Certainty::Proven, 3);
/// assert!(proven < Score::win(90) && proven > Score::of_tables(48, Certainty::Heuristic, 1));
/// assert!(proven > Score::of_tables(2, Certainty::Proven, 1));
/// assert_eq!(proven.to_string(), "proven win by 4");
/// assert_eq!(Score::of_tables(0, Certainty::Proven, 3), Score::DRAW);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

/// Whether the values of an endgame table are proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// The values are the results of perfect play.
    Proven,
    /// The values depend on an assumption about repetition that isn't part of the rules.
    Heuristic,
}

impl Certainty {
    /// Returns the lower limit (exclusive) of the absolute values of scores with this certainty.
    const fn base(self) -> i32 {
        match self {
            Certainty::Proven => 8_000_000,
            Certainty::Heuristic => 6_000_000,
        }
    }
}

/// Endgame tables are only probed if the number of plies from the root is less than this.
const MAX_PLY: i32 = 1 << 10;
/// Scores with a larger absolute value are wins or losses, because no search is a million plies deep.
const MIN_END: i32 = Score::WIN - 1_000_000;

impl Score {
    /// The value of a win at the root.
    pub const WIN: i32 = 10_000_000;
    pub const DRAW: Score = Score(0);
    /// A score that is lower than the value of any position.
    pub const LOWEST: Score = Score(-Self::WIN - 1);
    /// A score that is higher than the value of any position.
    pub const HIGHEST: Score = Score(Self::WIN + 1);

    /// Returns the value of a win `plies` plies from the root.
    #[inline]
    pub fn win(plies: u32) -> Score {
        Score(Self::WIN - plies as i32)
    }

    /// Returns the value of a loss `plies` plies from the root.
    #[inline]
    pub fn loss(plies: u32) -> Score {
        Score(-Self::WIN + plies as i32)
    }

    /// Returns the value for `me` of a game that ended `plies` plies from the root.
    #[inline]
    pub fn from_end(verdict: Verdict, me: Side, plies: u32) -> Score {
        match verdict {
            Verdict::Drawn => Score::DRAW,
            Verdict::Won(side) if side == me => Score::win(plies),
            Verdict::Won(_) => Score::loss(plies),
        }
    }

    /// Returns the value of a position `plies` plies from the root, given the final seed difference in the tables.
    /// Earlier wins and later losses get better scores, because otherwise a search might keep postponing a win.
    #[inline]
    pub fn of_tables(difference: i32, certainty: Certainty, plies: u32) -> Score {
        debug_assert!(plies < MAX_PLY as u32);
        let size = certainty.base() + difference.abs() * MAX_PLY - plies as i32;
        Score(difference.signum() * size)
    }

    /// Returns the final seed difference and the certainty of a score from tables. Returns `None` for other scores, and
    /// also for draws, because all draws have the same score.
    ///
    /// ```
    /// use mancala::eval::{Certainty, Score};
    /// let score = Score::of_tables(-6, Certainty::Heuristic, 9);
    /// assert_eq!(score.table_difference(), Some((-6, Certainty::Heuristic)));
    /// assert_eq!(Score(120).table_difference(), None);
    /// ```
    pub fn table_difference(self) -> Option<(i32, Certainty)> {
        let size = self.0.abs();
        let certainty = [Certainty::Proven, Certainty::Heuristic]
            .into_iter()
            .find(|certainty| size > certainty.base() && size < MIN_END)?;
        let difference = (size - certainty.base() + MAX_PLY - 1) / MAX_PLY;
        Some((difference * self.0.signum(), certainty))
    }

    /// Returns the score if `is_same` is true. Otherwise, returns the negated score, which is the other player's.
    #[inline(always)]
    pub fn signed(self, is_same: bool) -> Score {
        if is_same { self } else { -self }
    }

    /// Returns whether the score depends on the distance from the root, as wins, losses and scores from tables do.
    #[inline]
    pub fn counts_plies(self) -> bool {
        self.0.abs() > Self::WIN / 2
    }

    /// Returns the number of plies to the end of the game if the score is a win or a loss.
    pub fn plies_to_end(self) -> Option<u32> {
        let plies = Self::WIN - self.0.abs();
        (plies < Self::WIN - MIN_END).then_some(plies as u32)
    }
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Certainty::Proven => "proven",
            Certainty::Heuristic => "likely",
        })
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = if self.0 > 0 { "win" } else { "loss" };
        match (self.plies_to_end(), self.table_difference()) {
            (Some(plies), _) => write!(f, "{outcome} in {plies}"),
            (None, Some((difference, certainty))) => {
                write!(f, "{certainty} {outcome} by {}", difference.abs())
            }
            (None, None) => write!(f, "{}", self.0),
        }
    }
}
