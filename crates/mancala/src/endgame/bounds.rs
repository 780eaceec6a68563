//! What is proven of the values where a repetition pays something other than 0.
//!
//! A side is sure of v if it can bring the game, in ever fewer plies, to an end or a capture worth that much or
//! into a set of positions, each of which would pay it v if it were repeated, and in which it can keep the
//! opponent until that lets it out. No position occurs twice on the way, so it does not matter how the set was
//! come to. The position at the root must be the first one since a capture, as it is where a search enters the
//! tables by a capture.

mod layer;

use std::cmp::Reverse;
use std::collections::TryReserveError;
use std::ops::RangeInclusive;

use self::layer::Layer;
use super::index::{Rows, rank};
use super::moves::Countable;
use crate::game::Pit;
use crate::game::ayo::{Rules, total};

/// What each side is sure of in all positions up to some number of seeds, under one set of rules.
///
/// ```
/// use mancala::endgame::Bounds;
/// use mancala::game::ayo::Rules;
/// let bounds = Bounds::find(Rules::AYO, 3)?.expect("rules that have tables");
/// // A seed in the first pit of each row. Whether the opponent gets both depends on what came before.
/// assert_eq!(bounds.of([1, 1]), Some(-2..=0));
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
#[derive(Debug)]
pub struct Bounds {
    rules: Countable,
    /// By seeds, without a gap.
    layers: Vec<Layer>,
}

impl Bounds {
    /// The bounds of all positions with at most `seeds` seeds. `None` if a stalemate under the rules is not settled
    /// by seeds. A position takes 4 bytes, while its layer is solved some 30.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn find(rules: Rules, seeds: u8) -> Result<Option<Bounds>, TryReserveError> {
        let Some(rules) = Countable::new(rules) else { return Ok(None) };
        let mut layers = Vec::new();
        for seeds in 0..=seeds {
            layers.push(Layer::solve(rules, seeds, &layers)?);
        }
        Ok(Some(Bounds { rules, layers }))
    }

    /// The least and the most that the seed difference still to come can be for the side to move, if both play
    /// perfectly. `None` outside the layers.
    #[inline]
    pub fn of(&self, rows: Rows) -> Option<RangeInclusive<i8>> {
        let seeds = rows.map(total).iter().sum::<u8>();
        Some(self.layers.get(usize::from(seeds))?.bounds(rank(rows) as usize))
    }

    /// Of some moves that are legal in a position with these rows, the one after which its mover is sure of most, and
    /// of those the one that makes it sure soonest; the lowest pit among equals. `None` outside the layers.
    ///
    /// One who always plays these moves gets what it is sure of: it captures, or comes ever nearer to that or to a
    /// set of positions that it may repeat.
    pub fn securing(&self, rows: Rows, among: &[Pit]) -> Option<Pit> {
        self.of(rows)?;
        let outlook = self.rules.outlook(rows);
        let moves = outlook.pits().filter(|(pit, ..)| among.contains(pit));
        let surest = moves.max_by_key(|&(pit, after, taken)| {
            let seeds = usize::from(after.map(total).iter().sum::<u8>());
            let (layer, number) = (&self.layers[seeds], rank(after) as usize);
            let step = if taken > 0 { 0 } else { layer.step(number) };
            (taken as i8 - layer.bounds(number).end(), Reverse(step), Reverse(pit.index()))
        });
        surest.map(|(pit, ..)| pit)
    }
}
