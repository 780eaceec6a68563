//! What is learned from.

use mancala::endgame::Rows;
use mancala::game::Side;
use mancala::game::ayo::{PITS, Position, SEEDS as ALL};

/// A position of the tables with the value for the side to move.
pub(super) struct Example {
    pub(super) rows: Rows,
    pub(super) value: f64,
}

/// A position with these rows, South to move, the other seeds in the stores.
pub(super) fn position([mover, other]: Rows) -> Position {
    let mut pits = [0; 2 * PITS];
    pits[..PITS].copy_from_slice(&mover.to_le_bytes()[..PITS]);
    pits[PITS..].copy_from_slice(&other.to_le_bytes()[..PITS]);
    let rest = ALL - pits.iter().sum::<u8>();
    Position::new(pits, [rest / 2, rest - rest / 2], Side::South).expect("48 seeds")
}
