//! Tasks that collect and label positions of self-play.

use std::ops::Range;

use mancala::eval::{Format, export_standalone, read};
use mancala::progress::Progress;
use mancala::search::{MAX_DEPTH, Options};
use serde::{Deserialize, Serialize};

use super::games::GameName;
use super::{Answer, Task, TaskError, TaskRunner, answers};
use crate::learn::{Dataset, Encoding, LearnError, Plan, Positions, Teacher, play_games};

/// Maximum number of games in a task, several times as many as a run asks for.
const MAX_GAMES: u64 = 1 << 14;

/// Some games of a dataset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PositionsTask {
    game: GameName,
    seed: u64,
    pub(super) depth: u32,
    label_depth: u32,
    label_tables: u8,
    options: Options,
    iteration: u32,
    /// Number of positions in the dataset.
    positions: u32,
    /// The teacher's weights, if it has any.
    weights: Option<String>,
    /// The origin of the positions, which shows whether the plan has arrived unchanged.
    origin: String,
    games: Range<u64>,
}

impl PositionsTask {
    fn new(plan: &Plan, dataset: &Dataset) -> PositionsTask {
        let Plan { seed, game, depth, label_depth, label_tables, options, .. } = *plan;
        let Dataset { iteration, positions, ref teacher } = *dataset;
        let weights = match teacher {
            Teacher::Outcomes => None,
            Teacher::Scores(weights) => Some(export_standalone(weights, Format::Json)),
        };
        let (game, origin, games) = (GameName::of(game), plan.origin_of(dataset), 0..0);
        PositionsTask {
            game,
            seed,
            depth,
            label_depth,
            label_tables,
            options,
            iteration,
            positions,
            weights,
            origin,
            games,
        }
    }

    /// Returns a plan that is sufficient for collecting positions, but not for a fit.
    fn plan(&self) -> Result<Plan, TaskError> {
        let PositionsTask { seed, depth, label_depth, label_tables, options, .. } = *self;
        let PositionsTask { iteration, positions, .. } = *self;
        let game = self.game.read()?;
        let teacher = match &self.weights {
            None => Teacher::Outcomes,
            Some(text) => Teacher::Scores(Box::new(read(text, "").map_err(TaskError::content)?)),
        };
        let is_of_game = match &teacher {
            Teacher::Outcomes => true,
            Teacher::Scores(weights) => weights.features().game() == game.kind(),
        };
        let dataset = Dataset { iteration, positions, teacher };
        let plan = Plan {
            seed,
            game,
            units: 0,
            neurons: 0,
            phases: 0,
            datasets: vec![dataset],
            epochs: 0,
            depth,
            label_depth,
            label_tables,
            options,
        };
        let is_possible = [depth, label_depth].iter().all(|it| (1..=MAX_DEPTH).contains(it));
        let are_few =
            self.games.start < self.games.end && self.games.end - self.games.start <= MAX_GAMES;
        let is_valid =
            is_of_game && is_possible && are_few && plan.origin_of(plan.newest()) == self.origin;
        is_valid.then_some(plan).ok_or_else(|| TaskError::content("its plan was changed"))
    }

    pub(super) fn run(&self, progress: &dyn Progress) -> Result<Vec<Positions>, TaskError> {
        play_games(&self.plan()?, self.games.clone(), progress).map_err(|error| match error {
            LearnError::Stopped => TaskError::Stopped,
            error => TaskError::Runner(error.to_string()),
        })
    }
}

/// Plays games of a dataset, one task for each range, and returns the positions of each game.
pub(crate) fn collect_positions(
    runner: &dyn TaskRunner,
    plan: &Plan,
    dataset: &Dataset,
    ranges: &[Range<u64>],
    encoding: &Encoding,
    progress: &dyn Progress,
) -> Result<Vec<Positions>, TaskError> {
    let task = PositionsTask::new(plan, dataset);
    let of_range = |games: &Range<u64>| PositionsTask { games: games.clone(), ..task.clone() };
    let tasks: Vec<Task> = ranges.iter().map(of_range).map(Task::Positions).collect();
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
