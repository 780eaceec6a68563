//! The completely determined game (CDG): one side captures two seeds with every move until a single seed is left.
//!
//! The opponent has one seed and must move it. The row of the other side is a *vector* x₁, x₂, …, with pit 1 the nearest
//! to the opponent (F for South, f for North). A pit i with i + 1 seeds is harvestable: its last seed reaches the
//! opponent's second pit and captures two there. There is at most one vector of each even sum that can be harvested empty
//! (Akinyemi, *thesis*, 2012, chapter 3; the solitaire is Tchoukaillon: Broline and Loeb, *The combinatorics of
//! Mancala-type games*, UMAP Journal 16(1), 1995).
//!
//! Nothing here depends on six pits. The program `ayo-papers` has the rest of that chapter.

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

/// The pit to harvest, counted from 1: the nearest to the opponent of the harvestable pits. Any other choice would add a
/// seed to it. `None` if no pit is harvestable. The argument may be any row.
pub fn harvestable(vector: &[u32]) -> Option<usize> {
    (1..).zip(vector).find(|&(pit, &seeds)| seeds as usize == pit + 1).map(|(pit, _)| pit)
}

/// The vector with two more seeds: the nearest empty pit is filled with one seed from each pit before it and two others.
/// `None` if no pit is empty, so that the vector is the largest of its board.
pub fn grown(vector: &[u32]) -> Option<Vec<u32>> {
    let at = vector.iter().position(|&seeds| seeds == 0)?;
    let mut before = vector.to_vec();
    before[..at].iter_mut().for_each(|seeds| *seeds -= 1);
    before[at] = at as u32 + 2;
    Some(before)
}

/// The CDG vectors of a board with `pits` pits a side, by number of seeds.
///
/// ```
/// use mancala::endgame::cdg;
/// let sums = cdg::vectors(6).map(|vector| vector.iter().sum::<u32>());
/// assert!(sums.eq((0..=20).step_by(2)));
/// ```
pub fn vectors(pits: usize) -> impl Iterator<Item = Vec<u32>> {
    successors(Some(vec![0; pits]), |vector| grown(vector))
}

/// The seeds that are left when each pit of a row is harvested as often as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// r₁, r₂, …: seeds that stay in each pit, at most the pit's number.
    pub r: Vec<u32>,
    /// ‖r‖₁, their sum.
    pub distance: u64,
}

/// The remainder of a row, pit 1 first.
///
/// From the farthest pit i down to 1: gᵢ₊₁ seeds arrive from farther pits, the pit is harvested
/// tᵢ = ⌊(yᵢ + gᵢ₊₁)/(i + 1)⌋ times, rᵢ seeds are left, and gᵢ = gᵢ₊₁ + tᵢ seeds pass to nearer pits.
///
/// A row with distance 0 need not be a CDG vector: a pit with more than i + 1 seeds can never be harvested.
///
/// ```
/// use mancala::endgame::cdg;
/// assert_eq!(cdg::remainder(&[2, 2, 1, 3, 5, 7]).distance, 0);
/// let near = cdg::remainder(&[1, 3, 2]);
/// assert_eq!((near.r, near.distance), (vec![0, 0, 2], 2));
/// ```
pub fn remainder(row: &[u32]) -> Remainder {
    let mut r = vec![0; row.len()];
    let mut arriving = 0;
    for (i, &seeds) in row.iter().enumerate().rev() {
        let (held, needed) = (u64::from(seeds) + arriving, i as u64 + 2);
        r[i] = (held % needed) as u32;
        arriving += held / needed;
    }
    let distance = r.iter().map(|&seeds| u64::from(seeds)).sum();
    Remainder { r, distance }
}

/// Whether a row, pit 1 first, is a CDG vector: no pit i holds more than i + 1 seeds, and no seeds remain.
pub fn is_cdg(row: &[u32]) -> bool {
    fits(row) && remainder(row).distance == 0
}

/// Whether no pit i of a row, pit 1 first, holds more than i + 1 seeds. A pit with more can never be harvested.
pub fn fits(row: &[u32]) -> bool {
    (2..).zip(row).all(|(most, &seeds)| u64::from(seeds) <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rows in which pit i holds at most i + 2 seeds.
    fn rows(pits: usize) -> Vec<Vec<u32>> {
        (0..pits).fold(vec![Vec::new()], |rows, at| {
            let with = |row: &Vec<u32>| {
                let row = row.clone();
                (0..=at as u32 + 3).map(move |seeds| [row.as_slice(), &[seeds]].concat())
            };
            rows.iter().flat_map(with).collect()
        })
    }

    /// Whether some order of harvests empties a row.
    fn can_be_emptied(row: &[u32]) -> bool {
        if row.iter().all(|&seeds| seeds == 0) {
            return true;
        }
        (0..row.len()).filter(|&at| row[at] as usize == at + 2).any(|at| {
            let mut after = row.to_vec();
            after[..at].iter_mut().for_each(|seeds| *seeds += 1);
            after[at] = 0;
            can_be_emptied(&after)
        })
    }

    #[test]
    fn the_vectors_are_all_rows_that_can_be_emptied_and_no_two_have_the_same_sum() {
        for pits in 1..=5 {
            let mut found: Vec<_> =
                rows(pits).into_iter().filter(|row| can_be_emptied(row)).collect();
            found.sort_by_key(|row| row.iter().sum::<u32>());
            assert_eq!(found, vectors(pits).collect::<Vec<_>>());
            assert!(rows(pits).iter().all(|row| is_cdg(row) == found.contains(row)));
        }
    }
}
