//! The outcome of evaluating a generation.

/// What a generation came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evaluation {
    /// A member's fitness, in the order of the members.
    pub(super) fitness: Vec<u64>,
    /// Games that were asked for.
    pub(super) games_asked: u64,
    /// Games that had to be played, the others being repetitions.
    pub(super) games_played: u64,
}
