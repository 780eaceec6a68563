//! Threads: the shared pool, and work that Ctrl-C cancels.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, process, thread};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::position::Integer;

/// The interval at which waiting threads check for signals such as Ctrl-C.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// The shared pool, and the ID of the process that its threads belong to.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Locks a mutex, even if a thread has panicked while holding it.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a pool with this number of threads, or one per core by default.
pub(crate) fn new_pool(threads: Option<Integer>) -> PyResult<ThreadPool> {
    let threads = threads.map(|threads| threads.within("threads", 1..=1024)).transpose()?;
    let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let failed = |error| PyRuntimeError::new_err(format!("cannot start the threads: {error}"));
    builder.build().map_err(failed)
}

/// Returns a new pool if a number of threads is given, and otherwise the shared pool of this process. A forked process
/// gets a pool of its own, because threads do not survive a fork.
pub(crate) fn pool(threads: Option<Integer>) -> PyResult<Arc<ThreadPool>> {
    if threads.is_some() {
        return new_pool(threads).map(Arc::new);
    }
    let mut shared = lock(&SHARED);
    if let Some((of, pool)) = &*shared
        && *of == process::id()
    {
        return Ok(Arc::clone(pool));
    }
    let pool = Arc::new(new_pool(None)?);
    // The threads of the parent's pool do not exist here, so dropping the pool would wait for them forever.
    mem::forget(shared.replace((process::id(), Arc::clone(&pool))));
    Ok(pool)
}

/// Runs `work`, on a pool if there is one, without holding the interpreter lock. A signal such as Ctrl-C cancels the
/// work and raises the exception for this signal.
pub(crate) fn run<T: Send>(
    py: Python,
    pool: Option<&ThreadPool>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    run_and_report(py, pool, |_| Ok(()), work)
}

/// Like [`run`], but also calls `report` at every tick, on this thread. An exception that it raises cancels the work.
pub(crate) fn run_and_report<T: Send>(
    py: Python,
    pool: Option<&ThreadPool>,
    mut report: impl FnMut(Python) -> PyResult<()> + Send,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let (cancel, mut signal) = (AtomicBool::new(false), Ok(()));
    let worked = py.detach(|| {
        if rayon::current_thread_index().is_some() {
            // A Python player called this during a game, so all threads of the pool may be blocked here.
            return catch_unwind(AssertUnwindSafe(|| work(&cancel)));
        }
        thread::scope(|scope| {
            let (sender, ended) = mpsc::channel::<()>();
            let cancel = &cancel;
            let worker = scope.spawn(move || {
                let _sender = sender;
                match pool {
                    Some(pool) => pool.install(|| work(cancel)),
                    None => work(cancel),
                }
            });
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let tick = |py: Python| match &signal {
                    Ok(()) => py.check_signals().and_then(|()| report(py)),
                    Err(_) => py.check_signals(),
                };
                if let Err(error) = Python::attach(tick) {
                    cancel.store(true, Ordering::Relaxed);
                    signal = Err(error);
                }
            }
            worker.join()
        })
    });
    signal?;
    worked.map_err(|cause| panicked(&*cause))
}

/// Describes a panic as a Python exception.
pub(crate) fn panicked(cause: &(dyn Any + Send)) -> PyErr {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or(cause.downcast_ref::<&str>().copied()).unwrap_or("unknown cause");
    PyRuntimeError::new_err(format!("internal error: {text}"))
}
