//! Tasks that play games.

use std::collections::BTreeSet;
use std::sync::Arc;

use arena::{Batch, BatchPlayer, Games, LocalGames, Outcome, ScheduledGame};
use mancala::eval::Weights;
use mancala::game::AnyGame;
use mancala::progress::{Progress, Silent};
use mancala::search::{Limits, Options};
use mancala::text::Message;
use serde::{Deserialize, Serialize};

use super::{Answer, Task, TaskError, TaskRunner, answers, text};

const MAX_GAMES: u64 = 500;
/// Number of nodes per task. A task takes about a second.
const NODES: u64 = 12_000_000;
/// Assumed number of moves per game, and assumed growth factor of a search's nodes per ply.
const MOVES: u64 = 100;
const BRANCHING: u64 = 3;

const UNSUPPORTED: TaskError =
    TaskError::Unsupported("games of players with a time limit or a program");

/// A batch of games between weights.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct GamesTask {
    #[serde(with = "text::game")]
    game: AnyGame,
    players: Vec<Player>,
    openings: Vec<String>,
    /// The players and the opening of each game.
    schedule: Vec<[u32; 3]>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Player {
    #[serde(with = "text::weights")]
    weights: Box<Weights>,
    limits: Limits,
    options: Options,
}

impl Player {
    fn new(player: &BatchPlayer) -> Result<Player, TaskError> {
        match player {
            &BatchPlayer::Weights { ref weights, limits, options } if limits.is_reproducible() => {
                Ok(Player { weights: Box::new(weights.weights()), limits, options })
            }
            _ => Err(UNSUPPORTED),
        }
    }
}

impl GamesTask {
    /// Creates a task for some of the games of a batch.
    pub(super) fn new(batch: &Batch, games: &[ScheduledGame]) -> Result<GamesTask, TaskError> {
        // Weights can be large, so only the players and openings of these games are sent.
        let distinct =
            |numbers: Vec<u32>| BTreeSet::from_iter(numbers).into_iter().collect::<Vec<_>>();
        let players = distinct(games.iter().flat_map(|it| [it.first, it.second]).collect());
        let openings = distinct(games.iter().map(|it| it.opening).collect());
        let place = |of: &[u32], number| of.partition_point(|&it| it < number) as u32;
        let scheduled = |it: &ScheduledGame| {
            [place(&players, it.first), place(&players, it.second), place(&openings, it.opening)]
        };
        let player = |&number: &u32| Player::new(&batch.players[number as usize]);
        let opening = |&number: &u32| batch.openings[number as usize].clone();
        Ok(GamesTask {
            game: batch.game,
            schedule: games.iter().map(scheduled).collect(),
            players: players.iter().map(player).collect::<Result<_, _>>()?,
            openings: openings.iter().map(opening).collect(),
        })
    }

    fn batch(&self) -> Result<Batch, TaskError> {
        if !self.players.iter().all(|it| it.limits.is_reproducible()) {
            return Err(UNSUPPORTED);
        }
        let player = |it: &Player| BatchPlayer::new(&it.weights, it.limits, it.options);
        let players = self.players.iter().map(player).collect();
        let scheduled =
            |&[first, second, opening]: &[u32; 3]| ScheduledGame { first, second, opening };
        let schedule = self.schedule.iter().map(scheduled).collect();
        Batch::new(self.game, players, self.openings.clone(), schedule).map_err(TaskError::content)
    }

    pub(super) fn run(&self, progress: &dyn Progress) -> Result<Vec<Outcome>, TaskError> {
        LocalGames::new().outcomes(&self.batch()?, progress).ok_or(TaskError::Stopped)
    }
}

/// Plays games as tasks. Players must be weights without a time limit.
#[derive(Debug, Clone)]
pub struct RemoteGames {
    pub runner: Arc<dyn TaskRunner>,
}

impl RemoteGames {
    fn outcomes(&self, batch: &Batch, progress: &dyn Progress) -> Result<Vec<Outcome>, TaskError> {
        let blocks = batch.schedule.chunks(games_of_task(&batch.players));
        let tasks = blocks.clone().map(|games| Ok(Task::Games(GamesTask::new(batch, games)?)));
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

/// Returns the number of games in a task, judging by the players' mean search effort.
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
