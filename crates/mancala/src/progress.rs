//! How work that takes its time is watched, and ended early.

use std::sync::atomic::{AtomicU64, Ordering};

/// Watches work: hears how much of it is done, and may end it.
///
/// Several threads may report at a time, so the calls can arrive out of order. Neither call may change
/// the result of the work, only whether it comes to its end.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use mancala::{endgame::{BuildPlan, build}, game::ayo::Rules, progress::Progress};
///
/// #[derive(Default)]
/// struct Most(AtomicU64);
/// impl Progress for Most {
///     fn advance(&self, done: u64, of: u64) {
///         self.0.fetch_max(100 * done / of, Ordering::Relaxed);
///     }
/// }
/// let folder = std::env::temp_dir().join(format!("mancala-{}", std::process::id()));
/// let percent = Most::default();
/// build(&BuildPlan::new(Rules::AWARI, 3, &folder)?, &percent, |_| ())?;
/// assert_eq!(percent.0.into_inner(), 100);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Progress: Sync {
    /// `done` of `of` pieces of the work at hand are done. The unit is that of the work: games,
    /// positions, openings.
    fn advance(&self, _done: u64, _of: u64) {}

    /// Whether to give up. What the work has found so far is thrown away, unless it says otherwise.
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

/// Stops work when another progress would, and tells it nothing.
#[derive(Clone, Copy)]
pub struct Muted<'a>(pub &'a dyn Progress);

impl Progress for Muted<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

/// Adds up what several threads have done of one piece of work.
pub(crate) struct Counter<'a> {
    progress: &'a dyn Progress,
    done: AtomicU64,
    of: u64,
}

impl<'a> Counter<'a> {
    /// A counter that stands at nothing `of` so many.
    pub(crate) fn new(progress: &'a dyn Progress, of: u64) -> Counter<'a> {
        Counter { progress, done: AtomicU64::new(0), of }
    }

    /// So many more are done.
    pub(crate) fn add(&self, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.progress.advance(done, self.of);
    }

    /// Whether to give up.
    pub(crate) fn should_stop(&self) -> bool {
        self.progress.should_stop()
    }
}
