//! Tasks that advance an island by several generations.

use std::sync::Arc;

use arena::LocalGames;
use mancala::eval::Layer;
use mancala::progress::{Part, Progress};
use serde::{Deserialize, Serialize};

use super::{Answer, Task, TaskError, TaskRunner, answers};
use crate::optimise::{Chromosome, IslandTask, Islands};
use crate::run::{Checkpoint, Draft, Settings, Trainer, read_toml};

/// Generations of a run, of which an island is a special case.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct GenerationsTask {
    /// The settings as `key = value` lines.
    pub(super) settings: String,
    /// The layer of the features, if they have one.
    pub(super) layer: Option<Vec<u8>>,
    /// The checkpoint from which the run continues, or `None` to start it.
    pub(super) checkpoint: Option<Vec<u8>>,
    /// Candidates that enter the first generation, in hexadecimal.
    pub(super) migrants: Vec<String>,
    generations: u32,
}

impl GenerationsTask {
    pub(super) fn new(settings: &Settings, task: &IslandTask, generations: u32) -> GenerationsTask {
        let settings = settings.island(task.island);
        let checkpoint = task.saved.clone().map(|it| Checkpoint::new(settings.lines(), it));
        GenerationsTask {
            settings: settings.lines(),
            layer: settings.features.layer().map(|layer| layer.encode()),
            checkpoint: checkpoint.map(|it| it.encode()),
            migrants: task.migrants.iter().map(Chromosome::to_hex).collect(),
            generations,
        }
    }

    fn trainer(&self) -> Result<Trainer, TaskError> {
        let table = read_toml(&self.settings).map_err(TaskError::content)?;
        let draft = Draft::from_recorded_table(&table).map_err(TaskError::content)?;
        let mut settings = draft.finish().map_err(TaskError::content)?;
        if let Some(bytes) = &self.layer {
            let layer = Layer::decode(bytes).map_err(TaskError::content)?;
            let features = settings.features.clone().with_layer(Arc::new(layer));
            settings.features = features.map_err(TaskError::content)?;
        }
        settings.check_layer().map_err(TaskError::content)?;
        check(&settings)?;
        let checkpoint = self.checkpoint.as_deref().map(Checkpoint::decode).transpose();
        let saved = checkpoint.map_err(TaskError::content)?.map(Checkpoint::into_saved);
        let coding = settings.coding();
        let migrants = self.migrants.iter().map(|hex| coding.read(hex));
        let migrants = migrants.collect::<Result<Vec<_>, _>>().map_err(TaskError::content)?;
        let places = if settings.islands == 1 { settings.own.migrant_places() } else { Ok(0) };
        if migrants.len() > places.unwrap_or(0) as usize {
            return Err(TaskError::content("it has too many migrants"));
        }
        let task = IslandTask { island: 0, saved, migrants, generations: self.generations };
        let trainer = Trainer::of_island(settings, task).map_err(TaskError::content)?;
        // Without a move cache, the number of nodes does not depend on threads.
        Ok(trainer.playing_at(Arc::new(LocalGames::new())))
    }

    /// Returns the checkpoint after each generation, and the number of nodes searched in that generation.
    pub(super) fn run(&self, progress: &dyn Progress) -> Result<Vec<(Vec<u8>, u64)>, TaskError> {
        let mut trainer = self.trainer()?;
        let games = trainer.settings().games_of_generation(1);
        let of = u64::from(self.generations) * games;
        let part = |index| Part { whole: progress, before: u64::from(index) * games, of };
        let mut step = |index: u32| {
            let Some(nodes) = trainer.step(&part(index)) else {
                let failure = trainer.take_failure();
                return Err(failure.map_or(TaskError::Stopped, TaskError::content));
            };
            let checkpoint = trainer.checkpoint().expect("a generation was evaluated");
            Ok((checkpoint.encode(), nodes))
        };
        (0..self.generations).map(&mut step).collect()
    }
}

/// Checks that the generations of a run need nothing but their checkpoint.
fn check(settings: &Settings) -> Result<(), TaskError> {
    let entries = settings.entries();
    let opponents = entries.iter().find(|entry| entry.name == "opponents");
    if settings.needs_tables() {
        Err(TaskError::Unsupported("generations with fitness from endgame tables"))
    } else if settings.layers().is_some() {
        Err(TaskError::Unsupported("generations that learn features"))
    } else if opponents.is_some_and(|it| !it.plain().is_empty()) {
        Err(TaskError::Unsupported("generations with other opponents"))
    } else {
        Ok(())
    }
}

/// Advances islands by a number of generations. Returns all islands after each of them, and the number of nodes
/// searched.
pub(crate) fn advance_islands(
    runner: &dyn TaskRunner,
    settings: &Settings,
    tasks: &[IslandTask],
    generations: u32,
    progress: &dyn Progress,
) -> Result<(Vec<Islands>, u64), TaskError> {
    check(settings)?;
    let task = |it| Task::Generations(GenerationsTask::new(settings, it, generations));
    let work: Vec<Task> = tasks.iter().map(task).collect();
    let mut islands: Vec<Islands> = (0..generations).map(|_| Vec::new()).collect();
    let mut nodes = 0;
    for (task, answer) in tasks.iter().zip(answers(runner, &work, progress)?) {
        let Answer::Generations(states) = answer else { return Err(TaskError::OtherTask) };
        if states.len() != generations as usize {
            return Err(TaskError::OtherTask);
        }
        let settings = settings.island(task.island);
        let first = task.saved.as_ref().map_or(0, |saved| saved.last.generation) + 1;
        for (number, (all, (state, cost))) in (first..).zip(islands.iter_mut().zip(states)) {
            let checkpoint = Checkpoint::decode(&state).map_err(TaskError::Answer)?;
            if checkpoint.generation() != number {
                return Err(TaskError::OtherTask);
            }
            let island = settings.load(checkpoint.into_saved());
            all.push(island.map_err(|error| TaskError::Runner(error.to_string()))?);
            nodes += cost;
        }
    }
    Ok((islands, nodes))
}
