//! Limits how many expensive tasks run at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::{ApiError, ApiResult};
use crate::terminal::Interrupt;
use mancala::progress::Progress;

const SEARCH_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time that a request waits before its task starts.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs a limited number of blocking tasks at a time, and lets a limited number of requests wait.
pub(super) struct Limiter {
    running: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Limiter {
    pub(super) fn new(running: usize, waiting: usize) -> Limiter {
        Limiter { running: Arc::new(Semaphore::new(running)), waiting: Semaphore::new(waiting) }
    }

    /// Runs a task once a slot is free. If the client disconnects, the future is dropped, which asks the task to stop.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        task: impl FnOnce(&dyn Progress) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let busy = || ApiError::busy("the server is busy; try again later");
        let waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let running = timeout(QUEUE_TIMEOUT, Arc::clone(&self.running).acquire_owned()).await;
        let Ok(Ok(running)) = running else { return Err(busy()) };
        drop(waiting);
        let interrupt = Interrupt::default();
        interrupt.set_after(SEARCH_TIMEOUT);
        let _cancel = CancelOnDrop(interrupt.clone());
        let result = spawn_blocking(move || {
            // Occupy the slot until the task ends, even if the client disconnects before.
            let _running = running;
            task(&interrupt)
        });
        result.await.map_err(|_| ApiError::internal("the request failed; this is a bug in ayo"))
    }
}

struct CancelOnDrop(Interrupt);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}
