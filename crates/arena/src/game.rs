//! A game between two players, and its outcome.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::pentanomial::PairScore;
use crate::player::{NoChoice, Player};
use mancala::game::{Ending, Game, Notated, Record, Settlement, Side, Verdict};
use mancala::progress::Progress;

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

    /// The points for the result: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn points(self) -> u8 {
        self as u8
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    Rules(Ending),
    /// The player of this side could not continue and lost, for the given reason.
    Forfeit(Side, String),
}

/// The cost of a player's moves in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MoveCost {
    pub moves: u32,
    pub nodes: u64,
    pub time: Duration,
    /// Number of moves that were timed. It is 0 if a player reuses cached moves, and for games read from a file:
    /// files contain no times, so that repeating a match reproduces the file.
    pub clocked: u32,
}

impl MoveCost {
    pub fn time_per_move(&self) -> Option<Duration> {
        self.time.checked_div(self.clocked)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    pub end: End,
    pub settlement: Settlement,
    /// The cost for South's and North's player.
    pub cost: [MoveCost; 2],
}

/// Plays a game from the current position of `record` to the end, with South's player first in `players`. Returns
/// `None` if `progress` requested a stop.
///
/// The rules are enforced by `record`. A player that chooses an illegal move loses.
pub fn play_game<G: Game>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    progress: &dyn Progress,
) -> Option<FinishedGame> {
    play::<G, true>(record, players, progress)
}

/// Plays a game like [`play_game`], but only times moves if `CLOCKED` is set, since reading the clock takes longer
/// than looking up a cached move.
pub(crate) fn play<G: Game, const CLOCKED: bool>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    progress: &dyn Progress,
) -> Option<FinishedGame> {
    let mut cost = [MoveCost::default(); 2];
    loop {
        if let Some(ending) = record.ending() {
            let settlement = record.game().settle(record.position(), ending);
            return Some(FinishedGame { end: End::Rules(ending), settlement, cost });
        }
        let side = record.to_move();
        let begun = CLOCKED.then(Instant::now);
        let choice = players[side.index()].choose(record, progress);
        let spent = &mut cost[side.index()];
        spent.time += begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        if progress.should_stop() {
            return None;
        }
        let reason = match choice {
            Ok(choice) => {
                spent.moves += 1;
                spent.clocked += u32::from(CLOCKED);
                spent.nodes += choice.nodes;
                record.play(choice.pit).err().map(|illegal| illegal.to_string())
            }
            Err(NoChoice::Stopped) => return None,
            Err(NoChoice::Forfeit(reason)) => Some(reason),
        };
        if let Some(reason) = reason {
            let settlement = forfeit(record, side);
            return Some(FinishedGame { end: End::Forfeit(side, reason), settlement, cost });
        }
    }
}

pub(crate) fn forfeit<G: Game>(record: &Record<G>, side: Side) -> Settlement {
    let stores = Side::BOTH.map(|side| record.game().store(record.position(), side));
    Settlement { stores, verdict: Verdict::Won(side.other()) }
}

/// The outcome of a game in a batch. In arrays, the player that moved first comes first.
///
/// Everything except the cost depends only on the batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The result for the player that moved first.
    pub result: GameResult,
    /// Final stores, including seeds awarded when the game ended.
    pub stores: [u16; 2],
    /// The moves as letters, without separators.
    pub line: String,
    pub end: End,
    pub cost: [MoveCost; 2],
}

impl Outcome {
    pub(crate) fn new<G: Notated>(record: &Record<G>, played: FinishedGame) -> Outcome {
        let mover = record.game().to_move(record.opening());
        let sides = [mover, mover.other()];
        let FinishedGame { end, settlement: Settlement { stores, verdict }, cost } = played;
        Outcome {
            result: GameResult::of(verdict, mover),
            stores: sides.map(|side| stores[side.index()]),
            line: record.line(),
            end,
            cost: sides.map(|side| cost[side.index()]),
        }
    }

    /// Number of positions searched by both players.
    pub fn nodes(&self) -> u64 {
        self.cost.iter().map(|cost| cost.nodes).sum()
    }

    /// Returns everything except the cost. These parts of the outcome depend only on the batch.
    pub fn game(&self) -> (GameResult, [u16; 2], &str, &End) {
        (self.result, self.stores, &self.line, &self.end)
    }
}

impl PairScore {
    /// Returns the scores of games scheduled in [pairs](crate::ScheduledGame::pair), from the view of the player that
    /// moves first in the first game of each pair.
    pub fn of_pairs(outcomes: &[Outcome]) -> Vec<PairScore> {
        let (pairs, _) = outcomes.as_chunks::<2>();
        // The players swap sides in the second game.
        let points = |[one, other]: &[Outcome; 2]| one.result.points() + 2 - other.result.points();
        pairs.iter().map(|pair| PairScore::ALL[usize::from(points(pair))]).collect()
    }
}
