//! The layers that a run has learned, a file each: `features-1a2b3c4d.ayo`, by the first digits of their hash.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::optimise::Layers;
use mancala::eval::Layer;
use mancala::store::{self, FileError};

use super::FolderError;
use crate::run::settings::Settings;

/// Whether a file is called as those of layers are.
pub fn is_layer(name: &str) -> bool {
    name.strip_prefix("features-").is_some_and(|rest| rest.ends_with(".ayo"))
}

/// Layers of a run folder that are on disk.
#[derive(Debug, Default)]
pub(super) struct Kept(BTreeSet<String>);

impl Kept {
    /// Writes the layers that are not there yet.
    pub(super) fn write(&mut self, folder: &Path, settings: &Settings) -> Result<(), FileError> {
        let learned = settings.layers().map(Layers::all).unwrap_or_default();
        for layer in learned.iter().chain(settings.features.layer()) {
            let name = layer.file_name();
            if !self.0.contains(&name) {
                store::replace(&folder.join(&name), &layer.encode())?;
                self.0.insert(name);
            }
        }
        Ok(())
    }
}

/// Adds the layers in a folder to those that settings of a run have, if they are to have any. One that is damaged is
/// left out: what needs it says that it is not there.
///
/// # Errors
/// If a file cannot be read, or the layer that the settings name is not there or is damaged.
pub fn read_layers(folder: &Path, settings: &mut Settings) -> Result<(), FolderError> {
    if !settings.layer.is_empty() && settings.features.layer().is_none() {
        let path = folder.join(format!("features-{}.ayo", settings.layer));
        let layer = Layer::decode(&store::read(&path)?).map_err(|error| error.to_string());
        let fitted = layer.and_then(|layer| {
            let features = settings.features.clone().with_layer(Arc::new(layer));
            features.map_err(|error| error.to_string())
        });
        let refuse = |reason| FolderError::Configuration { path, reason };
        settings.features = fitted.map_err(refuse)?;
    }
    let Some(layers) = settings.layers() else { return Ok(()) };
    for entry in fs::read_dir(folder).map_err(FileError::of("read", folder))? {
        let file = entry.map_err(FileError::of("read", folder))?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if is_layer(&name)
            && let Ok(layer) = Layer::decode(&store::read(&file)?)
            && layer.file_name() == name
        {
            layers.add(layer);
        }
    }
    Ok(())
}
