//! The same heuristic on both sides, one of them looking farther ahead.

use rayon::prelude::*;

use super::Watcher;
use super::duel::{Memorising, Mind, duel};
use super::printed::{PrintedLookAhead, printed_look_ahead};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;

/// Two games, each side moving first in one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookAhead {
    /// The heuristic of both sides.
    pub heuristics: Heuristics,
    /// The plies that each looks ahead.
    pub plies: [u32; 2],
    /// The share of the two games that each wins.
    pub wins: [f64; 2],
}

/// Plays the rows of the report's table (section IV F), in its order. `None` if the watcher stopped it.
pub fn look_ahead(watcher: &dyn Watcher) -> Option<Vec<LookAhead>> {
    let rows = printed_look_ahead();
    rows.par_iter()
        .map(|&PrintedLookAhead { heuristics, plies, .. }| {
            if watcher.should_stop() {
                return None;
            }
            let utility = heuristics.utility();
            let [one, other] = plies.map(|plies| Memorising::new(utility, plies));
            let game = |first, second| duel(&Kalah::KANSAS, [first, second].map(Mind::Searching));
            let ([first, second], [other_first, other_second]) =
                (game(&one, &other), game(&other, &one));
            watcher.played(2);
            let share = |wins: u64| wins as f64 / 2.0;
            let wins = [first.wins + other_second.wins, second.wins + other_first.wins];
            Some(LookAhead { heuristics, plies, wins: wins.map(share) })
        })
        .collect()
}
