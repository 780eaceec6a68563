//! The players of the report, and their games.

use evolution::arena::{Batch, Contender, Games, LocalGames, Meeting, Team};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;
use mancala::game::{Game, Notated, Side};
use mancala::progress::Progress;

use super::deeds::{Deeds, deeds};

/// Plays games from the start between players that sum some heuristics and look some plies ahead: what
/// both did in each, the one that moved first before the other. A player does not search a position twice.
/// `None` if the progress stopped it, which counts games.
pub(super) fn play(
    players: &[(Heuristics, u32)],
    meetings: Vec<Meeting>,
    progress: &dyn Progress,
) -> Option<Vec<[Deeds; 2]>> {
    let game = Kalah::KANSAS;
    let start = game.start(Side::South);
    let teams: Vec<Team<Kalah>> = players.iter().map(|&(it, plies)| team(it, plies)).collect();
    let contenders = teams.iter().map(Contender::from).collect();
    let batch = Batch::new(game.into(), contenders, vec![start.to_string()], meetings)
        .expect("players of kalah");
    let games = LocalGames::with_move_cache().lending(&teams, game);
    let outcomes = games.outcomes(&batch, progress)?;
    let record = |line| game.read_line(line, Some(start)).expect("a line that was played");
    Some(outcomes.iter().map(|outcome| deeds(&record(&outcome.line))).collect())
}

fn team(heuristics: Heuristics, plies: u32) -> Team<Kalah> {
    let spec = format!("kansas:heuristics={heuristics},depth={plies}");
    Team::new(&spec, Kalah::KANSAS).expect("a player of kalah")
}
