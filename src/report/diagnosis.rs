//! Games between the champions of a run, their diagnosis and their accuracy.

use arena::{Diagnosis, Forecast};
use evolve::run::{Settings, Summary};
use mancala::progress::Progress;

use super::result::{RunCurves, Truth};

/// The diagnosis of a run, as far as its games allow.
#[derive(Default)]
pub(super) struct Diagnosed {
    pub(super) diagnosis: Option<Diagnosis>,
    pub(super) forecast: Option<Forecast>,
}

impl Diagnosed {
    pub(super) fn of(
        _summary: &Summary,
        _curves: &RunCurves,
        _progress: &dyn Progress,
    ) -> anyhow::Result<Diagnosed> {
        Ok(Diagnosed::default())
    }

    /// Returns the generation of the oldest champion.
    pub(super) fn first_generation(&self) -> Option<u32> {
        self.diagnosis.as_ref()?.generations.first().copied()
    }
}

pub(super) fn truth(
    _settings: &Settings,
    _diagnosed: &Diagnosed,
    _progress: &dyn Progress,
) -> Truth {
    Truth::default()
}
