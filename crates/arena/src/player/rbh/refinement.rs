//! What decides between moves that are worth the same: protection and mobility.

use crate::player::gains;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Pit, Side};

/// Whether nothing can be captured from a pit of the side to move: were it the opponent's move on the
/// present board, no legal move would take its seeds.
///
/// ```
/// use arena::player::rbh::is_protected;
/// use mancala::game::Pit;
/// // North's f would end in South's F and make it two.
/// let position = "4-4-4-4-4-1-0-0-0-0-0-6-11-10-S".parse().unwrap();
/// let [e, f] = [4, 5].map(|index| Pit::new(index).unwrap());
/// assert!(!is_protected(&Default::default(), &position, f));
/// assert!(is_protected(&Default::default(), &position, e));
/// ```
pub fn is_protected(game: &Ayo, position: &Position, pit: Pit) -> bool {
    let side = position.to_move();
    let turned = passed(position);
    // Sowing only adds to the row, so a pit that held seeds and is empty was captured from.
    let held = |position: &Position| position.row(side)[pit.index()] > 0;
    held(position) && game.moves(&turned).all(|reply| held(&game.play(&turned, reply)))
}

/// The same board with the other side to move.
fn passed(position: &Position) -> Position {
    let [south, north] = Side::BOTH.map(|side| position.row(side));
    let mut pits = [0; 2 * mancala::game::ayo::PITS];
    pits[..south.len()].copy_from_slice(&south);
    pits[south.len()..].copy_from_slice(&north);
    let stores = Side::BOTH.map(|side| position.store(side));
    let other = position.to_move().other();
    Position::new(pits, stores, other).expect("as many seeds as before")
}

/// The pit that the rule looks at: the tail, the lowest feasible one, for South; the head, the highest, for
/// North. `None` without a feasible move.
pub fn end_pit(feasible: &[Pit], side: Side) -> Option<Pit> {
    match side {
        Side::South => feasible.iter().min().copied(),
        Side::North => feasible.iter().max().copied(),
    }
}

/// The mobility of a move: legal moves that its player has after the opponent's best reply. The reply is
/// the one that [gains](crate::player::gains()) most in `plies` plies, at least one, the lowest pit among
/// equals. 0 where the game is over before.
pub fn mobility(game: &Ayo, position: &Position, pit: Pit, plies: u32) -> usize {
    let after = game.play(position, pit);
    if game.ended(&after).is_some() {
        return 0;
    }
    let (gains, _) = gains(game, &after, plies.max(1));
    // Of equal maxima the last would win, and pits go up.
    let Some(&(reply, _)) = gains.iter().rev().max_by_key(|(_, gain)| *gain) else {
        return 0;
    };
    let later = game.play(&after, reply);
    if game.ended(&later).is_some() { 0 } else { game.moves(&later).len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pit(letter: char) -> Pit {
        Pit::from_letter(letter).unwrap().1
    }

    fn protected(position: &str, letter: char) -> bool {
        is_protected(&Ayo::default(), &position.parse().unwrap(), pit(letter))
    }

    #[test]
    fn a_pit_is_not_protected_where_a_capture_begins_or_goes_on() {
        // f has 3 seeds: A, B, C. C becomes 2, B becomes 3, A becomes 5: C and B are taken.
        let position = "4-2-1-4-4-4-0-0-0-0-0-3-13-13-S";
        let unprotected: String = "ABCDEF".chars().filter(|&it| !protected(position, it)).collect();
        assert_eq!(unprotected, "BC");
        // The same with North to move: its own pits are asked for, which South threatens.
        let position = "0-0-0-0-0-3-4-2-1-4-4-4-13-13-N";
        let unprotected: String = "abcdef".chars().filter(|&it| !protected(position, it)).collect();
        assert_eq!(unprotected, "bc");
    }

    #[test]
    fn a_grand_slam_that_captures_nothing_threatens_nothing() {
        // f takes A, all that South has: under ayo that captures nothing, in wipe-out it does.
        let position: Position = "1-0-0-0-0-0-0-0-0-0-0-1-23-23-S".parse().unwrap();
        let rules = |name: &str| Ayo { rules: name.parse().unwrap() };
        assert!(is_protected(&rules("ayo"), &position, pit('A')));
        assert!(!is_protected(&rules("wipe-out"), &position, pit('A')));
    }

    #[test]
    fn south_looks_at_the_tail_and_north_at_the_head() {
        let feasible = ['B', 'D', 'E'].map(pit);
        assert_eq!(end_pit(&feasible, Side::South), Some(pit('B')));
        assert_eq!(end_pit(&feasible, Side::North), Some(pit('E')));
        assert_eq!(end_pit(&[], Side::North), None);
    }

    #[test]
    fn mobility_counts_moves_after_the_best_reply() {
        let game = Ayo::default();
        // Nothing can be captured after A, so the reply is the lowest, c. South is left B and D.
        let position: Position = "1-1-0-2-0-0-0-0-1-0-0-1-21-21-S".parse().unwrap();
        assert_eq!(mobility(&game, &position, pit('A'), 1), 2);
        // After D the best reply is f, which captures in A. South is left B, E and F.
        assert_eq!(mobility(&game, &position, pit('D'), 1), 3);
        // A move that ends the game leaves none.
        let position: Position = "0-0-0-0-0-1-1-0-0-0-0-1-23-22-S".parse().unwrap();
        assert_eq!(mobility(&game, &position, pit('F'), 3), 0);
    }
}
