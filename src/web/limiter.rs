//! Limits how much of the expensive work of requests runs at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use super::answer::Refusal;
use mancala::progress::Progress;

/// The longest time that a search takes.
const LONGEST: Duration = Duration::from_secs(30);
/// The longest time that a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(20);

type Job = Box<dyn FnOnce() + Send>;

/// Work on a few threads, which may block, while a limited number of requests waits. The number of threads is fixed,
/// since the allocator keeps memory for each thread.
pub(super) struct Limiter {
    jobs: Sender<Job>,
    idle: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Limiter {
    /// Starts the threads.
    ///
    /// # Errors
    /// If the system refuses them.
    pub(super) fn new(threads: usize, waiting: usize) -> io::Result<Limiter> {
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let queue = Arc::clone(&queue);
            thread::Builder::new().spawn(move || {
                while let Some(job) = next(&queue) {
                    // The request whose work panics gets an error.
                    let _ = catch_unwind(AssertUnwindSafe(job));
                }
            })?;
        }
        let (idle, waiting) = (Arc::new(Semaphore::new(threads)), Semaphore::new(waiting));
        Ok(Limiter { jobs, idle, waiting })
    }

    /// Waits for a thread and does the work. The work has to stop when the future is dropped, which happens when the
    /// client disconnects.
    ///
    /// # Errors
    /// If too many requests are waiting already, no thread becomes idle in time, or the work panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Progress) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = || Refusal::busy("the server is busy; ask again in a moment");
        let place = self.waiting.try_acquire().map_err(|_| busy())?;
        let turn = timeout(PATIENCE, Arc::clone(&self.idle).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else { return Err(busy()) };
        drop(place);
        let watch = Watch { gone: Arc::default(), until: Instant::now() + LONGEST };
        let _stop = StopWhenDropped(Arc::clone(&watch.gone));
        let (done, result) = oneshot::channel();
        let runtime = Handle::current();
        let job = move || {
            let _context = runtime.enter();
            // It lasts until the work has ended, even if the client has gone and nobody receives the result.
            let _turn = turn;
            let _ = done.send(work(&watch));
        };
        // A job that is not sent drops `done`, as one that panics does.
        let _ = self.jobs.send(Box::new(job));
        result.await.map_err(|_| Refusal::failed("the request failed; this is a defect of ayo"))
    }
}

fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
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
