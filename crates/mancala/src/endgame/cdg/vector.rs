//! The vectors: each follows from the one before by undoing a harvest.

use std::iter::successors;

use crate::game::Side;
use crate::game::ayo::Position;

/// The row of a side as a vector: pit 1, the nearest to its opponent, first.
///
/// ```
/// use mancala::{endgame::cdg, game::Side};
/// let position = "7-5-3-1-2-2-1-0-0-0-0-0-3-24-N".parse().unwrap();
/// assert_eq!(cdg::row(&position, Side::South), [2, 2, 1, 3, 5, 7]);
/// ```
pub fn row(position: &Position, side: Side) -> Vec<u32> {
    position.row(side).iter().rev().map(|&seeds| seeds.into()).collect()
}

/// The pit to harvest, counted from 1: of those with one seed more than their number the nearest to the
/// opponent. Any other choice would put a seed too many into it. `None` when no pit is harvestable.
///
/// The vector need not be one of [`vectors`].
pub fn harvestable(vector: &[u32]) -> Option<usize> {
    (1..).zip(vector).find(|&(pit, &seeds)| seeds as usize == pit + 1).map(|(pit, _)| pit)
}

/// The vector after [`harvestable`] is played: its pit empty, one seed more in each nearer one.
pub fn harvest(vector: &[u32]) -> Option<Vec<u32>> {
    let pit = harvestable(vector)?;
    let mut after = vector.to_vec();
    after[..pit - 1].iter_mut().for_each(|seeds| *seeds += 1);
    after[pit - 1] = 0;
    Some(after)
}

/// The vector with two seeds more: the inverse of [`harvest`], which fills the nearest empty pit from those
/// before it. `None` when no pit is empty: the vector is the largest of its board.
pub fn grown(vector: &[u32]) -> Option<Vec<u32>> {
    let at = vector.iter().position(|&seeds| seeds == 0)?;
    let mut before = vector.to_vec();
    before[..at].iter_mut().for_each(|seeds| *seeds -= 1);
    before[at] = at as u32 + 2;
    Some(before)
}

/// Every CDG vector of a board with `pits` pits a side, the empty one first. Each has two seeds more than the
/// one before.
///
/// ```
/// use mancala::endgame::cdg;
/// let sums = cdg::vectors(6).map(|vector| vector.iter().sum::<u32>());
/// assert!(sums.eq((0..=20).step_by(2)));
/// ```
pub fn vectors(pits: usize) -> impl Iterator<Item = Vec<u32>> {
    successors(Some(vec![0; pits]), |vector| grown(vector))
}

/// The CDG vector with these seeds in all; `None` when the sum is odd or more than the board can hold.
///
/// ```
/// use mancala::endgame::cdg;
/// assert_eq!(cdg::of_sum(6, 20), Some(vec![2, 2, 1, 3, 5, 7]));
/// assert_eq!(cdg::of_sum(6, 22), None);
/// ```
pub fn of_sum(pits: usize, sum: u32) -> Option<Vec<u32>> {
    if sum % 2 == 1 { None } else { vectors(pits).nth(sum as usize / 2) }
}
