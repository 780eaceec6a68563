//! A run that goes on under other settings, in a folder of its own.

use std::path::Path;

use crate::run::checkpoint::{Checkpoint, CheckpointError};
use crate::run::folder::{FolderError, RunFolder, checkpoints};
use crate::run::settings::{Draft, SettingError, Settings};
use crate::run::trainer::Trainer;
use mancala::eval::Weights;
use mancala::store::{self, FileError};

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
        "{0} shapes the chromosomes or what they mean, which a branch takes over as they are: begin a new run with \
         --start-from instead"
    )]
    Shape(&'static str),
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
    let settings = changed(&from, changes, generation)?;
    Ok(Trainer::branch(&from, checkpoint, settings)?)
}

fn changed(
    from: &Settings,
    changes: &[(String, String)],
    generation: u32,
) -> Result<Settings, BranchError> {
    let table = super::read_toml(&from.to_toml())?;
    let mut draft = Draft::from_table(&table)?;
    for (key, value) in changes {
        draft.set(key, value)?;
    }
    draft.set("parent", &format!("{} after generation {generation}", from.hash()))?;
    let settings = draft.finish()?;
    let shapes = [
        ("population", from.population != settings.population),
        ("features", from.features != settings.features),
        ("fix", from.fix != settings.fix),
        // The same genes would mean other weights.
        ("signs", from.signs != settings.signs),
        ("encoding", from.encoding != settings.encoding),
    ];
    match shapes.iter().find(|(_, differs)| *differs) {
        Some((key, _)) => Err(BranchError::Shape(key)),
        None => Ok(settings),
    }
}

/// The weights of the last population of a run, the fittest first.
///
/// # Errors
/// If there is no run, or no checkpoint of it is whole.
pub fn last_population(run: &Path) -> Result<Vec<Weights>, BranchError> {
    let settings = RunFolder::settings(run)?;
    let trainer = Trainer::restore(settings.clone(), newest_checkpoint(run)?)?;
    let last = trainer.last().expect("a checkpoint is of an evaluated generation");
    let ranking = crate::run::settings::ranking(&last.fitness);
    Ok(ranking.into_iter().map(|index| settings.weights(&last.members[index])).collect())
}

fn newest_checkpoint(run: &Path) -> Result<Checkpoint, BranchError> {
    for (_, file) in checkpoints(run)?.iter().rev() {
        if let Ok(checkpoint) = Checkpoint::decode(&store::read(file)?) {
            return Ok(checkpoint);
        }
    }
    Err(BranchError::NoCheckpoint(run.display().to_string()))
}
