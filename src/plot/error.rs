use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::What;
use evolve::run::{ChangedLine, FolderError};
use mancala::eval::LoadError;
use mancala::store::FileError;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The name is not that of a panel or another picture.
    #[error("unknown picture \"{0}\": {hint}", hint = What::meant(.0))]
    What(String),
    /// The options do not match the inputs.
    #[error("{0}")]
    Usage(String),
    #[error("no run folder or file given")]
    NoInput,
    /// The output file name does not end in `.png` or `.svg`.
    #[error("cannot plot to {}: the file name must end in .png or .svg", .0.display())]
    Ending(PathBuf),
    /// The output folder is missing, and is not below the current directory, where it would be created.
    #[error(
        "cannot write {}: folder {} does not exist, and only folders below the current directory are created",
        path.display(), folder.display()
    )]
    NoFolder {
        /// The output file.
        path: PathBuf,
        folder: PathBuf,
    },
    #[error(transparent)]
    File(#[from] FileError),
    /// A table was modified after the run wrote it.
    #[error(transparent)]
    Changed(#[from] ChangedLine),
    /// A folder contains no run, or its settings cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Weights could not be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The inputs cannot be drawn, or not together.
    #[error("{0}")]
    Input(String),
    /// The inputs have no data for the requested panel.
    #[error("nothing to plot as {0}: {0} needs {needs}", needs = .0.needs())]
    Nothing(What),
}

impl Error {
    pub(crate) fn input(path: &Path, reason: impl Display) -> Error {
        Error::Input(format!("{}: {reason}", path.display()))
    }

    pub(crate) fn drawing(path: &Path, reason: &dyn Display) -> Error {
        Error::Input(format!("cannot draw {}: {reason}", path.display()))
    }

    pub(crate) fn line(path: &Path, line: u64, reason: &str) -> Error {
        Error::Input(format!("{}, line {line}: {reason}", path.display()))
    }
}
