//! Training runs in memory, for studies that need weights.

use std::path::PathBuf;
use std::sync::Arc;

use ayo::run::{Draft, Settings, Trainer};
use mancala::endgame::Tables;
use mancala::eval::{Format, Weights, export};
use mancala::progress::{Muted, Progress};
use mancala::store;

use crate::notebook::Notebook;
use crate::unfinished::StudyError;

/// Returns the settings of a preset with some of them changed. Both are named in this program.
pub fn settings(preset: &str, changes: &[(&str, &str)]) -> Settings {
    let mut draft = Draft::preset(preset).expect("a preset");
    for (name, value) in changes {
        draft.set(name, value).expect("a setting");
    }
    draft.finish().expect("consistent settings")
}

/// Trains, and returns the best weights after some of the generations, the last of which ends the run. Returns `None`
/// if it was stopped. The progress counts generations.
pub fn best_after(
    settings: Settings,
    tables: Option<&Arc<Tables>>,
    generations: &[u32],
    progress: &dyn Progress,
) -> Option<Vec<Weights>> {
    let mut trainer = Trainer::new(settings);
    if let Some(tables) = tables {
        trainer = trainer.taught_by(Arc::clone(tables));
    }
    let last = generations.iter().copied().max().unwrap_or(0);
    let mut found = Vec::new();
    while trainer.generation() < last {
        // A step counts games.
        trainer.step(&Muted(progress))?;
        progress.advance(trainer.generation().into(), last.into());
        if generations.contains(&trainer.generation()) {
            found.extend(trainer.champion());
        }
    }
    Some(found)
}

/// The file for weights of a study.
pub fn weights_path(notebook: &Notebook, name: &str) -> PathBuf {
    notebook.folder().join("weights").join(format!("{name}.json"))
}

/// Writes weights to the files of a study, and returns the path.
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

/// Trains with a preset unless the weights are there from before, and returns their path. Returns `None` if it was
/// stopped.
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
    let Some(found) = best_after(settings, tables, &[last], progress) else { return Ok(None) };
    write_weights(notebook, name, &found[0]).map(Some)
}
