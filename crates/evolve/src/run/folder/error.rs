use std::fs;
use std::path::{Path, PathBuf};

use crate::run::checkpoint::CheckpointError;
use mancala::eval::in_runs;
use mancala::store::FileError;

/// A folder that no run can begin or go on in.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file that could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is a run in it already.
    #[error("{} already holds a run", .0.display())]
    Occupied(PathBuf),
    /// There is something of a run in it, but no `run.toml`.
    #[error("{}: there is {file} of an earlier run, though no run.toml", path.display())]
    Remains {
        /// The folder.
        path: PathBuf,
        /// The name of what is in it.
        file: String,
    },
    /// Another process trains in it.
    #[error("another process is training in {}", .0.display())]
    Busy(PathBuf),
    /// There is no run in it.
    #[error("{}", why_no_run(.0))]
    NoRun(PathBuf),
    /// `run.toml` is wrong.
    #[error("{}: {reason}", path.display())]
    Configuration {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A checkpoint that the run cannot go on from.
    #[error("{}: {reason}", path.display())]
    Checkpoint {
        /// The checkpoint, or `run.toml` where a setting in it has changed.
        path: PathBuf,
        /// What is wrong.
        reason: CheckpointError,
    },
    /// Not the endgame tables that the run began with.
    #[error("{}: {reason}", path.display())]
    Tables {
        /// The file that says which those are, or the folder if it has none.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Checkpoints, but none that is whole.
    #[error(
        "{}: no checkpoint is readable ({reasons}); remove them to begin again at generation 1",
        path.display()
    )]
    AllDamaged {
        /// The folder.
        path: PathBuf,
        /// What is wrong with each.
        reasons: String,
    },
    /// The rows reach up to no checkpoint.
    #[error(
        "{}, line {line}: its good rows end at generation {rows}, but the oldest checkpoint is of generation {generation}; \
         put a copy of the file in its place, or remove the checkpoints to begin again at generation 1",
        path.display()
    )]
    History {
        /// The file.
        path: PathBuf,
        /// Good rows in it.
        rows: u32,
        /// Rows that there should be at least.
        generation: u32,
        /// The number of the line where good ones end.
        line: u32,
    },
}

/// Why there is no run at a path, and where one is that may have been meant.
fn why_no_run(path: &Path) -> String {
    let shown = path.display();
    if !path.exists() {
        let meant = in_runs(&path.to_string_lossy());
        let meant = meant.map(|run| format!(": did you mean \"{run}\"?")).unwrap_or_default();
        return format!("there is no folder {shown}{meant}");
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    match entries.map(|entry| entry.path()).filter(|it| holds_run(it)).min() {
        Some(run) => format!("{shown} holds runs: name one of them, such as {}", run.display()),
        None => format!("{shown} holds no run: there is no run.toml in it"),
    }
}

fn holds_run(folder: &Path) -> bool {
    folder.join("run.toml").exists()
}
