//! Events of a run, and their observers.

use mancala::eval::Weights;
use mancala::store::FileError;

use super::history::Statistics;
use super::stop::End;
use super::strength::Measurement;
use super::trainer::Trainer;

/// The cost of a generation. Only this may differ between machines, and between two runs on one machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Positions searched. A cached search costs nothing; which of several games searches first depends on the
    /// threads, and so does this number.
    pub nodes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// A part of a run, whose progress is counted in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The evaluation of this generation.
    Generation(u32),
    /// The evaluation of this generation, which begins by learning its features.
    Learning(u32),
    /// The measurement of strength.
    Measuring,
    /// The final games, which select the champion.
    Finals,
}

impl Part {
    /// Returns the generation that is evaluated.
    pub fn generation(self) -> Option<u32> {
        match self {
            Part::Generation(generation) | Part::Learning(generation) => Some(generation),
            Part::Measuring | Part::Finals => None,
        }
    }
}

/// An event of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// A part of the run begins.
    Begins(Part),
    /// A generation has been evaluated.
    Generation {
        /// The trainer after it.
        trainer: &'a Trainer,
        statistics: &'a Statistics,
        cost: Cost,
    },
    /// The strength of a generation's champion has been measured.
    Measured {
        /// The trainer, which may be at a later generation.
        trainer: &'a Trainer,
        measurement: &'a Measurement,
    },
    /// The final games have selected the champion of the run.
    ChampionSelected(&'a Weights),
    /// Training stops.
    End { trainer: &'a Trainer, end: End },
}

/// An observer of a run, such as a folder or a progress bar.
pub trait Observer {
    /// Handles an event.
    ///
    /// # Errors
    /// If a file cannot be written, which ends the run.
    fn observe(&mut self, event: &Event) -> Result<(), FileError>;
}

impl<F: FnMut(&Event) -> Result<(), FileError>> Observer for F {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        self(event)
    }
}
