//! The same heuristic on both sides, one of them looking farther ahead.

use evolution::arena::Meeting;
use mancala::eval::kansas::Heuristics;
use mancala::progress::Progress;

use super::deeds::Deeds;
use super::field::play;
use super::printed::{PrintedLookAhead, printed_look_ahead};
use crate::study::error::StudyError;
use crate::study::unfinished::Unfinished;

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
/// which counts games; those that were kept are not played again.
///
/// # Errors
/// If they cannot be kept.
pub fn look_ahead(
    kept: &Unfinished,
    progress: &dyn Progress,
) -> Result<Option<Vec<LookAhead>>, StudyError> {
    let rows = printed_look_ahead();
    let players: Vec<(Heuristics, u32)> =
        rows.iter().flat_map(|row| row.plies.map(|plies| (row.heuristics, plies))).collect();
    let pairings: Vec<[u32; 2]> = (0..rows.len() as u32).map(|it| [2 * it, 2 * it + 1]).collect();
    let games = play(&players, &Meeting::all(&pairings, 1), kept, progress)?;
    let Some(games) = games else { return Ok(None) };
    let (pairs, _) = games.as_chunks::<2>();
    let row = |(row, pair): (&PrintedLookAhead, &[[Deeds; 2]; 2])| {
        let &PrintedLookAhead { heuristics, plies, .. } = row;
        let [[first, second], [other_first, other_second]] = pair;
        let wins = [first.wins + other_second.wins, second.wins + other_first.wins];
        LookAhead { heuristics, plies, wins: wins.map(|wins| wins as f64 / 2.0) }
    };
    Ok(Some(rows.iter().zip(pairs).map(row).collect()))
}
