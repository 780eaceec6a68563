//! The clocks of a game.

use std::fmt;
use std::time::Duration;

use mancala::game::Side;

/// What the clocks of both sides show, and when they are set anew. South, whose moves are in capitals, has the
/// clock that the protocol calls white's.
///
/// ```
/// use arena::player::protocol::Clocks;
/// use mancala::game::Side;
/// use std::time::Duration;
/// let clocks = Clocks { left: [Some(Duration::from_secs(30)), None], ..Clocks::default() };
/// assert_eq!(clocks.allotted(Side::South), Some(Duration::from_millis(1500)));
/// assert_eq!(clocks.allotted(Side::North), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clocks {
    /// Time left, South's first. None if it is not limited.
    pub left: [Option<Duration>; 2],
    /// What each move adds to it.
    pub increment: [Duration; 2],
    /// Moves until the clocks are set anew; none if they are not.
    pub moves_to_go: Option<u32>,
}

/// A game that is not decided by the clock lasts about so many moves more.
const USUAL_MOVES: u32 = 20;
/// What a move may take beyond its time, before the clock stops.
const LAG: Duration = Duration::from_millis(10);

impl Clocks {
    /// The time for the next move of `side`, if its clock is limited: its share of what is left and most of the
    /// increment, but never so much that little were left.
    pub fn allotted(&self, side: Side) -> Option<Duration> {
        let left = self.left[side.index()]?;
        let moves = self.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, USUAL_MOVES);
        let share = left / moves + self.increment[side.index()] * 3 / 4;
        // The last move before the clocks are set anew may take nearly all.
        let most = if moves == 1 { left * 9 / 10 } else { left / 3 };
        let most = most.min(left.saturating_sub(LAG));
        Some(share.min(most).max(Duration::from_millis(1)))
    }
}

/// As in `go`: every limit that is set, with a blank before it.
impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, left) in ["wtime", "btime"].into_iter().zip(self.left) {
            if let Some(left) = left {
                write!(f, " {name} {}", left.as_millis())?;
            }
        }
        for (name, increment) in ["winc", "binc"].into_iter().zip(self.increment) {
            if !increment.is_zero() {
                write!(f, " {name} {}", increment.as_millis())?;
            }
        }
        match self.moves_to_go {
            Some(moves) => write!(f, " movestogo {moves}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(left: u64, increment: u64, moves_to_go: Option<u32>) -> Option<Duration> {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        let clocks = Clocks { left: [None, Some(left)], increment: [increment; 2], moves_to_go };
        assert_eq!(clocks.allotted(Side::South), None);
        clocks.allotted(Side::North)
    }

    #[test]
    fn a_game_does_not_run_out_of_time() {
        for (increment, moves_to_go) in [(0, None), (100, None), (0, Some(40)), (50, Some(3))] {
            let mut left = Duration::from_secs(60);
            for played in 0..100 {
                if let Some(moves) = moves_to_go
                    && played % moves == 0
                {
                    left = Duration::from_secs(60);
                }
                let to_go = moves_to_go.map(|moves| moves - played % moves);
                let allotted = seconds(left.as_millis() as u64, increment, to_go).unwrap();
                assert!(allotted <= left.max(Duration::from_millis(1)), "{left:?} {allotted:?}");
                left = left.saturating_sub(allotted) + Duration::from_millis(increment);
            }
            assert!(!left.is_zero());
        }
    }

    #[test]
    fn the_last_move_may_take_what_is_left() {
        assert_eq!(seconds(10_000, 0, Some(1)), Some(Duration::from_secs(9)));
        assert_eq!(seconds(0, 0, None), Some(Duration::from_millis(1)));
    }
}
