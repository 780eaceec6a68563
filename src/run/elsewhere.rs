//! Whole runs that are trained by other processes too.

use super::finished::Finished;
use super::settings::Settings;
use mancala::progress::Progress;

/// Others who train runs.
pub trait Elsewhere: Sync {
    /// How many threads they have. Soon after the beginning this waits until that is known.
    fn threads(&self) -> usize;

    /// Whether a run of these settings can be trained elsewhere at all: it needs no file of this machine.
    fn takes(&self, settings: &Settings) -> bool;

    /// Trains runs, here on each thread of the current rayon pool and elsewhere, until all are finished or the desk
    /// wants no more.
    fn train(&self, runs: &[Settings], desk: &dyn Desk);
}

/// The process that runs belong to.
pub trait Desk: Sync {
    /// Trains a run here, on the thread that asks. `None` if that did not come to its end.
    fn train(&self, run: usize, progress: &dyn Progress) -> Option<Finished>;

    /// Keeps a run that was finished by a worker of this name.
    fn keep(&self, run: usize, finished: Finished, worker: &str);

    /// Called every tenth of a second, so that somebody can be told how far the runs are.
    fn attend(&self);

    /// Whether nothing more is wanted.
    fn has_enough(&self) -> bool;
}
