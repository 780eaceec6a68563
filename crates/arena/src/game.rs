//! One game between two players.

use std::time::{Duration, Instant};

use crate::player::{NoChoice, Player};
use mancala::game::{Ending, Game, Record, Settlement, Side, Verdict};
use mancala::progress::Progress;

/// A game played to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// How it ended.
    pub end: End,
    /// What it came to.
    pub settlement: Settlement,
    /// What each player spent, South's first.
    pub effort: [Effort; 2],
}

/// How a game between players ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Rules(Ending),
    /// This side could not go on, for this reason, and lost.
    Forfeit(Side, String),
}

/// What a player spent on its moves of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Moves chosen.
    pub moves: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time on the clock.
    pub time: Duration,
    /// Moves that this time was spent on: 0 in a game between players that recall moves, and in one that was read from
    /// a file, which has no times so that the same match writes the same file.
    pub clocked: u32,
}

impl Effort {
    /// Time spent on a move, where it is known.
    pub fn time_per_move(&self) -> Option<Duration> {
        self.time.checked_div(self.clocked)
    }
}

/// Plays a game to its end from where `record` stands, South's player first in `players`. `None` if
/// the progress stopped it.
///
/// The record alone decides legality and the end: a player that chooses an illegal move loses.
pub fn play_game<G: Game>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    progress: &dyn Progress,
) -> Option<Played> {
    play::<G, true>(record, players, progress)
}

/// Plays a game as [`play_game`] does, but without timing moves: reading the clock takes longer than recalling a move.
pub(super) fn play_unclocked<G: Game>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    progress: &dyn Progress,
) -> Option<Played> {
    play::<G, false>(record, players, progress)
}

fn play<G: Game, const CLOCKED: bool>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    progress: &dyn Progress,
) -> Option<Played> {
    let mut effort = [Effort::default(); 2];
    loop {
        if let Some(ending) = record.ending() {
            let settlement = record.game().settle(record.position(), ending);
            return Some(Played { end: End::Rules(ending), settlement, effort });
        }
        let side = record.to_move();
        let begun = CLOCKED.then(Instant::now);
        let choice = players[side.index()].choose(record, progress);
        let spent = &mut effort[side.index()];
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
            let settlement = forfeited(record, side);
            return Some(Played { end: End::Forfeit(side, reason), settlement, effort });
        }
    }
}

/// The stores stand as they are; the other side has won.
fn forfeited<G: Game>(record: &Record<G>, loser: Side) -> Settlement {
    let stores = Side::BOTH.map(|side| record.game().store(record.position(), side));
    Settlement { stores, verdict: Verdict::Won(loser.other()) }
}
