//! What happens in a run, and what is told of it.

use super::statistics::Statistics;
use super::stop::End;
use super::strength::Measurement;
use super::trainer::Trainer;
use mancala::store::FileError;

/// What a generation cost; the only thing about it that may differ between machines and between two
/// runs on one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Positions searched. A search that was made before may be recalled and then costs nothing; which
    /// of several games makes it first depends on the threads, and so does this number.
    pub nodes: u64,
    /// Seconds on the clock.
    pub seconds: f64,
}

/// A part of a run, whose progress is counted in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The evaluation of this generation.
    Generation(u32),
    /// The same, which begins with the features that it weighs being learned.
    Learning(u32),
    /// The measurement of strength.
    Measuring,
    /// The choice of the champion.
    Finals,
}

impl Part {
    /// The generation that it is a part of.
    pub fn generation(self) -> Option<u32> {
        match self {
            Part::Generation(generation) | Part::Learning(generation) => Some(generation),
            Part::Measuring | Part::Finals => None,
        }
    }
}

/// What observers are told.
#[derive(Debug)]
pub enum Event<'a> {
    /// A part of the run begins.
    Begins(Part),
    /// A generation has been evaluated; the trainer holds it.
    Generation {
        /// The trainer after it.
        trainer: &'a Trainer,
        /// The generation in numbers.
        statistics: &'a Statistics,
        /// What it cost.
        cost: Cost,
    },
    /// The strength of a generation's champion has been measured.
    Measured {
        /// The trainer, which may have gone further since.
        trainer: &'a Trainer,
        /// What was measured.
        measurement: &'a Measurement,
    },
    /// Training stops here.
    End {
        /// The trainer as it stops.
        trainer: &'a Trainer,
        /// Why it stops.
        end: End,
    },
}

/// Told of what happens in a run: a folder, a progress bar.
pub trait Observer {
    /// Takes note of an event.
    ///
    /// # Errors
    /// A file that could not be written. It ends the run.
    fn observe(&mut self, event: &Event) -> Result<(), FileError>;
}
