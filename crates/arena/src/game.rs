//! A game between two players, and its outcome.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::adjudication::{Adjudicated, AdjudicatedBy, Adjudication, Adjudicator};
use crate::pentanomial::PairScore;
use crate::player::{Choice, NoChoice, Player, TIMEOUT};
use mancala::game::{Ending, Game, Record, Settlement, Side, Verdict};
use mancala::progress::Progress;
use mancala::search::SearchableGame;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    Loss,
    Draw,
    Win,
}

impl GameResult {
    pub fn of(verdict: Verdict, side: Side) -> GameResult {
        match verdict {
            Verdict::Won(winner) if winner == side => GameResult::Win,
            Verdict::Won(_) => GameResult::Loss,
            Verdict::Drawn => GameResult::Draw,
        }
    }

    /// Returns the verdict that gives `side` this result.
    pub fn verdict(self, side: Side) -> Verdict {
        match self {
            GameResult::Win => Verdict::Won(side),
            GameResult::Draw => Verdict::Drawn,
            GameResult::Loss => Verdict::Won(side.other()),
        }
    }

    /// Returns 2 points for a win, 1 for a draw and 0 for a loss.
    pub fn points(self) -> u8 {
        self as u8
    }
}

mancala::option_words!(GameResult, "1-0, 0-1 or 1/2-1/2", { Win: "1-0", Loss: "0-1", Draw: "1/2-1/2" });

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Rules(Ending),
    /// The player on this side couldn't continue and lost, for the given reason.
    Forfeit(Side, String),
    Adjudicated(AdjudicatedBy),
}

impl End {
    /// Returns whether a player lost because it didn't answer in time.
    pub fn is_timeout(&self) -> bool {
        matches!(self, End::Forfeit(_, reason) if reason.contains(TIMEOUT))
    }
}

/// The cost of a player's moves in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveCost {
    pub moves: u32,
    pub nodes: u64,
    pub time: Duration,
    /// The number of timed moves. It is 0 for games of a batch and for games that were read from a file.
    pub clocked: u32,
    /// The number of timed moves that exceeded the time limit by more than a tenth plus a millisecond.
    pub late: u32,
    /// The sum of the depths that were reported for timed moves, and the number of moves with a reported depth.
    pub depth: (u64, u32),
}

impl AddAssign for MoveCost {
    fn add_assign(&mut self, other: MoveCost) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.time += other.time;
        self.clocked += other.clocked;
        self.late += other.late;
        self.depth = (self.depth.0 + other.depth.0, self.depth.1 + other.depth.1);
    }
}

impl MoveCost {
    fn add(&mut self, choice: &Choice, time: Option<Duration>, limit: Option<Duration>) {
        const TOLERANCE: Duration = Duration::from_millis(1);
        self.moves += 1;
        self.nodes += choice.nodes;
        let Some(time) = time else { return };
        self.time += time;
        self.clocked += 1;
        self.late += u32::from(limit.is_some_and(|limit| time > limit + limit / 10 + TOLERANCE));
        self.depth.0 += u64::from(choice.depth.unwrap_or(0));
        self.depth.1 += u32::from(choice.depth.is_some());
    }

    pub fn time_per_move(&self) -> Option<Duration> {
        self.time.checked_div(self.clocked)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    pub end: End,
    pub settlement: Settlement,
    /// The cost of South's moves and of North's moves.
    pub cost: [MoveCost; 2],
    /// The adjudicated result, if [the game was played to the end anyway](Adjudication::is_study).
    pub study: Option<Adjudicated>,
}

/// Plays a game from the current position of `record` to the end, or returns `None` if `progress` requests a stop. The
/// first player plays South. A player that chooses an illegal move loses.
pub fn play_game<G: SearchableGame>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    progress: &dyn Progress,
) -> Option<FinishedGame> {
    play(record, players, &Adjudication::default(), true, progress)
}

/// Like [`play_game`], but with adjudication. Timing is optional, since it's about as slow as looking up a cached move.
pub(crate) fn play<G: SearchableGame>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    adjudication: &Adjudication,
    is_timed: bool,
    progress: &dyn Progress,
) -> Option<FinishedGame> {
    let mut cost = [MoveCost::default(); 2];
    let limits = players.each_ref().map(|player| player.limits()?.movetime);
    let (mut adjudicator, mut study) = (Adjudicator::new(adjudication), None);
    loop {
        if let Some(ending) = record.ending() {
            let settlement = record.game().settle(record.position(), ending);
            return Some(FinishedGame { end: End::Rules(ending), settlement, cost, study });
        }
        if study.is_none() {
            study = adjudicator.decide(record);
        }
        if let Some(result) = study.filter(|_| !adjudication.is_study) {
            let settlement = unfinished(record, result.verdict());
            let end = End::Adjudicated(result.by);
            return Some(FinishedGame { end, settlement, cost, study: None });
        }
        let side = record.to_move();
        let player = &mut *players[side.index()];
        let begun = is_timed.then(Instant::now);
        let choice = player.choose(record, progress);
        let time = begun.map(|begun| begun.elapsed());
        if progress.should_stop() {
            return None;
        }
        let reason = match choice {
            Ok(choice) => {
                cost[side.index()].add(&choice, time, limits[side.index()]);
                adjudicator.add(side, choice.score, player);
                record.play(choice.pit).err().map(|illegal| illegal.to_string())
            }
            Err(NoChoice::Stopped) => return None,
            Err(NoChoice::Forfeit(reason)) => Some(reason),
        };
        if let Some(reason) = reason {
            let settlement = unfinished(record, Verdict::Won(side.other()));
            return Some(FinishedGame { end: End::Forfeit(side, reason), settlement, cost, study });
        }
    }
}

/// Returns the settlement of a game that was adjudicated or forfeited before it ended on the board.
pub(crate) fn unfinished<G: Game>(record: &Record<G>, verdict: Verdict) -> Settlement {
    let stores = Side::BOTH.map(|side| record.game().store(record.position(), side));
    Settlement { stores, verdict }
}

/// The outcome of a game in a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The result for the player that moved first.
    pub result: GameResult,
    /// The moves as letters, without separators.
    pub line: String,
    /// The number of nodes that both players searched. Unlike the other fields, it depends on the move cache.
    pub nodes: u64,
}

impl PairScore {
    /// Returns the scores of [pairs](crate::ScheduledGame::pair) for the player that moves first in the first game.
    pub fn of_pairs(outcomes: &[Outcome]) -> Vec<PairScore> {
        let (pairs, _) = outcomes.as_chunks::<2>();
        // The players swap sides in the second game.
        let points = |[one, other]: &[Outcome; 2]| one.result.points() + 2 - other.result.points();
        pairs.iter().map(|pair| PairScore::ALL[usize::from(points(pair))]).collect()
    }
}
