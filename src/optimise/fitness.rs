//! What a fitness strategy is.

use crate::optimise::genome::Chromosome;
use crate::run::trainer::End;
use mancala::progress::Progress;

/// The fitness of a population, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// A member's fitness, in the order of the members.
    pub fitness: Vec<u64>,
    /// Games that the strategy asked for.
    pub games_asked: u64,
    /// Games that had to be played, the others being repetitions.
    pub games_played: u64,
    /// Positions searched. A search that was made before may be recalled and then costs nothing; which
    /// of several games makes it first depends on the threads, and so does this number.
    pub nodes: u64,
}

/// A way to give members a fitness. It may remember; what it remembers is part of a run's checkpoint.
pub trait Fitness: Send {
    /// The fitness of generation `generation`. `None` if `control` stopped it: it then remembers
    /// nothing of the attempt.
    fn evaluate(
        &mut self,
        generation: u32,
        members: &[Chromosome],
        control: &dyn Control,
    ) -> Option<Evaluation>;
}

/// Watches a run from outside, and may stop it: in the middle of a generation as a [`Progress`],
/// between two of them by [`leave`](Control::leave).
pub trait Control: Progress {
    /// Whether to end the run before the next generation, and why.
    fn leave(&self) -> Option<End> {
        None
    }

    /// So many of the games that a generation needs have been played.
    fn games_played(&self, _played: u64, _of: u64) {}

    /// So many of the games of a measurement, or of the choice of a champion, have been played.
    fn games_measured(&self, _played: u64, _of: u64) {}
}

impl Control for () {}

/// The progress of a measurement, or of the choice of a champion, within a run.
pub struct Measured<'a>(pub &'a dyn Control);

impl Progress for Measured<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.0.games_measured(done, of);
    }

    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

/// Stops what is not a generation as soon as the run is to end: what a generation is given to finish
/// would be lost on games that are played again anyway.
pub struct AtOnce<'a>(pub &'a dyn Control);

impl Progress for AtOnce<'_> {
    fn should_stop(&self) -> bool {
        self.0.leave().is_some() || self.0.should_stop()
    }
}

impl Control for AtOnce<'_> {
    fn leave(&self) -> Option<End> {
        self.0.leave()
    }

    fn games_played(&self, played: u64, of: u64) {
        self.0.games_played(played, of);
    }

    fn games_measured(&self, played: u64, of: u64) {
        self.0.games_measured(played, of);
    }
}
