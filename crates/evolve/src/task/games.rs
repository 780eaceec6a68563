//! Tasks that play games.

use std::collections::BTreeSet;
use std::sync::Arc;

use arena::{Batch, BatchPlayer, Games, LocalGames, Outcome, ScheduledGame};
use mancala::progress::{Progress, Silent};
use mancala::text::Message;

use super::{Answer, Task, TaskError, TaskRunner, answers};

const MAX_GAMES: u64 = 500;
/// The number of nodes to search in a task. This takes about a second.
const NODES: u64 = 12_000_000;
/// Rough estimates of the moves per game, and of the factor by which each ply multiplies the nodes.
const MOVES: u64 = 100;
const BRANCHING: u64 = 3;

/// Checks that the outcomes of games between these players depend only on the batch.
fn check(players: &[BatchPlayer]) -> Result<(), TaskError> {
    let is_pure = |player: &BatchPlayer| match player {
        BatchPlayer::Weights { limits, .. } => limits.is_reproducible(),
        BatchPlayer::Spec { .. } => false,
    };
    let refused = TaskError::Unsupported("games of players with a time limit or a program");
    if players.iter().all(is_pure) { Ok(()) } else { Err(refused) }
}

/// Extracts games from a batch, and drops openings and players (whose weights can be large) that the games don't need.
fn part(batch: &Batch, games: &[ScheduledGame]) -> Result<Batch, TaskError> {
    let distinct = |numbers: Vec<u32>| BTreeSet::from_iter(numbers).into_iter().collect::<Vec<_>>();
    let players = distinct(games.iter().flat_map(|it| [it.first, it.second]).collect());
    let openings = distinct(games.iter().map(|it| it.opening).collect());
    let place = |of: &[u32], number| of.partition_point(|&it| it < number) as u32;
    let scheduled = |it: &ScheduledGame| ScheduledGame {
        first: place(&players, it.first),
        second: place(&players, it.second),
        opening: place(&openings, it.opening),
    };
    let schedule = games.iter().map(scheduled).collect();
    let players = players.iter().map(|&it| batch.players[it as usize].clone()).collect();
    let openings = openings.iter().map(|&it| &batch.openings[it as usize]);
    Batch::new(batch.game, players, openings, schedule).map_err(TaskError::content)
}

pub(super) fn play(batch: Batch, progress: &dyn Progress) -> Result<Vec<Outcome>, TaskError> {
    check(&batch.players)?;
    let batch = batch.checked().map_err(TaskError::content)?;
    let outcomes = LocalGames::new().play(&batch, progress).map_err(TaskError::content)?;
    if outcomes.len() < batch.schedule.len() {
        return Err(TaskError::Stopped);
    }
    Ok(outcomes)
}

/// Plays games by dividing them into tasks for a runner. All players must be evaluators without a time limit.
#[derive(Debug, Clone)]
pub struct RemoteGames {
    pub runner: Arc<dyn TaskRunner>,
}

impl RemoteGames {
    fn outcomes(&self, batch: &Batch, progress: &dyn Progress) -> Result<Vec<Outcome>, TaskError> {
        check(&batch.players)?;
        let blocks = batch.schedule.chunks(games_of_task(&batch.players));
        let tasks = blocks.clone().map(|games| part(batch, games).map(Task::Games));
        let tasks = tasks.collect::<Result<Vec<_>, TaskError>>()?;
        let mut outcomes = Vec::with_capacity(batch.schedule.len());
        for (games, answer) in blocks.zip(answers(&*self.runner, &tasks, &Silent(progress))?) {
            match answer {
                Answer::Games(played) if played.len() == games.len() => outcomes.extend(played),
                _ => return Err(TaskError::OtherTask),
            }
        }
        progress.advance(outcomes.len() as u64, outcomes.len() as u64);
        Ok(outcomes)
    }
}

/// Returns the number of games per task, based on the mean search effort of the players.
fn games_of_task(players: &[BatchPlayer]) -> usize {
    let effort = |player: &BatchPlayer| match player {
        BatchPlayer::Weights { limits, .. } => {
            let deepest = limits.depth.map_or(u64::MAX, |depth| BRANCHING.saturating_pow(depth));
            limits.nodes.unwrap_or(u64::MAX).min(deepest).min(NODES)
        }
        BatchPlayer::Spec { .. } => NODES,
    };
    let mean = players.iter().map(effort).sum::<u64>() / players.len().max(1) as u64;
    (NODES / (MOVES * mean).max(1)).clamp(1, MAX_GAMES) as usize
}

impl Games for RemoteGames {
    fn play(&self, batch: &Batch, progress: &dyn Progress) -> Result<Vec<Outcome>, Message> {
        match self.outcomes(batch, progress) {
            Ok(outcomes) => Ok(outcomes),
            Err(TaskError::Stopped) => Ok(Vec::new()),
            Err(error) => Err(Message::of(error)),
        }
    }
}
