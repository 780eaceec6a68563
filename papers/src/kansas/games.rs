//! Games between the players in the report, and the figures that are measured in these games.

use std::ops::AddAssign;

use arena::{Batch, BatchPlayer, Games, LocalGames, PlayerPool, ScheduledGame};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::{Kalah, Position};
use mancala::game::{Game, Notated, Pit, Record, Side};
use mancala::progress::{Part, Progress};
use serde::{Deserialize, Serialize};

use crate::partial::{PartialResults, StudyError};

/// A player's figures in one or more games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    /// The seeds in the player's store at the end.
    pub stones: u64,
    /// The total margins in won games and in lost games.
    pub won_by: u64,
    pub lost_by: u64,
    pub captures: u64,
    pub go_agains: u64,
    pub moves: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.stones += other.stones;
        self.won_by += other.won_by;
        self.lost_by += other.lost_by;
        self.captures += other.captures;
        self.go_agains += other.go_agains;
        self.moves += other.moves;
    }
}

/// Returns the figures of South and North for a finished game.
pub fn counts(record: &Record<Kalah>) -> [Counts; 2] {
    let stores = record.settlement().map_or([0; 2], |it| it.stores).map(u64::from);
    let mut counts = [0, 1].map(|side| {
        let [mine, theirs] = [stores[side], stores[1 - side]];
        Counts {
            games: 1,
            wins: (mine > theirs).into(),
            draws: (mine == theirs).into(),
            stones: mine,
            won_by: mine.saturating_sub(theirs),
            lost_by: theirs.saturating_sub(mine),
            ..Counts::default()
        }
    });
    let (game, mut position) = (record.game(), *record.opening());
    for &(mover, pit) in record.plies() {
        let after = game.play(&position, pit);
        let counts = &mut counts[mover.index()];
        counts.moves += 1;
        counts.go_agains += u64::from(game.promising(&position).contains(pit));
        counts.captures += u64::from(captures(&position, &after, pit));
        position = after;
    }
    counts
}

/// Returns whether a move added more seeds to the store than it sowed there.
fn captures(position: &Position, after: &Position, pit: Pit) -> bool {
    let mover = position.to_move();
    let row = position.row(mover);
    let (reach, pits) = (pit.index() + usize::from(row[pit.index()]), position.pits());
    // The store follows the last pit. A lap passes every slot except the opponent's store.
    let sown = (reach + pits + 1) / (2 * pits + 1);
    usize::from(after.store(mover) - position.store(mover)) > sown
}

/// The number of games per saved part.
const PART: usize = 160;

/// Plays games of `kalah` from the start position between combinations of heuristics, each with its search depth.
/// Returns the figures of both players for each game (starting with the player who moved first), or `None` if
/// interrupted. Progress counts games. Games that are already saved are skipped.
pub fn play(
    kalah: Kalah,
    players: &[(Heuristics, u32)],
    schedule: &[ScheduledGame],
    partial: &PartialResults,
    progress: &dyn Progress,
) -> Result<Option<Vec<[Counts; 2]>>, StudyError> {
    let specs: Vec<String> = players.iter().map(|&(it, plies)| spec(it, plies)).collect();
    let of_kalah = |spec| PlayerPool::new(spec, kalah).expect("a player of kalah");
    let pools: Vec<PlayerPool<Kalah>> = specs.iter().map(|spec| of_kalah(spec)).collect();
    let games = LocalGames::with_move_cache();
    let mut found = Vec::new();
    for part in schedule.chunks(PART) {
        let (before, of) = (found.len() as u64, schedule.len() as u64);
        let progress = Part { whole: progress, before, of };
        let work = || play_part(kalah, &pools, &games, part, &progress);
        let Some(counts) = partial.part(&names(kalah, &specs, part), work)? else {
            return Ok(None);
        };
        found.extend(counts);
    }
    Ok(Some(found))
}

fn play_part(
    game: Kalah,
    pools: &[PlayerPool<Kalah>],
    games: &LocalGames,
    schedule: &[ScheduledGame],
    progress: &dyn Progress,
) -> Option<Vec<[Counts; 2]>> {
    let start = game.start(Side::South);
    let players = pools.iter().map(BatchPlayer::from).collect();
    let batch = Batch::new(game.into(), players, vec![start.to_string()], schedule.to_vec())
        .expect("players of kalah");
    let outcomes = games.outcomes(&batch, progress)?;
    let record = |line| game.read_line(line, Some(start)).expect("a line that was played");
    Some(outcomes.iter().map(|outcome| counts(&record(&outcome.line))).collect())
}

fn spec(heuristics: Heuristics, plies: u32) -> String {
    format!("kansas:heuristics={heuristics},depth={plies}")
}

/// Returns a text that identifies the games in a part.
fn names(kalah: Kalah, specs: &[String], schedule: &[ScheduledGame]) -> String {
    let one = |it: &ScheduledGame| {
        let [first, second] = [it.first, it.second].map(|player| &specs[player as usize]);
        format!("{first} {second}")
    };
    let games: Vec<String> = schedule.iter().map(one).collect();
    let game = if kalah == Kalah::KANSAS { String::new() } else { format!("{kalah}: ") };
    format!("{game}{}", games.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial::StopAfter;

    #[test]
    fn interrupted_games_resume() {
        let player = |digits: &str| (digits.parse().unwrap(), 1);
        let players = ["100000", "000100", "000011"].map(player);
        let scheduled = |it: u32| ScheduledGame { first: it % 3, second: it / 3 % 3, opening: 0 };
        let schedule: Vec<ScheduledGame> = (0..2 * PART as u32 + 9).map(scheduled).collect();
        let temporary = tempfile::tempdir().unwrap();
        let [whole, resumed] =
            ["whole", "resumed"].map(|name| PartialResults::below(temporary.path(), name));
        let whole = play(Kalah::KANSAS, &players, &schedule, &whole, &()).unwrap();
        let after = |games: usize| {
            let stop = StopAfter::new(games);
            (play(Kalah::KANSAS, &players, &schedule, &resumed, &stop).unwrap(), stop.left())
        };
        assert_eq!(after(PART + 3), (None, 0));
        assert_eq!(after(PART), (None, 0));
        assert_eq!(after(10), (whole.clone(), 1));
        assert_eq!(after(1), (whole, 1));
    }
}
