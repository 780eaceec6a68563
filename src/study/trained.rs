//! Runs of the trainer in memory, for the studies that need weights of their own.

use std::path::PathBuf;
use std::sync::Arc;

use super::error::StudyError;
use super::notebook::Notebook;
use crate::run::{Draft, Settings, Trainer};
use mancala::endgame::Tables;
use mancala::eval::{Format, Weights, export};
use mancala::progress::Progress;
use mancala::store;

/// The settings of a preset with some changed.
///
/// # Panics
/// If there is no such preset or setting: they are named in this crate.
pub(super) fn settings(preset: &str, changes: &[(&str, &str)]) -> Settings {
    let mut draft = Draft::preset(preset).expect("a preset of ours");
    for (name, value) in changes {
        draft.set(name, value).expect("a setting of ours");
    }
    draft.finish().expect("settings that fit")
}

/// The leaders of a run after some of its generations, in order, the last of which ends it. `None` if the
/// progress stopped it, which counts generations.
pub(super) fn leaders(
    settings: Settings,
    tables: Option<&Arc<Tables>>,
    after: &[u32],
    progress: &dyn Progress,
) -> Option<Vec<Weights>> {
    let mut trainer = Trainer::new(settings);
    if let Some(tables) = tables {
        trainer = trainer.taught_by(Arc::clone(tables));
    }
    let last = after.iter().copied().max().unwrap_or(0);
    let mut found = Vec::new();
    while trainer.generation() < last {
        // It counts games of a generation, which say nothing here.
        trainer.step(&mancala::progress::Muted(progress))?;
        progress.advance(trainer.generation().into(), last.into());
        if after.contains(&trainer.generation()) {
            found.extend(trainer.champion());
        }
    }
    Some(found)
}

/// Writes weights among the files of a study, and says where.
///
/// # Errors
/// If they cannot be written.
pub(super) fn kept(
    notebook: &Notebook,
    name: &str,
    weights: &Weights,
) -> Result<PathBuf, StudyError> {
    let folder = notebook.folder().join("weights");
    store::create_folder(&folder)?;
    let path = folder.join(format!("{name}.json"));
    store::replace(&path, export(weights, Format::Json).as_bytes())?;
    Ok(path)
}

/// Weights that are there, or those of a run's last generation. `None` if the progress stopped it.
///
/// # Errors
/// If they cannot be written.
pub(super) fn weights_of(
    notebook: &Notebook,
    name: &str,
    preset: &str,
    changes: &[(&str, &str)],
    progress: &dyn Progress,
) -> Result<Option<PathBuf>, StudyError> {
    let path = notebook.folder().join("weights").join(format!("{name}.json"));
    if path.exists() {
        return Ok(Some(path));
    }
    let settings = settings(preset, changes);
    let last = settings.generations;
    let Some(leaders) = leaders(settings, None, &[last], progress) else { return Ok(None) };
    kept(notebook, name, &leaders[0]).map(Some)
}
