//! Where run folders lie unless the user says otherwise.

/// The folder of run folders, below the current directory.
pub const RUNS: &str = "populations";
