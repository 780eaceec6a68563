//! The strategies of Akinyemi's thesis (2012, section 3.2) as properties of a move. The thesis describes them in words,
//! so other interpretations are possible.

use super::{Ayo, PITS, Position, sown};
use crate::game::{Game, Pit, Side};

/// Returns whether a pit, numbered from 0 in sowing order, holds an odu (kroo). Its seeds suffice for more than one lap
/// but not more than two, and the last one falls into the opponent's row.
pub fn is_odu(pit: usize, seeds: u8) -> bool {
    let Some(from) = Pit::new(pit as u8) else { return false };
    (LAP + 1..=2 * LAP).contains(&seeds) && usize::from(sown(from, seeds).last) >= PITS
}

/// Number of seeds in one lap, which skips the pit of origin.
const LAP: u8 = 2 * PITS as u8 - 1;

/// Returns the names of the strategies that a legal move follows.
pub fn strategies(game: &Ayo, before: &Position, pit: Pit) -> Vec<&'static str> {
    let after = game.play(before, pit);
    let case = Case { game, before, after };
    let strategies = [
        ("odu built", case.builds_odu()),
        ("odu played", is_odu(pit.index(), before.row(case.me())[pit.index()])),
        ("blocking", case.blocks()),
        ("pressure", case.presses()),
        ("overloading", case.overloads()),
        ("attack", case.attacks()),
        ("counterattack", case.counterattacks()),
    ];
    strategies.into_iter().filter(|(_, holds)| *holds).map(|(strategy, _)| strategy).collect()
}

/// A move to be examined, as the positions before and after it.
struct Case<'a> {
    game: &'a Ayo,
    before: &'a Position,
    after: Position,
}

impl Case<'_> {
    fn me(&self) -> Side {
        self.before.to_move()
    }

    /// Returns the captures of the side to move: the pit, the seeds captured, and the last seed's pit in the other row.
    fn captures(&self, position: &Position) -> Vec<(Pit, u8, usize)> {
        let side = position.to_move();
        let capture = |pit: Pit| {
            let taken = self.game.play(position, pit).store(side) - position.store(side);
            let last = usize::from(sown(pit, position.row(side)[pit.index()]).last);
            (taken > 0).then(|| (pit, taken, last - PITS))
        };
        self.game.moves(position).filter_map(capture).collect()
    }

    /// Returns whether a pit of the mover becomes an [odu](is_odu).
    fn builds_odu(&self) -> bool {
        let (before, after) = (self.before.row(self.me()), self.after.row(self.me()));
        (0..PITS).any(|pit| is_odu(pit, after[pit]) && !is_odu(pit, before[pit]))
    }

    /// Returns whether the move protects a threatened pit by adding seeds to it, so that it holds too many to be
    /// captured.
    fn blocks(&self) -> bool {
        let now = self.captures(&self.after);
        let still = |pit: Pit| now.iter().any(|&(it, ..)| it == pit);
        let (mine, theirs) = (self.after.row(self.me()), self.after.row(self.me().other()));
        // The move must not have stopped the attack in another way: the attacking pit still holds seeds, and its target
        // holds more than before.
        self.captures(&self.before.passed()).into_iter().any(|(pit, _, last)| {
            theirs[pit.index()] > 0 && mine[last] > self.before.row(self.me())[last] && !still(pit)
        })
    }

    /// Returns whether the move forces the opponent to play an odu.
    fn presses(&self) -> bool {
        let row = self.after.row(self.me().other());
        let mut moves = self.game.moves(&self.after).peekable();
        moves.peek().is_some() && moves.all(|pit| is_odu(pit.index(), row[pit.index()]))
    }

    /// Returns whether an odu of the opponent is fed so many seeds that it is no longer an odu.
    fn overloads(&self) -> bool {
        let side = self.me().other();
        let (before, after) = (self.before.row(side), self.after.row(side));
        (0..PITS).any(|pit| {
            is_odu(pit, before[pit]) && after[pit] > before[pit] && !is_odu(pit, after[pit])
        })
    }

    /// Returns whether the move threatens at least two pits, and leaves a capture after every reply.
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

    /// Returns whether the opponent's odu can capture, but the reply captures at least as many seeds.
    fn counterattacks(&self) -> bool {
        let row = self.after.row(self.me().other());
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

    #[test]
    fn moves_are_instances_of_strategies() {
        for (position, letter, strategy, expected) in [
            // Figure 3.4: pit 4 of player 1 holds 19.
            ("2-3-0-19-0-1-2-9-0-1-1-0-5-5-S", 'D', "odu played", true),
            ("2-0-0-0-1-11-4-4-4-0-0-0-11-11-S", 'E', "odu built", true),
            // Figures 3.5 and 3.6 according to the text: five seeds in pit 4 of player 2 threaten twos in pits 2 and 3.
            // Two seeds from pit 1 make them threes.
            ("2-2-2-4-4-4-4-4-4-5-0-1-6-6-S", 'A', "blocking", true),
            ("2-2-2-4-4-4-4-4-4-5-0-1-6-6-S", 'F', "blocking", false),
            ("0-0-0-0-1-1-0-0-0-0-0-12-17-17-S", 'E', "pressure", true),
            ("0-0-0-0-1-1-0-0-0-0-0-12-17-17-S", 'F', "pressure", false),
            // Seventeen seeds in f end in F, eighteen in a.
            ("0-0-0-0-0-12-0-0-0-0-1-17-9-9-S", 'F', "overloading", true),
            // E and F threaten a seed each, and North can save only one of them.
            ("1-0-0-0-2-3-1-1-1-0-0-1-19-19-S", 'A', "attack", true),
            // Twelve seeds from f capture two in A. Then F captures two each in e, d, c and b.
            ("0-1-0-0-0-4-5-0-0-0-0-12-13-13-S", 'B', "counterattack", true),
            ("0-1-0-0-0-4-5-0-0-0-0-11-13-14-S", 'B', "counterattack", false),
        ] {
            let (game, position) = (Ayo::default(), position.parse().unwrap());
            let (_, pit) = Pit::from_letter(letter).unwrap();
            assert!(game.moves(&position).contains(pit));
            let found = strategies(&game, &position, pit);
            assert_eq!(found.contains(&strategy), expected, "{position} {letter}: {found:?}");
        }
    }
}
