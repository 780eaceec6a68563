//! Conjecture 1 on closed games of sowing, looked at number by number.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use mancala::endgame::cdg::{block_count, conjectured};

/// Numbers between two reports of progress.
const STRETCH: u32 = 4096;

/// Boards on which the conjecture fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// How many there are in the range.
    pub count: u64,
    /// The fewest pits a side with which it fails, in order, as many as were asked for.
    pub first: Vec<u32>,
}

/// The boards with so many pits a side on which the conjecture fails, `listed` of them by number.
/// `follow` hears of the work that is done, and of all that there is.
pub fn failures(pits: RangeInclusive<u32>, listed: usize, follow: &dyn Fn(u64, u64)) -> Failures {
    let (begin, end) = pits.into_inner();
    // The work for one number of pits grows with it.
    let work = |n: u32| u64::from(n) * u64::from(n);
    let before = work(begin.saturating_sub(1));
    let mut failures = Failures { count: 0, first: Vec::new() };
    for first in (begin..=end).step_by(STRETCH as usize) {
        let last = end.min(first.saturating_add(STRETCH - 1));
        let fails = |&n: &u32| block_count(n) != conjectured(n);
        let found: Vec<u32> = (first..=last).into_par_iter().filter(fails).collect();
        failures.count += found.len() as u64;
        let room = listed - failures.first.len();
        failures.first.extend(found.into_iter().take(room));
        follow(work(last) - before, work(end) - before);
    }
    failures
}
