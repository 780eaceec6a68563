//! How far a row is from a CDG vector (the thesis' CDGNearness).

/// What is left of a row when each pit is harvested as often as its seeds allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// r₁, r₂, …: seeds that stay in each pit, at most the pit's number.
    pub r: Vec<u32>,
    /// ‖r‖₁, their sum.
    pub distance: u64,
}

/// The remainder of a row, pit 1 first.
///
/// From the farthest pit i down to 1: gᵢ₊₁ seeds arrive from farther ones, the pit is harvested
/// tᵢ = ⌊(yᵢ + gᵢ₊₁)/(i + 1)⌋ times, rᵢ are left, and gᵢ = gᵢ₊₁ + tᵢ go on.
///
/// Distance 0 alone makes no CDG: a pit with more than i + 1 seeds can never be harvested (see [`is_cdg`]).
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

/// Whether a row, pit 1 first, is a CDG vector: no pit i holds more than i + 1 seeds and nothing remains.
pub fn is_cdg(row: &[u32]) -> bool {
    fits(row) && remainder(row).distance == 0
}

/// Whether no pit i of a row, pit 1 first, holds more than i + 1 seeds: one that does can never be harvested.
pub fn fits(row: &[u32]) -> bool {
    (2..).zip(row).all(|(most, &seeds)| u64::from(seeds) <= most)
}
