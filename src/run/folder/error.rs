use std::path::PathBuf;

use crate::run::checkpoint::CheckpointError;
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
    #[error("{} holds no run: there is no run.toml in it", .0.display())]
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
