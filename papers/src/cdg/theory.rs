//! The mathematics of the completely determined game on boards of any size. The part that players need is in
//! `mancala::endgame::cdg`.

use mancala::endgame::cdg::{harvestable, vectors};
use mancala::game::Side;
use mancala::game::ayo::{PITS, Position, SEEDS};

/// Runs algorithm I of the thesis. For each pit j, starting with the farthest, yields the pit's number, how many times
/// it is filled, and its seeds in the largest CDG vector.
pub fn fillings(pits: u32) -> impl Iterator<Item = (i64, i64, i64)> {
    // The farthest pit gets `pits + 1` seeds, because we treat the pit beyond it as empty.
    let (mut above, mut step) = (0, 0);
    (1..=i64::from(pits)).rev().map(move |j| {
        let low = above - step;
        let times = (j + 1 - low) / (j + 1);
        above = (j + 1) * times + low;
        step += 2 * times;
        (j, times, above)
    })
}

/// Returns the largest CDG vector of a board, starting with pit 1.
pub fn maximal(pits: u32) -> Vec<u32> {
    let mut vector: Vec<u32> = fillings(pits).map(|(_, _, seeds)| seeds as u32).collect();
    vector.reverse();
    vector
}

/// A row of table 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// s(n), the sum of the largest vector.
    pub s: u64,
    /// f(n), the number of its blocks. This is one more than the number of pits j < n that algorithm I fills.
    pub f: u64,
    /// g(n), the closed form proposed by the thesis.
    pub g: u64,
}

impl Totals {
    /// Returns s(n)·π/n², which tends to 1 (Broline and Loeb 1995).
    pub fn ratio(&self, pits: u32) -> f64 {
        self.s as f64 * std::f64::consts::PI / f64::from(pits).powi(2)
    }
}

/// Returns s(n), f(n) and g(n) for a board with `pits` ≥ 1 pits per side.
pub fn totals(pits: u32) -> Totals {
    let mut totals = Totals { s: 0, f: 0, g: shortcut(pits) };
    for (j, times, _) in fillings(pits) {
        totals.s += (2 * j * times) as u64;
        totals.f += u64::from(times > 0);
    }
    totals
}

/// Returns f(n) for `pits` ≥ 1. This is faster than [`totals`].
///
/// Within a block, the number of seeds decreases by `step` from pit to pit, so each iteration handles a whole block.
/// Once `step` exceeds the capacity of a pit, every nearer pit starts a new block.
pub fn block_count(pits: u32) -> u64 {
    let (mut pit, mut held, mut step) = (pits, pits + 1, 2);
    let mut blocks = 1;
    while step <= pit {
        // The number of pits in this block, including the current one.
        let length = (held - 1) / step + 1;
        if length >= pit {
            return blocks;
        }
        let short = step * length - held;
        pit -= length;
        // Since step ≤ pit, one filling is almost always enough.
        let times = 1 + short / (pit + 1);
        held = (pit + 1) * times - short;
        step += 2 * times;
        blocks += 1;
    }
    blocks + u64::from(pit - 1)
}

/// Returns g(n). According to the thesis, this is f(n) with a few exceptions.
fn shortcut(pits: u32) -> u64 {
    let n = u64::from(pits);
    if n < 25 { (n + 5) / 3 } else { (n + 15) / 4 }
}

/// Returns f(n) according to conjecture 1: g(n) with its four exceptions.
pub fn conjectured(pits: u32) -> u64 {
    match pits {
        15 => shortcut(pits) + 1,
        1 | 2 | 4 => shortcut(pits) - 1,
        _ => shortcut(pits),
    }
}

/// Returns the vector after playing the harvestable pit: that pit is empty, and each nearer pit has one more seed.
pub fn harvest(vector: &[u32]) -> Option<Vec<u32>> {
    let pit = harvestable(vector)?;
    let mut after = vector.to_vec();
    after[..pit - 1].iter_mut().for_each(|seeds| *seeds += 1);
    after[pit - 1] = 0;
    Some(after)
}

/// Returns the CDG vector with this sum, or `None` if the sum is odd or too large for the board.
fn of_sum(pits: usize, sum: u32) -> Option<Vec<u32>> {
    if sum % 2 == 1 { None } else { vectors(pits).nth(sum as usize / 2) }
}

/// A CDG on a board with two rows. The position of the opponent's seed determines the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    vector: Vec<u32>,
    opponent_moves: bool,
}

/// The error for a row of table 3.5 that does not exist on a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("row {row} does not exist on {pits} pits, whose rows are 1 to {last}")]
pub struct SituationError {
    row: u32,
    pits: u32,
    last: u32,
}

impl Situation {
    /// Returns a row of table 3.5 for any number of pits per side. An odd row n has n seeds: the opponent has one in
    /// its first pit, and is to move. An even row n has n + 1 seeds: the opponent has one in its second pit.
    pub fn of_row(row: u32, pits: u32) -> Result<Situation, SituationError> {
        let vector = if row == 0 { None } else { of_sum(pits as usize, row - row % 2) };
        let last = || 1 + maximal(pits).iter().sum::<u32>();
        let vector = vector.ok_or_else(|| SituationError { row, pits, last: last() })?;
        Ok(Situation { vector, opponent_moves: row % 2 == 1 })
    }

    /// Returns the capturing side's row, starting with the pit nearest to the opponent.
    pub fn vector(&self) -> &[u32] {
        &self.vector
    }

    /// Returns whether the side with one seed is to move.
    pub fn opponent_moves(&self) -> bool {
        self.opponent_moves
    }

    /// Returns the row number in table 3.5.
    pub fn row(&self) -> u32 {
        self.vector.iter().sum::<u32>() + u32::from(self.opponent_moves)
    }

    /// Returns the number of seeds in the pit played, as in table 3.6.
    pub fn played(&self) -> u32 {
        match (self.opponent_moves, harvestable(&self.vector)) {
            (false, Some(pit)) => pit as u32 + 1,
            _ => 1,
        }
    }

    /// Returns the board after the next move, or `None` if only the opponent's seed is left.
    pub fn next(&self) -> Option<Situation> {
        if self.opponent_moves {
            let some_left = self.vector.iter().any(|&seeds| seeds > 0);
            return some_left.then(|| Situation { opponent_moves: false, ..self.clone() });
        }
        harvest(&self.vector).map(|vector| Situation { vector, opponent_moves: true })
    }

    /// Returns the position in which South captures, or `None` unless the board has six pits. We put 24 seeds into
    /// North's store, so that neither side has more than half of the seeds before the end.
    pub fn position(&self) -> Option<Position> {
        let mut pits = [0; 2 * PITS];
        if self.vector.len() != PITS {
            return None;
        }
        for (pit, &seeds) in pits[..PITS].iter_mut().rev().zip(&self.vector) {
            *pit = seeds as u8;
        }
        pits[if self.opponent_moves { PITS } else { PITS + 1 }] = 1;
        let half = SEEDS / 2;
        let own = half - pits.iter().sum::<u8>();
        let mover = if self.opponent_moves { Side::North } else { Side::South };
        Position::new(pits, [own, half], mover).ok()
    }
}

/// How a number of seeds behaves under repeated [`march`] (tables 3.7 and 3.8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The number of piles k in the largest matching group k, k − 1, …, 1 that the seeds can form.
    pub group: u32,
    /// The number of seeds that are left over after forming that group, or 0 if all seeds belong to it.
    pub beyond: u32,
    /// The possible periods, starting with the longest. A matching group has period 1.
    pub periods: Vec<u32>,
}

/// Returns how `seeds` ≥ 1 seeds behave on an endless row.
///
/// With k(k + 1)/2 + j seeds, where 0 < j ≤ k, the j extra seeds occupy k + 1 places that rotate by one place per move.
/// The period is k + 1, or (k + 1)/m if the arrangement consists of m equal parts.
pub fn pattern(seeds: u32) -> Pattern {
    let (mut group, mut beyond) = (0, seeds);
    while beyond > group {
        group += 1;
        beyond -= group;
    }
    let places = group + 1;
    let divides = |&parts: &u32| places.is_multiple_of(parts) && beyond.is_multiple_of(parts);
    let periods = match beyond {
        0 => vec![1],
        _ => (1..=places).filter(divides).map(|parts| places / parts).collect(),
    };
    Pattern { group, beyond, periods }
}

/// Sows the first pile onto the piles after it, one seed per pile: `[2, 1, 1]` becomes `[2, 2]`.
pub fn march(piles: &[u32]) -> Vec<u32> {
    let Some((&first, rest)) = piles.split_first() else {
        return Vec::new();
    };
    let mut after = rest.to_vec();
    after.resize(rest.len().max(first as usize), 0);
    after[..first as usize].iter_mut().for_each(|seeds| *seeds += 1);
    after
}

#[cfg(test)]
mod tests {
    use mancala::endgame::cdg::{is_cdg, row};
    use mancala::game::ayo::{Ayo, Rules};
    use mancala::game::{Game, Pit};

    use super::*;

    #[test]
    fn a_harvest_costs_two_seeds_and_leaves_the_vector_before() {
        for (small, large) in vectors(12).zip(vectors(12).skip(1)) {
            assert_eq!(harvest(&large).as_ref(), Some(&small));
            assert_eq!(small.iter().sum::<u32>() + 2, large.iter().sum::<u32>());
            assert!(is_cdg(&large));
        }
    }

    #[test]
    fn the_last_vector_is_the_maximal_one_and_has_its_totals() {
        assert_eq!(totals(50), Totals { s: 868, f: 16, g: 16 });
        for pits in 1..=60 {
            let last = vectors(pits as usize).last().unwrap();
            assert_eq!(maximal(pits), last);
            assert_eq!(totals(pits).s, last.iter().map(|&seeds| u64::from(seeds)).sum::<u64>());
        }
    }

    #[test]
    fn blocks_are_counted_as_by_algorithm_1() {
        for pits in (1..3000).chain([20_011, 99_991]) {
            assert_eq!(block_count(pits), totals(pits).f, "{pits}");
        }
    }

    /// The terms of OEIS A002491 are computed by repeated rounding up. s(n) is term n + 2 of this sequence minus 2.
    #[test]
    fn the_sums_are_the_sequence_that_rounding_up_gives() {
        for pits in 1..400 {
            let m = u64::from(pits) + 2;
            let rounded = (1..m).rev().fold(m, |value, to| value.next_multiple_of(to));
            assert_eq!(totals(pits).s, rounded - 2, "{pits}");
        }
    }

    #[test]
    fn all_but_one_seed_are_captured_under_the_real_rules() {
        let game = Ayo { rules: Rules::AYO };
        for number in 1..=21 {
            let mut situation = Situation::of_row(number, 6).unwrap();
            let mut position = situation.position().unwrap();
            let on_board = |position: &Position| {
                position.seeds_in_row(Side::South) + position.seeds_in_row(Side::North)
            };
            let (first, store) = (on_board(&position), position.store(Side::South));
            while let Some(next) = situation.next() {
                let row = row(&position, Side::South);
                let harvested = || 6 - harvestable(&row).unwrap();
                let pit = if situation.opponent_moves() { 0 } else { harvested() };
                let pit = Pit::new(pit as u8).unwrap();
                let moves = game.moves(&position);
                assert!(moves.contains(pit) && game.ending(&position, moves).is_none(), "{row:?}");
                position = game.play(&position, pit);
                situation = next;
                let expected = situation.position().unwrap();
                assert_eq!(position.row(Side::South), expected.row(Side::South), "row {row:?}");
                assert_eq!(position.row(Side::North), expected.row(Side::North));
            }
            assert_eq!(on_board(&position), 1);
            assert_eq!(position.store(Side::South), store + first - 1);
        }
    }

    #[test]
    fn every_row_of_piles_ends_in_one_of_the_periods_and_each_occurs() {
        for seeds in 1..=11_u32 {
            let mut periods: Vec<u32> =
                (0..1_u32 << (seeds - 1)).map(|cuts| period(seeds, cuts)).collect();
            periods.sort_by(|a, b| b.cmp(a));
            periods.dedup();
            assert_eq!(periods, pattern(seeds).periods, "{seeds}");
        }
    }

    /// Returns the period of the composition of `seeds` that is cut at each set bit of `cuts`.
    fn period(seeds: u32, cuts: u32) -> u32 {
        let mut piles = vec![1];
        for at in 0..seeds - 1 {
            if cuts >> at & 1 == 1 { piles.push(1) } else { *piles.last_mut().unwrap() += 1 }
        }
        let mut seen = vec![piles.clone()];
        loop {
            piles = march(&piles);
            if let Some(at) = seen.iter().position(|earlier| *earlier == piles) {
                return (seen.len() - at) as u32;
            }
            seen.push(piles.clone());
        }
    }
}
