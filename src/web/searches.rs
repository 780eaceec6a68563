//! Searches that requests ask for: so many at once, so long each, and none for a client that is gone.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::answer::Refusal;
use mancala::progress::Progress;

/// No search takes longer.
const LONGEST: Duration = Duration::from_secs(30);
/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(20);
/// Requests that may wait.
const WAITING: usize = 64;

/// Lets as many searches run as there are cores.
pub(super) struct Searches {
    turns: Arc<Semaphore>,
    seats: Arc<Semaphore>,
}

impl Default for Searches {
    fn default() -> Searches {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Searches {
            turns: Arc::new(Semaphore::new(cores)),
            seats: Arc::new(Semaphore::new(cores + WAITING)),
        }
    }
}

impl Searches {
    /// Does work that may search, on a thread of its own. It is stopped when the future is dropped, as that of a
    /// client that is gone is.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Progress) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = || Refusal::busy("too many searches are under way; ask again in a moment");
        let _seat = self.seats.clone().try_acquire_owned().map_err(|_| busy())?;
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else { return Err(busy()) };
        let watch = Watch { gone: Arc::default(), until: Instant::now() + LONGEST };
        let _stop = StopWhenDropped(Arc::clone(&watch.gone));
        let done = spawn_blocking(move || {
            // It is kept until the search has ended, whether or not anybody waits for it.
            let _turn = turn;
            work(&watch)
        });
        done.await.map_err(|_| Refusal::failed("the search failed; this is a defect of ayo"))
    }
}

struct Watch {
    gone: Arc<AtomicBool>,
    until: Instant,
}

impl Progress for Watch {
    fn should_stop(&self) -> bool {
        self.gone.load(Ordering::Relaxed) || Instant::now() >= self.until
    }
}

struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
