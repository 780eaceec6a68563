//! Why a study has come to no end.

use std::path::PathBuf;

use super::pairing::PairingError;
use evolution::arena::AccuracyError;
use mancala::endgame::TablesError;
use mancala::store::FileError;

/// Why a study has come to no end.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Players have not met.
    #[error(transparent)]
    Pairing(#[from] PairingError),
    /// What it found cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
    /// There are no tables.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// A position or a player's choice is not as it should be.
    #[error(transparent)]
    Accuracy(#[from] AccuracyError),
    /// A file of a study that was interrupted is not as the study left it.
    #[error("{}: no part of this study; remove the file, and the part is worked out again", .0.display())]
    Part(PathBuf),
}
