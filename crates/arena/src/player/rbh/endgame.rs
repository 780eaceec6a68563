//! The completely determined game, played out where it is reached and preferred where it is near.

use super::similarity::Episode;
use mancala::endgame::cdg;
use mancala::game::ayo::{PITS, Position};
use mancala::game::{Pit, Side};

/// A side's row as an episode.
pub fn episode(position: &Position, side: Side) -> Episode {
    cdg::row(position, side).try_into().expect("a row of six pits")
}

/// The pit to harvest, if the position is a CDG with the capturing side to move: the opponent's one seed is
/// in its second pit, and the row is a CDG vector.
///
/// ```
/// use arena::player::rbh::harvest;
/// use mancala::game::Side;
/// let position = "0-0-0-0-0-2-0-1-0-0-0-0-21-24-S".parse().unwrap();
/// assert_eq!(harvest(&position).unwrap().letter(Side::South), 'F');
/// ```
pub fn harvest(position: &Position) -> Option<Pit> {
    let side = position.to_move();
    let lone = position.row(side.other()) == [0, 1, 0, 0, 0, 0];
    let row = cdg::row(position, side);
    let number = cdg::harvestable(&row).filter(|_| lone && cdg::is_cdg(&row))?;
    Pit::new((PITS - number) as u8)
}

/// Most seeds on the board in a CDG of six pits.
pub const MOST_SEEDS: u8 = 21;

/// The remainder ‖r‖₁ of a row up to which it is near a CDG: a seed too many or too few in two pits.
pub const NEAR: u64 = 2;

/// Whether the side to move is near a CDG: no more seeds are left than one can have, the opponent has no
/// more than one of them, and the row is within [`NEAR`] of a vector, with no pit so full that it can never
/// be harvested.
pub fn is_near(position: &Position) -> bool {
    let [mine, theirs] =
        [position.to_move(), position.to_move().other()].map(|side| position.seeds_in_row(side));
    let row = cdg::row(position, position.to_move());
    theirs <= 1
        && mine + theirs <= MOST_SEEDS
        && cdg::fits(&row)
        && cdg::remainder(&row).distance <= NEAR
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::Game;
    use mancala::game::ayo::Ayo;

    /// Row 21 of table 3.5, which leads to all rows before it.
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
    fn nothing_is_harvested_where_the_opponent_or_the_row_is_wrong() {
        for other in [
            // The lone seed is in the first pit.
            "0-0-0-0-0-2-1-0-0-0-0-0-21-24-S",
            // A second seed.
            "0-0-0-0-0-2-0-1-0-0-0-1-21-23-S",
            // A seed too many in E, which can never be harvested.
            "0-0-0-0-4-2-0-1-0-0-0-0-17-24-S",
        ] {
            assert_eq!(harvest(&other.parse().unwrap()), None, "{other}");
        }
    }

    #[test]
    fn near_is_a_matter_of_the_remainder_and_of_the_seeds_left() {
        let near = |position: &str| is_near(&position.parse().unwrap());
        assert!(near("0-0-0-0-0-2-0-0-1-0-0-0-21-24-S"));
        // Two seeds beyond a vector, then three.
        assert!(near("0-0-0-0-2-2-0-0-1-0-0-0-19-24-S"));
        assert!(!near("0-0-0-3-2-2-0-0-1-0-0-0-16-24-S"));
        // A second seed of the opponent's, and too many of one's own.
        assert!(!near("0-0-0-0-0-2-0-0-1-1-0-0-20-24-S"));
        // Four seeds in F, which can never be harvested.
        assert!(!near("0-1-0-0-1-4-1-0-0-0-0-0-17-24-S"));
        assert!(!near("14-5-3-1-2-0-0-0-1-0-0-0-10-12-S"));
    }
}
