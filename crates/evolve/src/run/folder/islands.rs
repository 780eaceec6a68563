//! The folders of a run's islands, such as `island-1`. They can be read like run folders, but not resumed.

use std::path::{Path, PathBuf};

use mancala::eval::{Format, export};
use mancala::store::{self, FileError};

use super::table::{CHAMPION, CONFIGURATION, HISTORY, Table};
use super::{checkpoints, configuration};
use crate::optimise::Optimiser;
use crate::run::{Checkpoint, Settings, Statistics, champion, history, recorded_candidate};

pub(super) const PREFIX: &str = "island-";

#[derive(Debug)]
pub(super) struct IslandFolder {
    path: PathBuf,
    settings: Settings,
    history: Table,
}

impl IslandFolder {
    /// Creates or opens the folders of all islands in a run, and removes everything after `generation`.
    pub(super) fn all(
        run: &Path,
        settings: &Settings,
        generation: u32,
        version: &str,
    ) -> Result<Vec<IslandFolder>, FileError> {
        let open = |index: u32| {
            let (path, settings) =
                (run.join(format!("{PREFIX}{}", index + 1)), settings.island(index));
            store::create_folder(&path)?;
            for (of, file) in checkpoints(&path)? {
                if of > generation {
                    store::remove(&file)?;
                }
            }
            let mut history = Table::new(&path, HISTORY);
            history.cut_back(&history::header(&settings), generation)?;
            let text = configuration(&settings, version);
            store::replace(&path.join(CONFIGURATION), text.as_bytes())?;
            Ok(IslandFolder { path, settings, history })
        };
        let count = if settings.islands == 1 { 0 } else { settings.islands };
        (0..count).map(open).collect()
    }

    /// Adds the island's last generation to the history.
    pub(super) fn note(&mut self, island: &dyn Optimiser) {
        let Some(last) = island.last() else { return };
        let Some(best) = recorded_candidate(&self.settings, island) else { return };
        let statistics = Statistics::of(&self.settings.coding(), last);
        self.history.add(&history::row(last, &best, &statistics));
    }

    pub(super) fn flush(&mut self, island: &dyn Optimiser) -> Result<(), FileError> {
        self.history.begin(&history::header(&self.settings));
        self.history.flush_any()?;
        let Some(saved) = island.save() else { return Ok(()) };
        if let Some(leader) = island.current_champion() {
            let text = export(&champion(&self.settings, &leader), Format::Json);
            store::replace(&self.path.join(CHAMPION), text.as_bytes())?;
        }
        checkpoints::write(&self.path, &Checkpoint::new(self.settings.lines(), saved))
    }
}

/// Returns the folder of the run if `path` is the folder of an island.
pub(super) fn run_of_island(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let is_island = path.file_name()?.to_string_lossy().starts_with(PREFIX);
    let run = path.parent().filter(|run| is_island && run.join(CONFIGURATION).exists())?;
    Some(run.into())
}
