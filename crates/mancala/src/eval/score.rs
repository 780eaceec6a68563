//! What a search maximises.

use std::fmt;
use std::ops::Neg;

use crate::game::{Side, Verdict};

/// The value of a position for one player: an integer, so that it is the same bits on every machine.
///
/// Evaluations stay below half of [`Score::WIN`] in size; a won end is `WIN` less the plies to it, a
/// lost one `-WIN` plus the plies, so that a search wins early and loses late. The seed margin of an
/// end plays no part. Scores from endgame tables lie between evaluations and ends, proven ones further out
/// than heuristic ones.
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
    /// Perfect play brings what they say.
    Proven,
    /// They assume of repetition what the rules do not say.
    Heuristic,
}

impl Certainty {
    /// The size of a score with this certainty, by no seed and at the root.
    const fn base(self) -> i32 {
        match self {
            Certainty::Proven => 8_000_000,
            Certainty::Heuristic => 6_000_000,
        }
    }
}

/// Tables are asked fewer plies from the root than this.
const FARTHEST: i32 = 1 << 10;
/// Scores beyond this are ends of the game: no search is a million plies deep.
const ENDS: i32 = Score::WIN - 1_000_000;

impl Score {
    /// The size of a win at the root.
    pub const WIN: i32 = 10_000_000;
    /// A drawn end.
    pub const DRAW: Score = Score(0);
    /// Worse than any score.
    pub const LOWEST: Score = Score(-Self::WIN - 1);
    /// Better than any score.
    pub const HIGHEST: Score = Score(Self::WIN + 1);

    /// A won end `plies` plies from the root.
    #[inline]
    pub fn win(plies: u32) -> Score {
        Score(Self::WIN - plies as i32)
    }

    /// A lost end `plies` plies from the root.
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

    /// What tables say of a position `plies` plies from the root that comes to this seed difference in
    /// the end, the stores included. A larger difference is better, and then a win known sooner and a
    /// loss known later: a search that always put off what it has proven would make no progress.
    #[inline]
    pub fn of_tables(difference: i32, certainty: Certainty, plies: u32) -> Score {
        debug_assert!(plies < FARTHEST as u32);
        let size = certainty.base() + difference.abs() * FARTHEST - plies as i32;
        Score(difference.signum() * size)
    }

    /// The seed difference in the end that tables say this score stands for, and whether it is proven.
    /// `None` for other scores, and for draws, which look like any other.
    ///
    /// ```
    /// use mancala::eval::{Certainty, Score};
    /// let score = Score::of_tables(-6, Certainty::Heuristic, 9);
    /// assert_eq!(score.from_tables(), Some((-6, Certainty::Heuristic)));
    /// assert_eq!(Score(120).from_tables(), None);
    /// ```
    pub fn from_tables(self) -> Option<(i32, Certainty)> {
        let size = self.0.abs();
        let certainty = [Certainty::Proven, Certainty::Heuristic]
            .into_iter()
            .find(|certainty| size > certainty.base() && size < ENDS)?;
        let difference = (size - certainty.base() + FARTHEST - 1) / FARTHEST;
        Some((difference * self.0.signum(), certainty))
    }

    /// Whether plies from the root are part of the score: of ends and of scores from tables they are.
    #[inline]
    pub fn counts_plies(self) -> bool {
        self.0.abs() > Self::WIN / 2
    }

    /// The plies to the end that this score stands for, if it is a won or lost end.
    pub fn plies_to_end(self) -> Option<u32> {
        let plies = Self::WIN - self.0.abs();
        (plies < Self::WIN - ENDS).then_some(plies as u32)
    }
}

/// The word that precedes a score from tables.
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

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = if self.0 > 0 { "win" } else { "loss" };
        match (self.plies_to_end(), self.from_tables()) {
            (Some(plies), _) => write!(f, "{outcome} in {plies}"),
            (None, Some((difference, certainty))) => {
                write!(f, "{certainty} {outcome} by {}", difference.abs())
            }
            (None, None) => write!(f, "{}", self.0),
        }
    }
}
