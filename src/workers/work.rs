//! Work in pieces, each of which is a pure function of what it says.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::wire::Piece;
use mancala::progress::Progress;

/// A batch of work. The answers are bytes, the same ones whoever finds them, but for what their
/// [digest](Piece::digest) leaves out.
pub(super) trait Work: Sync {
    /// Why a piece cannot be done.
    type Error: Send;

    /// How many pieces there are.
    fn pieces(&self) -> usize;

    /// What the pieces have in common; empty, if that is nothing.
    fn ground(&self) -> Vec<u8>;

    /// Whether others may do it. What a clock decides is done here alone.
    fn is_shared(&self) -> bool;

    /// What stands for a piece elsewhere.
    fn piece(&self, number: usize) -> Piece;

    /// How much of the work a piece is: games, searches.
    fn weight(&self, number: usize) -> u64;

    /// Does a piece here. `None` if the progress stopped it.
    fn act(&self, number: usize, progress: &dyn Progress) -> Result<Option<Vec<u8>>, Self::Error>;

    /// Checks what was found elsewhere: by doing the piece, unless there is a cheaper way.
    fn check(
        &self,
        number: usize,
        _found: &[u8],
        progress: &dyn Progress,
    ) -> Result<Checked, Self::Error> {
        Ok(self.act(number, progress)?.map_or(Checked::Stopped, Checked::Done))
    }
}

/// What came of a check.
#[derive(Debug)]
pub(super) enum Checked {
    /// The progress stopped it.
    Stopped,
    /// The piece was done.
    Done(Vec<u8>),
    /// The answer is believed, or not.
    Judged(bool),
}

/// Does work on this thread alone, so that as much is done at a time as there are threads.
pub(super) fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(work)
}

/// A question that searches ask thousands of times a second, and whose answer costs more than that.
#[derive(Debug, Default)]
pub(super) struct Seldom {
    asked: AtomicU32,
    is_so: AtomicBool,
}

impl Seldom {
    /// Whether something was so when it was last looked at: once in so many times that it is asked.
    pub(super) fn ask(&self, look: impl FnOnce() -> bool) -> bool {
        if self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(256) && look() {
            self.is_so.store(true, Ordering::Relaxed);
        }
        self.is_so.load(Ordering::Relaxed)
    }
}
