//! Learned layers and endgame tables that a run uses, but that its settings do not contain.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use mancala::endgame::Tables;
use mancala::eval::Layer;
use mancala::store::{self, FileError};
use serde::{Deserialize, Serialize};

use super::{FolderError, RunFolder};
use crate::optimise::Layers;
use crate::run::settings::Settings;

pub fn is_layer(name: &str) -> bool {
    name.strip_prefix("features-").is_some_and(|rest| rest.ends_with(".ayo"))
}

/// Writes the layers that are not on disk yet, and adds their names to `written`.
pub(super) fn write_layers(
    folder: &Path,
    settings: &Settings,
    written: &mut BTreeSet<String>,
) -> Result<(), FileError> {
    let learned = settings.own.layers().map(Layers::all).unwrap_or_default();
    for layer in learned.iter().chain(settings.features.layer()) {
        let name = layer.file_name();
        if !written.contains(&name) {
            store::replace(&folder.join(&name), &layer.encode())?;
            written.insert(name);
        }
    }
    Ok(())
}

/// Reads the layers that a run needs into its settings. If the run learns features, then damaged layers are skipped.
pub fn read_layers(folder: &Path, settings: &mut Settings) -> Result<(), FolderError> {
    if !settings.layer.is_empty() && settings.features.layer().is_none() {
        let path = folder.join(format!("features-{}.ayo", settings.layer));
        let added = settings.add_layer(&store::read(&path)?);
        added.map_err(|reason| FolderError::invalid(&path, reason))?;
    }
    let Some(layers) = settings.own.layers() else { return Ok(()) };
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

pub(super) const TABLES: &str = "tables.toml";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    rules: String,
    /// The maximum number of seeds on the board.
    seeds: i64,
    checksum: String,
}

impl Identity {
    fn of(tables: &Tables) -> Identity {
        Identity {
            rules: tables.rules().to_string(),
            seeds: tables.max_seeds().into(),
            checksum: format!("{:08x}", tables.checksum()),
        }
    }

    fn to_toml(&self) -> String {
        let properties = toml::to_string(self).expect("plain data");
        format!(
            "# Endgame tables used by this run. To resume it, give their folder with --tables.\n{properties}"
        )
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identity { rules, seeds, checksum } = self;
        write!(f, "{rules} to {seeds} seeds, checksum {checksum}")
    }
}

pub(super) fn record_tables(run: &Path, tables: Option<&Tables>) -> Result<(), FileError> {
    let file = run.join(TABLES);
    match tables {
        Some(tables) => store::replace(&file, Identity::of(tables).to_toml().as_bytes()),
        // Remove a file left by a run that was killed while it was starting.
        None => match store::remove(&file) {
            Err(error) if error.source.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    }
}

/// Describes the tables that the run in a folder uses. Returns `None` if the file is incomplete.
pub fn noted(run: &Path) -> Result<Option<String>, FileError> {
    let text = store::read_document(&run.join(TABLES))?;
    Ok(toml::from_str::<Identity>(&text).ok().map(|tables| tables.to_string()))
}

pub fn uses_tables(run: &Path) -> bool {
    run.join(TABLES).exists()
}

impl RunFolder {
    /// Checks that a run continues with the same endgame tables as before, or without tables if it had none.
    pub fn check_tables(folder: &Path, tables: Option<&Tables>) -> Result<(), FolderError> {
        let file = folder.join(TABLES);
        let error = |path: &Path, reason: String| Err(FolderError::invalid(path, reason));
        let given = tables.map(Identity::of);
        if !file.exists() {
            let reason = "the run does not use endgame tables: continue without --tables, or start another run";
            return if given.is_none() { Ok(()) } else { error(folder, reason.into()) };
        }
        let Ok(recorded) = toml::from_str::<Identity>(&store::read_document(&file)?) else {
            return error(&file, "the rules, seeds or checksum of the tables are missing".into());
        };
        let used = format!("the run uses endgame tables of {recorded}");
        match given {
            Some(given) if given == recorded => Ok(()),
            Some(given) => error(&file, format!("{used}, but --tables contains {given}")),
            None => error(&file, format!("{used}: give their folder with --tables")),
        }
    }
}
