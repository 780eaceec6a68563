//! The players of the report, and their games.

use evolution::arena::{Batch, Contender, Games, LocalGames, Meeting, Team};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;
use mancala::game::{Game, Notated, Side};
use mancala::progress::{Part, Progress};

use super::deeds::{Deeds, deeds};
use crate::study::error::StudyError;
use crate::study::unfinished::Unfinished;

/// Games that are kept together.
const PART: usize = 160;

/// Plays games from the start between players that sum some heuristics and look some plies ahead: what
/// both did in each, the one that moved first before the other. A player does not search a position twice.
/// `None` if the progress stopped it, which counts games; those that were kept are not played again.
///
/// # Errors
/// If they cannot be kept.
pub(super) fn play(
    players: &[(Heuristics, u32)],
    meetings: &[Meeting],
    kept: &Unfinished,
    progress: &dyn Progress,
) -> Result<Option<Vec<[Deeds; 2]>>, StudyError> {
    let specs: Vec<String> = players.iter().map(|&(it, plies)| spec(it, plies)).collect();
    let of_kalah = |spec| Team::new(spec, Kalah::KANSAS).expect("a player of kalah");
    let teams: Vec<Team<Kalah>> = specs.iter().map(|spec| of_kalah(spec)).collect();
    let games = LocalGames::with_move_cache().lending(&teams, Kalah::KANSAS);
    let mut found = Vec::new();
    for part in meetings.chunks(PART) {
        let (before, of) = (found.len() as u64, meetings.len() as u64);
        let progress = Part { whole: progress, before, of };
        let work = || play_part(&teams, &games, part, &progress);
        let Some(deeds) = kept.part(&said(&specs, part), work)? else { return Ok(None) };
        found.extend(deeds);
    }
    Ok(Some(found))
}

fn play_part(
    teams: &[Team<Kalah>],
    games: &LocalGames,
    meetings: &[Meeting],
    progress: &dyn Progress,
) -> Option<Vec<[Deeds; 2]>> {
    let game = Kalah::KANSAS;
    let start = game.start(Side::South);
    let contenders = teams.iter().map(Contender::from).collect();
    let batch = Batch::new(game.into(), contenders, vec![start.to_string()], meetings.to_vec())
        .expect("players of kalah");
    let outcomes = games.outcomes(&batch, progress)?;
    let record = |line| game.read_line(line, Some(start)).expect("a line that was played");
    Some(outcomes.iter().map(|outcome| deeds(&record(&outcome.line))).collect())
}

fn spec(heuristics: Heuristics, plies: u32) -> String {
    format!("kansas:heuristics={heuristics},depth={plies}")
}

/// The games of a part.
fn said(specs: &[String], meetings: &[Meeting]) -> String {
    let one = |it: &Meeting| {
        let [first, second] = [it.first, it.second].map(|player| &specs[player as usize]);
        format!("{first} {second}")
    };
    meetings.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::unfinished::StopAfter;

    /// However a study was interrupted, it comes to what it would have come to, and plays no part twice.
    #[test]
    fn an_interrupted_field_goes_on() {
        let player = |digits: &str| (digits.parse().unwrap(), 1);
        let players = ["100000", "000100", "000011"].map(player);
        let meeting = |it: u32| Meeting { first: it % 3, second: it / 3 % 3, opening: 0 };
        let meetings: Vec<Meeting> = (0..2 * PART as u32 + 9).map(meeting).collect();
        let whole = play(&players, &meetings, &Unfinished::nowhere(), &()).unwrap();
        let temporary = tempfile::tempdir().unwrap();
        let kept = Unfinished::below(temporary.path(), "field");
        let after = |games: usize| {
            let stop = StopAfter::new(games);
            (play(&players, &meetings, &kept, &stop).unwrap(), stop.left())
        };
        assert_eq!(after(PART + 3), (None, 0));
        assert_eq!(after(PART), (None, 0));
        assert_eq!(after(10), (whole.clone(), 1));
        assert_eq!(after(1), (whole, 1));
    }
}
