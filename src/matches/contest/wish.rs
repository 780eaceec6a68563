//! Ending a contest by a file beside its games.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use evolve::run::StopFile;
use mancala::progress::Progress;
use mancala::store::Log;

/// How often the file is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A progress that also ends the work once a file asks for it.
pub(crate) struct Wish<'a> {
    progress: &'a dyn Progress,
    file: Option<StopFile>,
    begun: Instant,
    /// Milliseconds after which the file is looked for again.
    next: AtomicU64,
    asked: AtomicBool,
}

impl<'a> Wish<'a> {
    /// Ends the work when `progress` does, or when a file beside these games asks for it. One that was left is removed
    /// here, before the file of games is opened: once it is, whoever sees it may ask. While another process plays, it
    /// is that one which is asked.
    pub(crate) fn new(progress: &'a dyn Progress, games: Option<&Path>) -> Wish<'a> {
        let file = games.map(StopFile::beside);
        if games.is_some_and(|games| !Log::is_open(games)) {
            file.iter().for_each(forget);
        }
        let (begun, next) = (Instant::now(), AtomicU64::new(0));
        Wish { progress, file, begun, next, asked: AtomicBool::new(false) }
    }

    /// Removes the file: the work has ended. It is called before the lock is given back.
    pub(crate) fn ended(&self) {
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
        let games = folder.path().join("a.games");
        let file = StopFile::beside(&games);
        file.create().unwrap();
        assert!(folder.path().join("a.games.stop").exists());
        let wish = Wish::new(&(), Some(&games));
        assert!(!file.exists() && !wish.should_stop());
        file.create().unwrap();
        assert!(!wish.should_stop(), "it is not looked for all the time");
        std::thread::sleep(LOOK_EVERY);
        assert!(wish.should_stop());
        wish.ended();
        assert!(!file.exists() && wish.should_stop());
    }

    #[test]
    fn what_another_process_is_asked_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("a.games");
        let _other = Log::open(&games).unwrap().unwrap();
        let file = StopFile::beside(&games);
        file.create().unwrap();
        let _refused = Wish::new(&(), Some(&games));
        assert!(file.exists());
    }
}
