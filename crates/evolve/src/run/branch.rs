//! A run that goes on under other settings, in a folder of its own.

use std::path::Path;

use crate::optimise::{Entry, Recorded, ranking};
use mancala::eval::Weights;
use mancala::store::{self, FileError};

use crate::run::checkpoint::{Checkpoint, CheckpointError};
use crate::run::folder::{FolderError, RunFolder, checkpoints};
use crate::run::settings::{Draft, SettingError, Settings, read_toml};
use crate::run::trainer::Trainer;
use crate::run::yardstick::Panel;

/// A branch that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    /// The run that it would branch off from.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A changed setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A file that could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing to go on from.
    #[error("{0} has no checkpoint that is whole: there is nothing to go on from")]
    NoCheckpoint(String),
    /// A checkpoint that its own run could not go on from.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Its chromosomes would be others.
    #[error(
        "{key} shapes the chromosomes or what they mean, which a branch takes over as they are: begin a new run{how} \
         instead"
    )]
    Shape {
        /// Which setting.
        key: &'static str,
        /// How the new run can begin where this one is.
        how: &'static str,
    },
}

/// The run in `parent` after its newest checkpoint, to go on under changed settings. The parent is only
/// read.
///
/// # Errors
/// If there is nothing to go on from, or a setting is wrong or cannot change.
pub fn branch(parent: &Path, changes: &[(String, String)]) -> Result<Trainer, BranchError> {
    let from = RunFolder::settings(parent)?;
    let checkpoint = newest_checkpoint(parent)?;
    let generation = checkpoint.generation();
    let mut settings = changed(&from, changes, generation)?;
    settings.features = from.features.clone();
    if let (Some(layers), Some(of_parent)) = (settings.layers(), from.layers()) {
        layers.add_all(of_parent);
    }
    Ok(Trainer::branch(&from, checkpoint, settings)?)
}

fn changed(
    from: &Settings,
    changes: &[(String, String)],
    generation: u32,
) -> Result<Settings, BranchError> {
    let table = read_toml(&from.to_toml())?;
    let mut draft = Draft::from_table(&table)?;
    if from.measure_every == 0 && !from.has_finals() {
        draft.set("panel", &Panel::Second.to_string())?;
    }
    for (key, value) in changes {
        draft.set(key, value)?;
    }
    draft.set("parent", &format!("{} after generation {generation}", from.hash()))?;
    let settings = draft.finish()?;
    let differs = |(before, after): &(Entry, Entry)| before.value != after.value;
    // The same genes would mean other weights.
    match from.taken_over().into_iter().zip(settings.taken_over()).find(differs) {
        Some((before, _)) => {
            let has_founders = settings.entries().iter().any(|it| it.name == "founders");
            let how = if has_founders { " with --start-from" } else { "" };
            Err(BranchError::Shape { key: before.name, how })
        }
        None => Ok(settings),
    }
}

/// The weights of the last population of a run, the fittest first; the leader of a run whose optimiser
/// has none.
///
/// # Errors
/// If there is no run, or no checkpoint of it is whole.
pub fn last_population(run: &Path) -> Result<Vec<Weights>, BranchError> {
    let settings = RunFolder::settings(run)?;
    let trainer = Trainer::restore(settings.clone(), newest_checkpoint(run)?)?;
    if settings.own.recorded(trainer.generation()) == Recorded::LeaderOnly {
        return Ok(trainer.champion().into_iter().collect());
    }
    let last = trainer.last().expect("a checkpoint is of an evaluated generation");
    let ranking = ranking(&last.fitness);
    Ok(ranking.into_iter().map(|index| trainer.coding().weights(&last.members[index])).collect())
}

fn newest_checkpoint(run: &Path) -> Result<Checkpoint, BranchError> {
    for (_, file) in checkpoints(run)?.iter().rev() {
        if let Ok(checkpoint) = Checkpoint::decode(&store::read(file)?) {
            return Ok(checkpoint);
        }
    }
    Err(BranchError::NoCheckpoint(run.display().to_string()))
}
