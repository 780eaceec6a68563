//! The rules of the RBH player: protection, mobility, and the completely determined game (CDG).

use crate::player::captures::gains;
use mancala::endgame::cdg;
use mancala::game::ayo::{Ayo, PITS, Position};
use mancala::game::{Game, Pit, Side};
use mancala::progress::Progress;

use super::similarity::Episode;

/// The maximum number of seeds on the board in a CDG of six pits.
const MAX_CDG_SEEDS: u8 = 21;

/// A row is near a CDG if its remainder ‖r‖₁ is at most this value, e.g. if two pits have an extra seed.
const MAX_REMAINDER: u64 = 2;

/// Returns whether `pit`, which belongs to the side to move, couldn't be captured if the opponent were to move now.
pub(super) fn is_protected(game: &Ayo, position: &Position, pit: Pit) -> bool {
    let side = position.to_move();
    let passed = position.passed();
    // Sowing only adds seeds to the row, so a pit that had seeds and is now empty must have been captured.
    let has_seeds = |position: &Position| position.row(side)[pit.index()] > 0;
    has_seeds(position) && game.moves(&passed).all(|reply| has_seeds(&game.play(&passed, reply)))
}

/// Returns whether the opponent can't capture anything after the side to move has played `pit`.
pub(super) fn is_safe(game: &Ayo, position: &Position, pit: Pit) -> bool {
    let after = game.play(position, pit);
    let store = |position: &Position| position.store(after.to_move());
    game.ended(&after).is_some()
        || game.moves(&after).all(|reply| store(&game.play(&after, reply)) == store(&after))
}

/// Returns the minimum number of legal moves that any reply to `pit` leaves, or 0 if the game can end first.
pub(super) fn least_mobility(game: &Ayo, position: &Position, pit: Pit) -> usize {
    let after = game.play(position, pit);
    let later = |reply| legal_moves(game, &game.play(&after, reply));
    if game.ended(&after).is_some() { 0 } else { game.moves(&after).map(later).min().unwrap_or(0) }
}

fn legal_moves(game: &Ayo, position: &Position) -> usize {
    if game.ended(position).is_some() { 0 } else { game.moves(position).len() }
}

/// Returns the number of legal moves after `pit` and the reply with the highest [gain](crate::player::gains()) in
/// `plies` plies (at least one). On a tie, the lowest pit is used. Returns 0 if the game ends first.
pub(super) fn mobility(
    game: &Ayo,
    position: &Position,
    pit: Pit,
    plies: u32,
    progress: &dyn Progress,
) -> Option<usize> {
    let after = game.play(position, pit);
    if game.ended(&after).is_some() {
        return Some(0);
    }
    let gains = gains(game, &after, plies.max(1), progress)?.moves;
    // `max_by_key` returns the last of equal maxima, so we iterate in reverse to get the lowest pit.
    let Some(&(reply, _)) = gains.iter().rev().max_by_key(|(_, gain)| *gain) else {
        return Some(0);
    };
    Some(legal_moves(game, &game.play(&after, reply)))
}

pub(super) fn episode(position: &Position, side: Side) -> Episode {
    cdg::row(position, side).try_into().expect("a row of six pits")
}

/// Returns the pit to harvest if the row is a CDG vector and the opponent's only seed is in its second pit.
pub(super) fn harvest(position: &Position) -> Option<Pit> {
    let side = position.to_move();
    let is_alone = position.row(side.other()) == [0, 1, 0, 0, 0, 0];
    let row = cdg::row(position, side);
    let number = cdg::harvestable(&row).filter(|_| is_alone && cdg::is_cdg(&row))?;
    Pit::new((PITS - number) as u8)
}

/// Returns whether the side to move is near a CDG. In this case, there are at most [`MAX_CDG_SEEDS`] seeds, the
/// opponent has at most one of them, and the row is harvestable and within [`MAX_REMAINDER`] of a CDG vector.
pub(super) fn is_near(position: &Position) -> bool {
    let [mine, theirs] =
        [position.to_move(), position.to_move().other()].map(|side| position.seeds_in_row(side));
    let row = cdg::row(position, position.to_move());
    theirs <= 1
        && mine + theirs <= MAX_CDG_SEEDS
        && cdg::is_harvestable(&row)
        && cdg::remainder(&row).distance <= MAX_REMAINDER
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pit(letter: char) -> Pit {
        Pit::from_letter(letter).unwrap().1
    }

    fn unprotected(position: &str, letters: &str) -> String {
        let position = position.parse().unwrap();
        let is_protected = |&letter: &char| is_protected(&Ayo::default(), &position, pit(letter));
        letters.chars().filter(|letter| !is_protected(letter)).collect()
    }

    #[test]
    fn a_pit_in_a_captured_series_is_not_protected() {
        // f sows 3 seeds into A, B and C. Then A has 5 seeds, B 3 and C 2, so C and B are captured.
        assert_eq!(unprotected("4-2-1-4-4-4-0-0-0-0-0-3-13-13-S", "ABCDEF"), "BC");
        assert_eq!(unprotected("0-0-0-0-0-3-4-2-1-4-4-4-13-13-N", "abcdef"), "bc");
        // The last seed of f is sown into F, which then has two seeds and is captured.
        assert_eq!(unprotected("4-4-4-4-4-1-0-0-0-0-0-6-11-10-S", "EF"), "F");
    }

    #[test]
    fn a_grand_slam_that_captures_nothing_is_no_threat() {
        // North's f attacks South's last seed. The wipe-out rules allow North to capture it, but the ayo rules don't.
        let position: Position = "1-0-0-0-0-0-0-0-0-0-0-1-23-23-S".parse().unwrap();
        let rules = |name: &str| Ayo { rules: name.parse().unwrap() };
        assert!(is_protected(&rules("ayo"), &position, pit('A')));
        assert!(!is_protected(&rules("wipe-out"), &position, pit('A')));
    }

    #[test]
    fn mobility_counts_moves_after_the_best_reply() {
        let mobility = |position: &str, letter, plies| {
            let position = position.parse().unwrap();
            mobility(&Ayo::default(), &position, pit(letter), plies, &()).unwrap()
        };
        // Nothing can be captured after A, so the reply is the lowest pit, c. South is left with B and D.
        assert_eq!(mobility("1-1-0-2-0-0-0-0-1-0-0-1-21-21-S", 'A', 1), 2);
        // After D, the best reply is f, which captures A. South is left with B, E and F.
        assert_eq!(mobility("1-1-0-2-0-0-0-0-1-0-0-1-21-21-S", 'D', 1), 3);
        assert_eq!(mobility("0-0-0-0-0-1-1-0-0-0-0-1-23-22-S", 'F', 3), 0);
    }

    /// Starts from row 21 of table 3.5 in the thesis. The game passes through all preceding rows.
    #[test]
    fn the_largest_cdg_is_played_out_to_the_last_seed() {
        let game = Ayo::default();
        let mut position: Position = "7-5-3-1-2-2-1-0-0-0-0-0-3-24-N".parse().unwrap();
        while position.seeds_in_row(Side::South) > 0 {
            assert_eq!(game.ended(&position), None);
            let pit = match position.to_move() {
                Side::South => harvest(&position).unwrap(),
                Side::North => game.moves(&position).next().unwrap(),
            };
            position = game.play(&position, pit);
        }
        assert_eq!(position.store(Side::South), 3 + 20);
    }

    #[test]
    fn only_a_cdg_is_harvested() {
        for other in [
            // The opponent's seed is in its first pit.
            "0-0-0-0-0-2-1-0-0-0-0-0-21-24-S",
            // The opponent has a second seed.
            "0-0-0-0-0-2-0-1-0-0-0-1-21-23-S",
            // E has four seeds. It could only be harvested if it had exactly three.
            "0-0-0-0-4-2-0-1-0-0-0-0-17-24-S",
        ] {
            assert_eq!(harvest(&other.parse().unwrap()), None, "{other}");
        }
    }

    #[test]
    fn near_depends_on_the_remainder_and_on_the_seeds_left() {
        let near = |position: &str| is_near(&position.parse().unwrap());
        assert!(near("0-0-0-0-0-2-0-0-1-0-0-0-21-24-S"));
        // The remainder is two seeds in this position and five seeds in the next one.
        assert!(near("0-0-0-0-2-2-0-0-1-0-0-0-19-24-S"));
        assert!(!near("0-0-0-3-2-2-0-0-1-0-0-0-16-24-S"));
        assert!(!near("0-0-0-0-0-2-0-0-1-1-0-0-20-24-S"));
        // F has four seeds. It could only be harvested if it had exactly two.
        assert!(!near("0-1-0-0-1-4-1-0-0-0-0-0-17-24-S"));
        assert!(!near("14-5-3-1-2-0-0-0-1-0-0-0-10-12-S"));
    }
}
