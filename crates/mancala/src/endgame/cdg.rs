//! The completely determined game (CDG), in which one side captures two seeds with every move until one seed is left.
//!
//! The opponent has a single seed and must move it. We write the other side's row as a *vector* x₁, x₂, …, where pit 1
//! is nearest to the opponent (F for South, f for North). Pit i is harvestable if it holds i + 1 seeds, because its
//! last seed then reaches the opponent's second pit and captures two seeds there. For each even sum, at most one vector
//! can be emptied by harvesting (Akinyemi, *thesis*, 2012, chapter 3; the solitaire game is Tchoukaillon: Broline and
//! Loeb, *The combinatorics of Mancala-type games*, UMAP Journal 16(1), 1995).

use std::iter::successors;

use crate::game::Side;
use crate::game::ayo::Position;

/// Returns a side's row as a vector.
pub fn row(position: &Position, side: Side) -> Vec<u32> {
    position.row(side).iter().rev().map(|&seeds| seeds.into()).collect()
}

/// Returns the harvestable pit nearest to the opponent, counted from 1. Harvesting another pit first would overfill it.
pub fn harvestable(vector: &[u32]) -> Option<usize> {
    (1..).zip(vector).find(|&(pit, &seeds)| seeds as usize == pit + 1).map(|(pit, _)| pit)
}

/// Returns the next CDG vector, which has two more seeds. To construct it, we take one seed from each pit before the
/// nearest empty pit, and put these seeds and two more into the empty pit. Returns `None` if no pit is empty.
pub fn next_vector(vector: &[u32]) -> Option<Vec<u32>> {
    let at = vector.iter().position(|&seeds| seeds == 0)?;
    let mut before = vector.to_vec();
    before[..at].iter_mut().for_each(|seeds| *seeds -= 1);
    before[at] = at as u32 + 2;
    Some(before)
}

/// Iterates over the CDG vectors for `pits` pits per side, in order of their sums.
pub fn vectors(pits: usize) -> impl Iterator<Item = Vec<u32>> {
    successors(Some(vec![0; pits]), |vector| next_vector(vector))
}

/// The seeds that are left after each pit of a row has been harvested as often as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// r₁, r₂, …, the seeds left in each pit.
    pub r: Vec<u32>,
    /// ‖r‖₁, the sum of these seeds.
    pub distance: u64,
}

/// Computes the remainder of a vector y₁, y₂, ….
///
/// Pits are processed in order, starting with the farthest one. Pit i receives gᵢ₊₁ seeds from farther pits and is
/// harvested tᵢ = ⌊(yᵢ + gᵢ₊₁)/(i + 1)⌋ times. Then rᵢ seeds remain, and gᵢ = gᵢ₊₁ + tᵢ seeds go to nearer pits.
///
/// Even if the distance is 0, this isn't a CDG vector if some pit i has more than i + 1 seeds and can't be harvested.
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

pub fn is_cdg(row: &[u32]) -> bool {
    is_harvestable(row) && remainder(row).distance == 0
}

/// Returns whether every pit i of a vector holds at most i + 1 seeds, so that all pits can be harvested.
pub fn is_harvestable(row: &[u32]) -> bool {
    (2..).zip(row).all(|(most, &seeds)| u64::from(seeds) <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all rows in which every pit i holds at most i + 2 seeds.
    fn rows(pits: usize) -> Vec<Vec<u32>> {
        (0..pits).fold(vec![Vec::new()], |rows, at| {
            let with = |row: &Vec<u32>| {
                let row = row.clone();
                (0..=at as u32 + 3).map(move |seeds| [row.as_slice(), &[seeds]].concat())
            };
            rows.iter().flat_map(with).collect()
        })
    }

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
    fn the_vectors_are_all_rows_that_can_be_emptied() {
        for pits in 1..=5 {
            let mut found: Vec<_> =
                rows(pits).into_iter().filter(|row| can_be_emptied(row)).collect();
            found.sort_by_key(|row| row.iter().sum::<u32>());
            assert_eq!(found, vectors(pits).collect::<Vec<_>>());
            assert!(rows(pits).iter().all(|row| is_cdg(row) == found.contains(row)));
        }
    }
}
