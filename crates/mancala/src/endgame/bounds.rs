//! Proven bounds on values, for rules under which a repetition does not always pay 0.
//!
//! A side can force v in two ways. It can reach an end of the game or a capture worth v, in a number of plies that
//! decreases with each of its moves. Or it can reach a set of positions each of which pays it v if it is repeated, and
//! which the opponent cannot leave without conceding v. No position occurs twice along the way, so the preceding path
//! does not matter. This requires that play starts from a position just after a capture, as it does when a search
//! enters the tables by a capture.

mod layer;

use std::cmp::Reverse;
use std::collections::TryReserveError;
use std::ops::RangeInclusive;

use self::layer::Layer;
use super::index::{Rows, rank};
use super::moves::Countable;
use crate::game::Pit;
use crate::game::ayo::{Rules, total};

/// The seed differences that each side can force, for all positions up to a maximum number of seeds.
///
/// ```
/// use mancala::endgame::Bounds;
/// use mancala::game::ayo::Rules;
/// let bounds = Bounds::compute(Rules::AYO, 3)?.expect("rules that have tables");
/// // A seed in the first pit of each row. Whether the opponent gets both depends on the history.
/// assert_eq!(bounds.of([1, 1]), Some(-2..=0));
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
#[derive(Debug)]
pub struct Bounds {
    rules: Countable,
    /// The layers, indexed by number of seeds.
    layers: Vec<Layer>,
}

impl Bounds {
    /// Computes the bounds of all positions with at most `seeds` seeds. Returns `None` if the rules do not settle a
    /// stalemate by seeds. Uses 4 bytes per position, and about 30 per position while its layer is being solved.
    pub fn compute(rules: Rules, seeds: u8) -> Result<Option<Bounds>, TryReserveError> {
        let Some(rules) = Countable::new(rules) else { return Ok(None) };
        let mut layers = Vec::new();
        for seeds in 0..=seeds {
            layers.push(Layer::solve(rules, seeds, &layers)?);
        }
        Ok(Some(Bounds { rules, layers }))
    }

    /// Returns the range of the remaining difference for the side to move under perfect play, if the tables have it.
    #[inline]
    pub fn of(&self, rows: Rows) -> Option<RangeInclusive<i8>> {
        let seeds = rows.map(total).iter().sum::<u8>();
        Some(self.layers.get(usize::from(seeds))?.bounds(rank(rows) as usize))
    }

    /// Returns the legal move in `among` with the best lower bound, or `None` if the position has too many seeds. Among
    /// equal moves, it prefers the one that realises the bound soonest, and then the lowest pit.
    ///
    /// A side that always plays these moves achieves its lower bound: it captures, or gets closer to a capture or to a
    /// set of positions that it may repeat.
    pub fn best_move(&self, rows: Rows, among: &[Pit]) -> Option<Pit> {
        self.of(rows)?;
        let successors = self.rules.successors(rows);
        let moves = successors.pits().filter(|(pit, ..)| among.contains(pit));
        let best = moves.max_by_key(|&(pit, after, taken)| {
            let seeds = usize::from(after.map(total).iter().sum::<u8>());
            let (layer, number) = (&self.layers[seeds], rank(after) as usize);
            let step = if taken > 0 { 0 } else { layer.step(number) };
            (taken as i8 - layer.bounds(number).end(), Reverse(step), Reverse(pit.index()))
        });
        best.map(|(pit, ..)| pit)
    }
}
