//! Recognises the strategies in Akinyemi's thesis (2012, section 3.2), which only describes them in words, so this is
//! just our interpretation of them.

use std::collections::HashSet;

use super::{Ayo, PITS, Position, sown};
use crate::game::{Game, Pit};

/// Returns whether a pit holds an odu (also known as a kroo). An odu has enough seeds for more than one lap but at most
/// two, and its last seed lands in the opponent's row.
pub fn is_odu(pit: usize, seeds: u8) -> bool {
    let Some(from) = Pit::new(pit as u8) else { return false };
    (LAP + 1..=2 * LAP).contains(&seeds) && usize::from(sown(from, seeds).last) >= PITS
}

/// The number of seeds sown in one lap, which leaves out the origin pit.
const LAP: u8 = 2 * PITS as u8 - 1;

/// Returns the names of the strategies that a legal move follows.
pub fn strategies(game: &Ayo, before: &Position, pit: Pit) -> Vec<&'static str> {
    let (me, you) = (before.to_move(), before.to_move().other());
    let after = &game.play(before, pit);
    let [(mine_before, mine), (theirs_before, theirs)] =
        [me, you].map(|side| (before.row(side), after.row(side)));
    let holds_odu = |row: [u8; PITS], pit: usize| is_odu(pit, row[pit]);
    // Finds the moves that capture: the pit, how many seeds it captures, and the opponent's pit where the last seed is.
    let captures = |position: &Position| -> Vec<(Pit, u8, usize)> {
        let side = position.to_move();
        let capture = |pit: Pit| {
            let taken = game.play(position, pit).store(side) - position.store(side);
            let last = usize::from(sown(pit, position.row(side)[pit.index()]).last);
            (taken > 0).then(|| (pit, taken, last - PITS))
        };
        game.moves(position).filter_map(capture).collect()
    };
    let all_replies =
        |holds: &dyn Fn(Pit) -> bool| !game.moves(after).is_empty() && game.moves(after).all(holds);
    let threats = captures(after);
    let builds_odu = (0..PITS).any(|pit| holds_odu(mine, pit) && !holds_odu(mine_before, pit));
    // The move adds seeds to a pit under attack. The attacking pit still has its seeds, but can no longer capture.
    let blocks = captures(&before.passed()).into_iter().any(|(pit, _, last)| {
        let still_captures = threats.iter().any(|&(it, ..)| it == pit);
        theirs[pit.index()] > 0 && mine[last] > mine_before[last] && !still_captures
    });
    // All of the opponent's legal replies sow an odu.
    let presses = all_replies(&|reply| holds_odu(theirs, reply.index()));
    // The move adds so many seeds to an opponent's odu that it is no longer an odu.
    let overloads = (0..PITS).any(|pit| {
        holds_odu(theirs_before, pit) && theirs[pit] > theirs_before[pit] && !holds_odu(theirs, pit)
    });
    // The move threatens at least two pits, and whatever the reply, the player can still capture afterwards.
    let aims: HashSet<usize> =
        captures(&after.passed()).into_iter().map(|(.., last)| last).collect();
    let attacks =
        aims.len() > 1 && all_replies(&|reply| !captures(&game.play(after, reply)).is_empty());
    // One of the opponent's odus can capture, but we can then capture at least as many seeds in return.
    let counterattacks = threats.iter().any(|&(pit, taken, _)| {
        let answers = || captures(&game.play(after, pit));
        holds_odu(theirs, pit.index()) && answers().iter().any(|&(_, back, _)| back >= taken)
    });
    let strategies = [
        ("odu built", builds_odu),
        ("odu played", holds_odu(mine_before, pit.index())),
        ("blocking", blocks),
        ("pressure", presses),
        ("overloading", overloads),
        ("attack", attacks),
        ("counterattack", counterattacks),
    ];
    strategies.into_iter().filter(|(_, holds)| *holds).map(|(strategy, _)| strategy).collect()
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
            // Figures 3.5 and 3.6, as described in the text: five seeds in pit 4 of player 2 threaten pits 2 and 3,
            // which hold two seeds each. Sowing the two seeds in pit 1 makes three in both of these pits.
            ("2-2-2-4-4-4-4-4-4-5-0-1-6-6-S", 'A', "blocking", true),
            ("2-2-2-4-4-4-4-4-4-5-0-1-6-6-S", 'F', "blocking", false),
            ("0-0-0-0-1-1-0-0-0-0-0-12-17-17-S", 'E', "pressure", true),
            ("0-0-0-0-1-1-0-0-0-0-0-12-17-17-S", 'F', "pressure", false),
            // If 17 seeds are sown from f, the last one lands in F. With 18 seeds, it lands in a.
            ("0-0-0-0-0-12-0-0-0-0-1-17-9-9-S", 'F', "overloading", true),
            // E and F each threaten to capture, and North can only save one of the two pits.
            ("1-0-0-0-2-3-1-1-1-0-0-1-19-19-S", 'A', "attack", true),
            // Sowing f captures two in A. Then, sowing F captures two seeds each in e, d, c and b.
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
