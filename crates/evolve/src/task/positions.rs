//! Tasks that collect positions from self-play and label them.

use std::ops::Range;

use mancala::progress::Progress;
use mancala::search::MAX_DEPTH;
use serde::{Deserialize, Serialize};

use super::{Answer, Task, TaskError, TaskRunner, answers};
use crate::learn::{Plan, Positions, Teacher, play_games};

/// The maximum number of games in a task. This is several times the number that a run requests.
const MAX_GAMES: u64 = 1 << 14;

/// Some of the games that a dataset is collected from.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PositionsTask {
    /// A plan that contains only this dataset.
    pub(super) plan: Plan,
    games: Range<u64>,
}

impl PositionsTask {
    fn is_valid(&self) -> bool {
        let PositionsTask { plan, games: Range { start, end } } = self;
        let [dataset] = plan.datasets.as_slice() else { return false };
        let is_of_game = match &dataset.teacher {
            Teacher::Outcomes => true,
            Teacher::Scores(weights) => weights.features().game() == plan.game.kind(),
        };
        let are_possible = [plan.depth, plan.label_depth].map(|it| (1..=MAX_DEPTH).contains(&it));
        let are_few = start < end && end - start <= MAX_GAMES;
        is_of_game && are_possible == [true; 2] && are_few
    }

    pub(super) fn run(&self, progress: &dyn Progress) -> Result<Vec<Positions>, TaskError> {
        if !self.is_valid() {
            return Err(TaskError::content("its plan is impossible"));
        }
        play_games(&self.plan, self.games.clone(), progress)
    }
}

/// Plays games for the only dataset in a plan, with a task for each range. Returns the positions from each game.
pub(crate) fn collect_positions(
    runner: &dyn TaskRunner,
    plan: &Plan,
    ranges: &[Range<u64>],
    progress: &dyn Progress,
) -> Result<Vec<Positions>, TaskError> {
    let task = |games: &Range<u64>| {
        Task::Positions(PositionsTask { plan: plan.clone(), games: games.clone() })
    };
    let tasks: Vec<Task> = ranges.iter().map(task).collect();
    let encoding = &plan.encoding();
    let mut found = Vec::new();
    for (games, answer) in ranges.iter().zip(answers(runner, &tasks, progress)?) {
        let Answer::Positions(played) = answer else { return Err(TaskError::OtherTask) };
        let is_complete = played.len() as u64 == games.end - games.start;
        if !is_complete || !played.iter().all(|game| game.are_whole(encoding)) {
            return Err(TaskError::OtherTask);
        }
        found.extend(played);
    }
    Ok(found)
}
