//! How work that takes its time is watched, and ended early.

/// Watches work: told how much of it is done, asked whether to give up.
///
/// Work is told of by several threads at a time, so the calls may arrive out of order. Neither call may
/// change what the work comes to, only whether it ends.
///
/// ```
/// use mancala::progress::Progress;
/// struct AtMost(u64);
/// impl Progress for AtMost {
///     fn advance(&self, done: u64, of: u64) {
///         println!("{done} of {of}");
///     }
/// }
/// assert!(!AtMost(3).should_stop());
/// ```
pub trait Progress: Sync {
    /// `done` of `of` pieces of the work at hand are done. The unit is that of the work: games,
    /// positions, openings.
    fn advance(&self, _done: u64, _of: u64) {}

    /// Whether to give up. What the work has found so far is thrown away.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Watches nothing and never stops.
impl Progress for () {}

/// Watches a part of some larger work, and tells of the whole.
///
/// ```
/// use mancala::progress::{Part, Progress};
/// struct Whole;
/// impl Progress for Whole {
///     fn advance(&self, done: u64, of: u64) {
///         assert_eq!((done, of), (12, 30));
///     }
/// }
/// Part { whole: &Whole, before: 10, of: 30 }.advance(2, 5);
/// ```
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// Watches the whole.
    pub whole: &'a dyn Progress,
    /// Pieces of the whole that were done before this part.
    pub before: u64,
    /// Pieces of the whole.
    pub of: u64,
}

impl Progress for Part<'_> {
    fn advance(&self, done: u64, _of: u64) {
        self.whole.advance(self.before + done, self.of);
    }

    fn should_stop(&self) -> bool {
        self.whole.should_stop()
    }
}
