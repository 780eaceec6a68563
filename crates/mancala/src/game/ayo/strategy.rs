//! The strategies that Akinyemi's thesis names (2012, section 3.2), as properties of a move.
//!
//! The thesis describes them in words. One reading of each stands here; a move can be an instance of several.

use std::fmt;

use super::{Ayo, PITS, Position, sown};
use crate::game::{Game, Pit, Side};

/// A strategy that a move can serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// One of the mover's pits becomes an [odu](is_odu).
    OduBuilt,
    /// An odu is sown.
    OduPlayed,
    /// A capture that the opponent threatened comes to nothing, because the seeds it aimed at are more now.
    Blocking,
    /// The opponent has an odu and no other move left.
    Pressure,
    /// An odu of the opponent is fed until it ends in the opponent's own row.
    Overloading,
    /// Two pits or more are threatened, and every reply leaves a capture.
    Attack,
    /// The opponent's odu captures if it is sown now, and the answer captures as much.
    Counterattack,
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::OduBuilt => "odu built",
            Strategy::OduPlayed => "odu played",
            Strategy::Blocking => "blocking",
            Strategy::Pressure => "pressure",
            Strategy::Overloading => "overloading",
            Strategy::Attack => "attack",
            Strategy::Counterattack => "counterattack",
        })
    }
}

/// Whether a pit, counted from 0 in the order of sowing, holds an odu (kroo): seeds that go round the board
/// once and end in the opponent's row. Those that go round twice are another thing, an ikare.
///
/// ```
/// use mancala::game::ayo::is_odu;
/// // The sixth pit needs 12, the first 17.
/// assert_eq!([11, 12, 17, 18].map(|seeds| is_odu(5, seeds)), [false, true, true, false]);
/// assert_eq!([16, 17, 22, 23].map(|seeds| is_odu(0, seeds)), [false, true, true, false]);
/// ```
pub fn is_odu(pit: usize, seeds: u8) -> bool {
    let Some(from) = Pit::new(pit as u8) else { return false };
    (LAP + 1..=2 * LAP).contains(&seeds) && usize::from(sown(from, seeds).last) >= PITS
}

/// Seeds of one round, which leaves the pit of origin out.
const LAP: u8 = 2 * PITS as u8 - 1;

/// What a legal move serves, in the order of the strategies.
pub fn strategies(game: &Ayo, before: &Position, pit: Pit) -> Vec<Strategy> {
    let after = game.play(before, pit);
    let case = Case { game, before, after };
    let holds = [
        (Strategy::OduBuilt, case.builds_odu()),
        (Strategy::OduPlayed, is_odu(pit.index(), case.row(before, case.me())[pit.index()])),
        (Strategy::Blocking, case.blocks()),
        (Strategy::Pressure, case.presses()),
        (Strategy::Overloading, case.overloads()),
        (Strategy::Attack, case.attacks()),
        (Strategy::Counterattack, case.counterattacks()),
    ];
    holds.into_iter().filter_map(|(strategy, holds)| holds.then_some(strategy)).collect()
}

/// A move with the positions around it.
struct Case<'a> {
    game: &'a Ayo,
    before: &'a Position,
    after: Position,
}

impl Case<'_> {
    fn me(&self) -> Side {
        self.before.to_move()
    }

    fn row(&self, position: &Position, side: Side) -> [u8; PITS] {
        position.row(side)
    }

    /// The captures of the side to move: pit, seeds captured, the pit of the last seed in the other row.
    fn captures(&self, position: &Position) -> Vec<(Pit, u8, usize)> {
        let side = position.to_move();
        let capture = |pit: Pit| {
            let taken = self.game.play(position, pit).store(side) - position.store(side);
            let last = usize::from(sown(pit, position.row(side)[pit.index()]).last);
            (taken > 0).then(|| (pit, taken, last - PITS))
        };
        self.game.moves(position).filter_map(capture).collect()
    }

    fn builds_odu(&self) -> bool {
        let (before, after) = (self.row(self.before, self.me()), self.row(&self.after, self.me()));
        (0..PITS).any(|pit| is_odu(pit, after[pit]) && !is_odu(pit, before[pit]))
    }

    fn blocks(&self) -> bool {
        let now = self.captures(&self.after);
        let still = |pit: Pit| now.iter().any(|&(it, ..)| it == pit);
        let (mine, theirs) =
            (self.row(&self.after, self.me()), self.row(&self.after, self.me().other()));
        // The attacker is still there, and so is what it aimed at.
        self.captures(&self.before.passed()).into_iter().any(|(pit, _, last)| {
            theirs[pit.index()] > 0
                && mine[last] > self.row(self.before, self.me())[last]
                && !still(pit)
        })
    }

    fn presses(&self) -> bool {
        let row = self.row(&self.after, self.me().other());
        let mut moves = self.game.moves(&self.after).peekable();
        moves.peek().is_some() && moves.all(|pit| is_odu(pit.index(), row[pit.index()]))
    }

    fn overloads(&self) -> bool {
        let side = self.me().other();
        let (before, after) = (self.row(self.before, side), self.row(&self.after, side));
        (0..PITS).any(|pit| {
            is_odu(pit, before[pit]) && after[pit] > before[pit] && !is_odu(pit, after[pit])
        })
    }

    fn attacks(&self) -> bool {
        let mut aims: Vec<usize> =
            self.captures(&self.after.passed()).into_iter().map(|(.., last)| last).collect();
        aims.sort_unstable();
        aims.dedup();
        let mut replies = self.game.moves(&self.after).peekable();
        aims.len() > 1
            && replies.peek().is_some()
            && replies.all(|reply| !self.captures(&self.game.play(&self.after, reply)).is_empty())
    }

    fn counterattacks(&self) -> bool {
        let row = self.row(&self.after, self.me().other());
        let threats = self.captures(&self.after).into_iter();
        threats.filter(|(pit, ..)| is_odu(pit.index(), row[pit.index()])).any(|(pit, taken, _)| {
            let answers = self.captures(&self.game.play(&self.after, pit));
            answers.iter().any(|&(_, back, _)| back >= taken)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(position: &str, letter: char) -> Vec<Strategy> {
        let (game, position) = (Ayo::default(), position.parse().unwrap());
        let (_, pit) = Pit::from_letter(letter).unwrap();
        assert!(game.moves(&position).contains(pit), "{letter} is no move");
        strategies(&game, &position, pit)
    }

    /// Figure 3.4: pit 4 of player 1 holds 19.
    #[test]
    fn an_odu_is_built_and_played() {
        assert!(of("2-3-0-19-0-1-2-9-0-1-1-0-5-5-S", 'D').contains(&Strategy::OduPlayed));
        assert!(of("2-0-0-0-1-11-4-4-4-0-0-0-11-11-S", 'E').contains(&Strategy::OduBuilt));
    }

    /// Figures 3.5 and 3.6, as the text has them: five seeds in pit 4 of player 2 threaten twos in pits 2 and
    /// 3; two seeds from pit 1 make threes of them.
    #[test]
    fn a_threat_is_blocked() {
        let board = "2-2-2-4-4-4-4-4-4-5-0-1-6-6-S";
        assert_eq!(of(board, 'A'), [Strategy::Blocking]);
        assert!(!of(board, 'F').contains(&Strategy::Blocking));
    }

    #[test]
    fn an_odu_is_all_that_is_left() {
        let board = "0-0-0-0-1-1-0-0-0-0-0-12-17-17-S";
        assert!(of(board, 'E').contains(&Strategy::Pressure));
        assert!(!of(board, 'F').contains(&Strategy::Pressure));
    }

    #[test]
    fn an_odu_is_fed_too_much() {
        // Seventeen seeds in f end in F; one more ends in a.
        let board = "0-0-0-0-0-12-0-0-0-0-1-17-9-9-S";
        assert!(of(board, 'F').contains(&Strategy::Overloading));
    }

    #[test]
    fn every_reply_leaves_a_capture() {
        // E aims at a one, F at another, and North can only save one of them.
        let board = "1-0-0-0-2-3-1-1-1-0-0-1-19-19-S";
        assert!(of(board, 'A').contains(&Strategy::Attack));
    }

    /// Twelve seeds from f take two from A; F then takes two each from e, d, c and b, into which f has sown.
    #[test]
    fn what_an_odu_sows_is_taken_back() {
        assert!(of("0-1-0-0-0-4-5-0-0-0-0-12-13-13-S", 'B').contains(&Strategy::Counterattack));
        assert!(!of("0-1-0-0-0-4-5-0-0-0-0-11-13-14-S", 'B').contains(&Strategy::Counterattack));
    }
}
