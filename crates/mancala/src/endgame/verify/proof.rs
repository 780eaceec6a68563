//! Whether the value of one position is realised, seen from the lines of play that lead on from it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::index::{Rows, rank};
use super::super::solver::capture;
use super::View;

/// Positions looked at before a proof is given up.
const PATIENCE: u32 = 20_000;
/// Plies without a capture that a proof looks ahead at most.
const FARTHEST: u32 = 256;

/// A proof that deepens until it succeeds.
pub(super) struct Proof<'a> {
    view: &'a View<'a>,
    realised: FxHashSet<u64>,
    /// Not realised within so many plies.
    failed: FxHashMap<u64, u32>,
    left: u32,
}

impl<'a> Proof<'a> {
    /// Whether the value of a position is seen to be realised before patience ends.
    pub(super) fn of(view: &'a View<'a>, rows: Rows) -> bool {
        let (realised, failed) = (FxHashSet::default(), FxHashMap::default());
        let mut proof = Proof { view, realised, failed, left: PATIENCE };
        let depths = std::iter::successors(Some(1), |depth| Some(depth * 2));
        depths.take_while(|&depth| depth <= FARTHEST).any(|depth| proof.within(rows, depth))
    }

    fn within(&mut self, rows: Rows, plies: u32) -> bool {
        let number = rank(rows);
        let value = self.view.values[number as usize];
        if value == 0 || self.realised.contains(&number) {
            return true;
        }
        let failed = self.failed.get(&number).is_some_and(|&failed| failed >= plies);
        if failed || plies == 0 || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let found = if value > 0 {
            self.reaches(rows, value, plies)
        } else {
            let outlook = self.view.rules.outlook(rows);
            outlook.moves().all(|(after, taken)| taken > 0 || self.within(after, plies - 1))
        };
        if found {
            self.realised.insert(number);
        } else {
            self.failed.insert(number, plies);
        }
        found
    }

    fn reaches(&mut self, rows: Rows, value: i8, plies: u32) -> bool {
        let View { rules, seeds, smaller, .. } = *self.view;
        let outlook = rules.outlook(rows);
        let brings = |(after, taken)| taken > 0 && capture(after, taken, seeds, smaller) == value;
        outlook.is_over()
            || outlook.moves().any(brings)
            || outlook.moves().any(|(after, taken)| {
                taken == 0 && self.view.value(after) == -value && self.within(after, plies - 1)
            })
    }
}
