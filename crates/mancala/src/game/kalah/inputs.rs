//! Encodes kalah positions as inputs for learned layers.

use super::position::last_in_empty_pit;
use super::{Kalah, Position};
use crate::game::{Encoded, Group, MAX_GROUPS, Material, Pit, Side, inputs};

const PITS: usize = Pit::MAX as usize;
/// The number of input rows for each pit: one for each number of seeds up to 22, and one for 23 or more.
const CONTENTS: usize = 24;
/// The number of input rows for each store: one for each number of seeds up to 95, and one for 96 or more.
const STORED: usize = 97;
const SETS: usize = 1 << PITS;

impl Encoded for Kalah {
    /// Each side has two sets of pits: those whose last seed lands in the store, and those whose last seed captures.
    fn groups() -> Vec<Group> {
        inputs::groups(PITS, [CONTENTS, STORED], ["end at home", "capture"], &[])
    }

    #[inline]
    fn material(position: &Position) -> Material {
        let (mut on_board, mut stored) = (0, 0);
        for side in Side::BOTH {
            on_board += position.row(side).iter().map(|&seeds| u32::from(seeds)).sum::<u32>();
            stored += u32::from(position.store(side));
        }
        Material::new(on_board, on_board + stored)
    }

    #[inline]
    fn mover(position: &Position) -> Side {
        position.to_move()
    }

    #[inline]
    fn active(position: &Position, rows: &mut [u16; MAX_GROUPS]) -> usize {
        let (me, pits) = (position.to_move(), position.pits());
        let sides = [me, me.other()];
        let mut count = 0;
        let mut add = |row: usize| {
            rows[count] = row as u16;
            count += 1;
        };
        for (half, &side) in sides.iter().enumerate() {
            let row = position.row(side);
            for (pit, &seeds) in row[..pits].iter().enumerate() {
                add((half * PITS + pit) * CONTENTS + usize::from(seeds).min(CONTENTS - 1));
            }
        }
        let stores = 2 * PITS * CONTENTS;
        for (half, &side) in sides.iter().enumerate() {
            let stored = usize::from(position.store(side)).min(STORED - 1);
            add(stores + half * STORED + stored);
        }
        let sets = stores + 2 * STORED;
        for (half, &side) in sides.iter().enumerate() {
            let first = sets + half * 2 * SETS;
            add(first + usize::from(position.ending_in_store(side).bits()));
            add(first + SETS + usize::from(capturing(position, side)));
        }
        count
    }
}

/// Returns a bit mask of the pits from which a move of at most one lap ends in an empty pit with seeds opposite it.
#[inline]
fn capturing(position: &Position, side: Side) -> u8 {
    let (row, other, pits) = (position.row(side), position.row(side.other()), position.pits());
    let captures = |from: usize| {
        last_in_empty_pit(&row, pits, from)
            .is_some_and(|(last, sown)| sown > 0 || other[pits - 1 - last] > 0)
    };
    (0..pits).fold(0, |bits, pit| bits | u8::from(captures(pit)) << pit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::kalah::EmptyCapture;
    use crate::laws::prelude::*;

    laws! {
        #[test]
        fn capturing_pits_match_the_moves((game, position) in any_kalah_position()) {
            let game = game.with_empty_capture(EmptyCapture::Off);
            let bits = game.moves(&position).fold(0, |bits, pit| {
                let after = game.play(&position, pit);
                bits | u8::from(game.captured(&position, pit, &after)) << pit.index()
            });
            prop_assert_eq!(capturing(&position, position.to_move()), bits);
        }
    }
}
