use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use mancala::eval::find_run;
use mancala::store::FileError;

use super::{CONFIGURATION, HISTORY};
use crate::run::{SettingError, argument};

/// Errors from starting or resuming a run in a folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} already contains a run", .0.display())]
    Occupied(PathBuf),
    #[error("{} contains {file} from an earlier run, but no run.toml", path.display())]
    Remains { path: PathBuf, file: String },
    #[error("{} is neither empty nor a run folder", .0.display())]
    NotEmpty(PathBuf),
    #[error("another process is training in {}", .0.display())]
    Busy(PathBuf),
    #[error("{} is an island of the run in {}: resume that run", path.display(), run.display())]
    Island { path: PathBuf, run: PathBuf },
    #[error("{}", no_run_message(.0))]
    NoRun(PathBuf),
    #[error("{}: no past champion can be read", .0.display())]
    NoPastChampion(PathBuf),
    /// A setting is invalid, or cannot be changed in a branch.
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("{place}: {reason}")]
    Invalid {
        /// The path of the invalid file or folder. If the file is a table, then this may include the line.
        place: String,
        reason: String,
    },
}

impl FolderError {
    pub(in crate::run) fn invalid(path: &Path, reason: impl Display) -> FolderError {
        FolderError::Invalid { place: path.display().to_string(), reason: reason.to_string() }
    }

    pub(super) fn history_too_short(folder: &Path, rows: u32, generation: u32) -> FolderError {
        let path = folder.join(HISTORY);
        FolderError::Invalid {
            place: format!("{}, line {}", path.display(), rows.saturating_add(2)),
            reason: format!(
                "valid rows end at generation {rows}, but the oldest checkpoint is from generation {generation}; \
                 \"ayo doctor {}\" shows what can be recovered",
                argument(folder)
            ),
        }
    }
}

/// Explains why there is no run at a path, and suggests a run that the user may have meant.
fn no_run_message(path: &Path) -> String {
    let shown = path.display();
    if !path.exists() {
        let meant = find_run(&path.to_string_lossy());
        let meant = meant.map(|run| format!(": did you mean \"{run}\"?")).unwrap_or_default();
        return format!("no such folder: {shown}{meant}");
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let runs = entries.map(|entry| entry.path()).filter(|it| it.join(CONFIGURATION).exists());
    match runs.min() {
        Some(run) => {
            format!("{shown} is a folder of runs: specify one of them, such as {}", run.display())
        }
        None => format!("{shown} is not a run folder: it has no run.toml"),
    }
}
