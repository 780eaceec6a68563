use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use mancala::eval::find_run;
use mancala::store::FileError;

use super::{CONFIGURATION, HISTORY};

/// Errors from starting or resuming a run in a folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} already holds a run", .0.display())]
    Occupied(PathBuf),
    #[error("{}: there is {file} of an earlier run, though no run.toml", path.display())]
    Remains {
        path: PathBuf,
        /// Name of the first file found.
        file: String,
    },
    #[error("another process is training in {}", .0.display())]
    Busy(PathBuf),
    #[error("{}", no_run_message(.0))]
    NoRun(PathBuf),
    #[error("{place}: {reason}")]
    Invalid {
        /// The file, and for a table also the line.
        place: String,
        reason: String,
    },
}

impl FolderError {
    pub(in crate::run) fn invalid(path: &Path, reason: impl Display) -> FolderError {
        FolderError::Invalid { place: path.display().to_string(), reason: reason.to_string() }
    }

    /// Creates the error for a history that ends before a generation.
    pub(super) fn history_too_short(folder: &Path, rows: u32, generation: u32) -> FolderError {
        let path = folder.join(HISTORY);
        FolderError::Invalid {
            place: format!("{}, line {}", path.display(), rows.saturating_add(2)),
            reason: format!(
                "its good rows end at generation {rows}, but the oldest checkpoint is of generation {generation}; \
                 put a copy of the file in its place, or remove the checkpoints to begin again at generation 1"
            ),
        }
    }
}

/// Explains why there is no run at a path, and suggests a run that may have been meant.
fn no_run_message(path: &Path) -> String {
    let shown = path.display();
    if !path.exists() {
        let meant = find_run(&path.to_string_lossy());
        let meant = meant.map(|run| format!(": did you mean \"{run}\"?")).unwrap_or_default();
        return format!("there is no folder {shown}{meant}");
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let runs = entries.map(|entry| entry.path()).filter(|it| it.join(CONFIGURATION).exists());
    match runs.min() {
        Some(run) => format!("{shown} holds runs: name one of them, such as {}", run.display()),
        None => format!("{shown} holds no run: there is no run.toml in it"),
    }
}
