//! Limits how much of the expensive work of requests runs at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::answer::Refusal;
use mancala::progress::Progress;

/// The longest time that a search takes.
const LONGEST: Duration = Duration::from_secs(30);
/// The longest time that a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a limited number of pieces of work at a time, while a limited number waits.
pub(super) struct Limiter {
    running: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Limiter {
    pub(super) fn new(running: usize, waiting: usize) -> Limiter {
        Limiter { running: Arc::new(Semaphore::new(running)), waiting: Semaphore::new(waiting) }
    }

    /// Waits for a turn, which lasts as long as the permit.
    ///
    /// # Errors
    /// If too many are waiting already, or the turn does not come in time.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let busy = || Refusal::busy("the server is busy; ask again in a moment");
        let _place = self.waiting.try_acquire().map_err(|_| busy())?;
        let turn = timeout(PATIENCE, Arc::clone(&self.running).acquire_owned()).await;
        turn.map_err(|_| busy())?.map_err(|_| busy())
    }

    /// Waits for a turn and does the work on a thread that may block.
    ///
    /// # Errors
    /// As [`Limiter::turn`], or if the work panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = self.turn().await?;
        let done = spawn_blocking(move || {
            // The turn lasts until the work has ended, even if the client has gone.
            let _turn = turn;
            work()
        });
        done.await.map_err(|_| Refusal::failed("the request failed; this is a defect of ayo"))
    }

    /// As [`Limiter::run`]. The work is asked to stop when the future is dropped, which happens when the client
    /// disconnects.
    ///
    /// # Errors
    /// As [`Limiter::run`].
    pub(super) async fn search<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Progress) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let gone: Arc<AtomicBool> = Arc::default();
        let _stop = StopWhenDropped(Arc::clone(&gone));
        self.run(move || work(&Watch { gone, until: Instant::now() + LONGEST })).await
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
