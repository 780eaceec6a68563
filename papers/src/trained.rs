//! Training runs in memory, for studies that need weights.

use std::path::PathBuf;
use std::sync::Arc;

use ayo::run::{Draft, Settings, Trainer};
use mancala::endgame::Tables;
use mancala::eval::{Format, Weights, export};
use mancala::progress::{Progress, Silent};
use mancala::store;

use crate::notebook::Notebook;
use crate::partial::StudyError;

/// Returns a preset's settings with some changes. Panics if the preset or a change is invalid.
pub fn settings(preset: &str, changes: &[(&str, &str)]) -> Settings {
    let mut draft = Draft::preset(preset).expect("a preset");
    for (name, value) in changes {
        draft.set(name, value).expect("a setting");
    }
    draft.finish().expect("consistent settings")
}

/// Returns the path of a study's weights file.
fn weights_path(notebook: &Notebook, name: &str) -> PathBuf {
    notebook.folder().join("weights").join(format!("{name}.json"))
}

/// Writes weights to the folder of a study and returns their path.
pub fn write_weights(
    notebook: &Notebook,
    name: &str,
    weights: &Weights,
) -> Result<PathBuf, StudyError> {
    let path = weights_path(notebook, name);
    store::create_folder(&notebook.folder().join("weights"))?;
    store::replace(&path, export(weights, Format::Json).as_bytes())?;
    Ok(path)
}

/// Trains weights unless their file already exists, and returns the path of this file. Returns `None` if interrupted.
pub fn trained(
    notebook: &Notebook,
    name: &str,
    settings: Settings,
    tables: Option<&Arc<Tables>>,
    progress: &dyn Progress,
) -> Result<Option<PathBuf>, StudyError> {
    let path = weights_path(notebook, name);
    if path.exists() {
        return Ok(Some(path));
    }
    let last = settings.generations;
    let mut trainer = Trainer::new(settings).taught_by(tables.cloned());
    while trainer.generation() < last {
        // Don't forward the progress of a single step, which counts games instead of generations.
        if trainer.step(&Silent(progress)).is_err() {
            return Ok(None);
        }
        progress.advance(trainer.generation().into(), last.into());
    }
    let best = trainer.champion().expect("a champion after the last generation");
    write_weights(notebook, name, &best).map(Some)
}
