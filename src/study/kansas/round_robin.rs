//! Every combination against every other, moving first and moving second.

use std::collections::{HashMap, HashSet};

use evolution::arena::Meeting;
use mancala::eval::kansas::Heuristics;
use mancala::progress::Progress;

use super::LOOK_AHEAD;
use super::deeds::Deeds;
use super::field::play;
use crate::study::error::StudyError;
use crate::study::unfinished::Unfinished;

/// How a combination fared.
#[derive(Debug, Clone, Copy)]
pub struct RoundRobin {
    /// The combination.
    pub heuristics: Heuristics,
    first: Deeds,
    second: Deeds,
}

/// The report's columns: shares of games, and means a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Averages {
    /// Games won.
    pub win: f64,
    /// Games won of those in which it moved first.
    pub win_first: f64,
    /// And second.
    pub win_second: f64,
    /// Games drawn.
    pub tie: f64,
    /// Seeds at home in the end.
    pub stones: f64,
    /// By how many seeds it was ahead.
    pub margin: f64,
    /// Seeds ahead in the games won, over all games.
    pub win_margin: f64,
    /// Seeds behind in the games lost, over all games.
    pub loss_margin: f64,
    /// Captures.
    pub captures: f64,
    /// Moves that earned another.
    pub go_agains: f64,
    /// Moves.
    pub moves: f64,
}

impl Averages {
    pub(super) fn new(first: Deeds, second: Deeds) -> Averages {
        let all = first + second;
        let a_game = |sum: u64| sum as f64 / all.games as f64;
        Averages {
            win: a_game(all.wins),
            win_first: first.wins as f64 / first.games as f64,
            win_second: second.wins as f64 / second.games as f64,
            tie: a_game(all.draws),
            stones: a_game(all.stones),
            margin: a_game(all.won_by) - a_game(all.lost_by),
            win_margin: a_game(all.won_by),
            loss_margin: a_game(all.lost_by),
            captures: a_game(all.captures),
            go_agains: a_game(all.go_agains),
            moves: a_game(all.moves),
        }
    }
}

impl RoundRobin {
    /// The report's columns.
    pub fn averages(&self) -> Averages {
        Averages::new(self.first, self.second)
    }

    /// Games that it played.
    pub fn games(&self) -> u64 {
        self.first.games + self.second.games
    }
}

/// Games of a round robin that have to be played: between players that differ.
pub fn games() -> u64 {
    let players = distinct().len() as u64;
    players * players
}

/// Plays the round robin of the 63 combinations, at the report's look-ahead, by its rules, and says how
/// each fared, in its order. `None` if the progress stopped it, which counts games; those that were kept are
/// not played again.
///
/// Combinations that are the same player share their games: two deterministic players have only one
/// game for each order.
///
/// # Errors
/// If games cannot be kept.
pub fn round_robin(
    kept: &Unfinished,
    progress: &dyn Progress,
) -> Result<Option<Vec<RoundRobin>>, StudyError> {
    round_robin_of(&combinations().collect::<Vec<_>>(), kept, progress)
}

/// The rows of these combinations alone, each of which meets all 63, for the games that they take.
///
/// # Errors
/// If games cannot be kept.
pub fn round_robin_of(
    rows: &[Heuristics],
    kept: &Unfinished,
    progress: &dyn Progress,
) -> Result<Option<Vec<RoundRobin>>, StudyError> {
    let different = distinct();
    let like = |it: Heuristics| different.iter().position(|known| known.utility() == it.utility());
    let number = |it: Heuristics| like(it).expect("listed") as u32;
    let wanted: HashSet<u32> = rows.iter().copied().map(number).collect();
    let numbers = 0..different.len() as u32;
    let pairings = numbers.clone().flat_map(|one| numbers.clone().map(move |other| [one, other]));
    let pairings: Vec<[u32; 2]> =
        pairings.filter(|pairing| pairing.iter().any(|it| wanted.contains(it))).collect();
    let players: Vec<(Heuristics, u32)> = different.iter().map(|it| (*it, LOOK_AHEAD)).collect();
    let meeting = |&[first, second]: &[u32; 2]| Meeting { first, second, opening: 0 };
    let meetings: Vec<Meeting> = pairings.iter().map(meeting).collect();
    let Some(games) = play(&players, &meetings, kept, progress)? else { return Ok(None) };
    let games: HashMap<[u32; 2], [Deeds; 2]> = pairings.into_iter().zip(games).collect();
    let fared = |&heuristics: &Heuristics| {
        let mine = number(heuristics);
        let (mut first, mut second) = (Deeds::default(), Deeds::default());
        for theirs in combinations().filter(|it| *it != heuristics).map(number) {
            first += games[&[mine, theirs]][0];
            second += games[&[theirs, mine]][1];
        }
        RoundRobin { heuristics, first, second }
    };
    Ok(Some(rows.iter().map(fared).collect()))
}

/// The combinations of at least one heuristic.
fn combinations() -> impl Iterator<Item = Heuristics> {
    Heuristics::all().skip(1)
}

/// Those of them that are different players.
fn distinct() -> Vec<Heuristics> {
    let mut players: Vec<Heuristics> = Vec::new();
    for combination in combinations() {
        if players.iter().all(|known| known.utility() != combination.utility()) {
            players.push(combination);
        }
    }
    players
}
