//! Events in a run, and their observers.

use mancala::eval::Weights;
use mancala::store::FileError;

use super::{End, Measurement, Statistics, StatusPart, Trainer};

/// The cost of a generation, which may differ between runs and machines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The number of positions that were searched. It depends on the move cache and on the threads.
    pub nodes: u64,
    pub seconds: f64,
}

#[derive(Debug)]
pub enum Event<'a> {
    /// A part of the run begins. The second field is the generation that is evaluated in this part, if any.
    Begins(StatusPart, Option<u32>),
    Generation {
        trainer: &'a Trainer,
        statistics: &'a Statistics,
        cost: Cost,
    },
    Measured {
        /// The trainer, which may be at a later generation than the measurement.
        trainer: &'a Trainer,
        measurement: &'a Measurement,
    },
    ChampionSelected(&'a Weights),
    End {
        trainer: &'a Trainer,
        end: End,
    },
}

/// An observer of a run, such as a run folder or a progress bar.
pub trait Observer {
    /// Handles an event. An error ends the run.
    fn observe(&mut self, event: &Event) -> Result<(), FileError>;
}

impl<F: FnMut(&Event) -> Result<(), FileError>> Observer for F {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        self(event)
    }
}
