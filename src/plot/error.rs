use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::What;
use crate::terminal::usage;
use evolve::run::{ChangedLine, FolderError};
use mancala::eval::LoadError;
use mancala::store::FileError;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("unknown picture \"{0}\": {hint}", hint = What::meant(.0))]
    What(String),
    #[error("{0}")]
    Usage(String),
    #[error("no run folder or file given")]
    NoInput,
    #[error("cannot plot to {}: the file name must end in .png or .svg", .0.display())]
    Ending(PathBuf),
    #[error(
        "cannot write {}: folder {} does not exist, and only folders below the current directory are created",
        path.display(), folder.display()
    )]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Changed(#[from] ChangedLine),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("{0}")]
    Input(String),
    #[error("nothing to plot as {0}: {0} needs {needs}", needs = .0.needs())]
    Nothing(What),
}

impl Error {
    /// Marks errors on the command line as such.
    pub(crate) fn for_user(self) -> anyhow::Error {
        match self {
            Error::Ending(_) | Error::Usage(_) | Error::Load(LoadError::Unknown(_)) => usage(self),
            _ => self.into(),
        }
    }

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
