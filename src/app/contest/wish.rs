//! Ending a contest by a file beside its games.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::run::StopFile;
use mancala::progress::Progress;

/// How often the file is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A progress that also ends the work once a file asks for it.
pub(super) struct Wish<'a> {
    progress: &'a dyn Progress,
    file: Option<StopFile>,
    begun: Instant,
    /// Milliseconds after which the file is looked for again.
    next: AtomicU64,
    asked: AtomicBool,
}

impl<'a> Wish<'a> {
    /// Ends the work when `progress` does.
    pub(super) fn new(progress: &'a dyn Progress) -> Wish<'a> {
        let (begun, next) = (Instant::now(), AtomicU64::new(0));
        Wish { progress, file: None, begun, next, asked: AtomicBool::new(false) }
    }

    /// Ends it when this file appears, too. Whoever calls this holds the lock that belongs to the file, so that one
    /// that is there was meant for another process.
    pub(super) fn or_by(&mut self, file: StopFile) {
        forget(&file);
        self.file = Some(file);
    }

    /// Removes the file: the work has ended. It is called before the lock is given back.
    pub(super) fn ended(&self) {
        self.file.iter().for_each(forget);
    }

    /// Whether it is time to look, of all threads for one.
    fn is_due(&self) -> bool {
        let now = self.begun.elapsed().as_millis() as u64;
        let next = self.next.load(Ordering::Relaxed);
        let after = now + LOOK_EVERY.as_millis() as u64;
        let exchange = || {
            self.next.compare_exchange(next, after, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        };
        now >= next && exchange()
    }
}

impl Progress for Wish<'_> {
    fn advance(&self, done: u64, of: u64) {
        self.progress.advance(done, of);
    }

    fn should_stop(&self) -> bool {
        if let Some(file) = &self.file
            && !self.asked.load(Ordering::Relaxed)
            && self.is_due()
            && file.exists()
        {
            self.asked.store(true, Ordering::Relaxed);
        }
        self.asked.load(Ordering::Relaxed) || self.progress.should_stop()
    }
}

/// A file that cannot be removed is no reason to lose games: it ends a match at once, which says that it was
/// interrupted.
fn forget(file: &StopFile) {
    let _ = file.remove();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_appears_ends_the_work_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let file = StopFile::beside(&folder.path().join("a.games"));
        file.create().unwrap();
        assert!(folder.path().join("a.games.stop").exists());
        let mut wish = Wish::new(&());
        wish.or_by(file.clone());
        assert!(!file.exists() && !wish.should_stop());
        file.create().unwrap();
        assert!(!wish.should_stop(), "it is not looked for all the time");
        std::thread::sleep(LOOK_EVERY);
        assert!(wish.should_stop());
        wish.ended();
        assert!(!file.exists() && wish.should_stop());
    }
}
