//! The same heuristic on both sides, one of them looking farther ahead.

use evolution::arena::Meeting;
use mancala::eval::kansas::Heuristics;
use mancala::progress::Progress;

use super::deeds::Deeds;
use super::field::play;
use super::printed::{PrintedLookAhead, printed_look_ahead};

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

/// Plays the rows of the report's table (section IV F), in its order. `None` if the progress stopped it,
/// which counts games.
pub fn look_ahead(progress: &dyn Progress) -> Option<Vec<LookAhead>> {
    let rows = printed_look_ahead();
    let players: Vec<(Heuristics, u32)> =
        rows.iter().flat_map(|row| row.plies.map(|plies| (row.heuristics, plies))).collect();
    let pairings: Vec<[u32; 2]> = (0..rows.len() as u32).map(|it| [2 * it, 2 * it + 1]).collect();
    let games = play(&players, Meeting::all(&pairings, 1), progress)?;
    let (pairs, _) = games.as_chunks::<2>();
    let row = |(row, pair): (&PrintedLookAhead, &[[Deeds; 2]; 2])| {
        let &PrintedLookAhead { heuristics, plies, .. } = row;
        let [[first, second], [other_first, other_second]] = pair;
        let wins = [first.wins + other_second.wins, second.wins + other_first.wins];
        LookAhead { heuristics, plies, wins: wins.map(|wins| wins as f64 / 2.0) }
    };
    Some(rows.iter().zip(pairs).map(row).collect())
}
