//! Runs tasks on several threads and delivers the results in order.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mancala::progress::Progress;

/// Runs tasks in the current rayon pool and calls `follow` with the results in the order of the tasks. Tasks are
/// usually games, which differ in length, so each thread takes one task at a time. `work` returns `None` if its
/// progress observer requests a stop. We stop early if `follow` returns `Break`, if `progress` requests a stop, or if a
/// task fails. In the last case, we return the task's error.
pub(crate) fn fan_out<T: Send, E: Send>(
    tasks: usize,
    progress: &dyn Progress,
    work: impl Fn(usize, &dyn Progress) -> Result<Option<T>, E> + Sync,
    follow: impl FnMut(T) -> ControlFlow<()> + Send,
) -> Result<(), E> {
    let results = Results { due: 0, early: BTreeMap::new(), follow: Some(follow), failed: None };
    let work = Work {
        tasks,
        work,
        progress,
        next: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        cancelled: AtomicBool::new(false),
        results: Mutex::new(results),
    };
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads().min(tasks) {
            scope.spawn(|_| work.run());
        }
        work.run();
    });
    let results = work.results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.failed.map_or(Ok(()), Err)
}

/// Runs tasks in the current rayon pool, and returns the results in the order of the tasks. Each thread runs one task
/// at a time. If `progress` requests a stop, only the first few results are returned.
pub fn gather<T: Send, E: Send>(
    tasks: usize,
    progress: &dyn Progress,
    work: impl Fn(usize, &dyn Progress) -> Result<Option<T>, E> + Sync,
) -> Result<Vec<T>, E> {
    let mut results = Vec::with_capacity(tasks);
    let follow = |result| {
        results.push(result);
        ControlFlow::Continue(())
    };
    fan_out(tasks, progress, work, follow)?;
    Ok(results)
}

/// Like [`gather`], but for tasks that can't fail. `work` and this function return `None` if they were asked to stop.
pub fn gather_all<T: Send>(
    tasks: usize,
    progress: &dyn Progress,
    work: impl Fn(usize, &dyn Progress) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let Ok(results) =
        gather(tasks, progress, |task, progress| Ok::<_, Infallible>(work(task, progress)));
    (results.len() == tasks).then_some(results)
}

struct Work<'a, T, E, W, F> {
    tasks: usize,
    work: W,
    progress: &'a dyn Progress,
    /// The first task that no thread has taken yet.
    next: AtomicUsize,
    done: AtomicU64,
    cancelled: AtomicBool,
    results: Mutex<Results<T, E, F>>,
}

struct Results<T, E, F> {
    /// The task whose result has to be passed to `follow` next.
    due: usize,
    /// A map from task numbers to results that have to wait for the result of an earlier task.
    early: BTreeMap<usize, T>,
    /// The callback, or `None` while a thread is calling it and after it has returned `Break`.
    follow: Option<F>,
    failed: Option<E>,
}

impl<T: Send, E: Send, W, F> Work<'_, T, E, W, F>
where
    W: Fn(usize, &dyn Progress) -> Result<Option<T>, E> + Sync,
    F: FnMut(T) -> ControlFlow<()> + Send,
{
    fn run(&self) {
        while !self.should_stop() {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= self.tasks {
                return;
            }
            match (self.work)(task, self) {
                Ok(Some(result)) => {
                    let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                    self.progress.advance(done, self.tasks as u64);
                    self.deliver(task, result);
                }
                Ok(None) => return,
                Err(error) => {
                    self.cancelled.store(true, Ordering::Relaxed);
                    self.results().failed.get_or_insert(error);
                    return;
                }
            }
        }
    }

    /// Adds a result. Then passes all results that are due to `follow`, unless another thread is already doing so.
    fn deliver(&self, task: usize, result: T) {
        let mut results = self.results();
        results.early.insert(task, result);
        let Some(mut follow) = results.follow.take() else {
            return;
        };
        while let Some(result) = results.pop() {
            // We release the lock so that other threads can add results in the meantime.
            drop(results);
            if follow(result).is_break() {
                self.cancelled.store(true, Ordering::Relaxed);
                return;
            }
            results = self.results();
        }
        results.follow = Some(follow);
    }

    fn results(&self) -> MutexGuard<'_, Results<T, E, F>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, E, F> Results<T, E, F> {
    fn pop(&mut self) -> Option<T> {
        let result = self.early.remove(&self.due)?;
        self.due += 1;
        Some(result)
    }
}

impl<T: Send, E: Send, W: Sync, F: Send> Progress for Work<'_, T, E, W, F> {
    fn should_stop(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.progress.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use rayon::prelude::*;

    use super::*;
    use mancala::laws::on_threads as on;

    #[test]
    fn results_are_in_order_whatever_their_time() {
        let slow_at_first = |task: usize, _: &dyn Progress| {
            thread::sleep(Duration::from_millis(if task < 3 { 10 } else { 0 }));
            Some(task)
        };
        for threads in [1, 2, 8] {
            let found = on(threads, || gather_all(50, &(), slow_at_first)).unwrap();
            assert!(found.into_iter().eq(0..50), "{threads}");
        }
        assert!(gather_all(50, &(), slow_at_first).unwrap().into_iter().eq(0..50));
        assert_eq!(gather_all(0, &(), slow_at_first), Some(Vec::new()));
    }

    /// While the thread that calls `follow` waits for parallel work, it may execute other tasks.
    #[test]
    fn followers_and_tasks_may_run_parallel_work() {
        let mut sums = Vec::new();
        let follow = |task: usize| {
            sums.push((0..1000).into_par_iter().map(|n| n * task).sum::<usize>());
            ControlFlow::Continue(())
        };
        let work = |task, _: &dyn Progress| Ok::<_, Infallible>(Some(task));
        let Ok(()) = on(3, || fan_out(200, &(), work, follow));
        assert!(sums.into_iter().eq((0..200).map(|task| 499_500 * task)));

        let nested = |task: usize, progress: &dyn Progress| {
            let products = gather_all(20, progress, |inner, _| Some(task * inner))?;
            Some(products.iter().sum::<usize>())
        };
        let found = on(3, || gather_all(30, &(), nested)).unwrap();
        assert!(found.into_iter().eq((0..30).map(|task| 190 * task)));
    }

    #[test]
    fn an_error_ends_the_work() {
        let work =
            |task: usize, _: &dyn Progress| if task == 7 { Err("no") } else { Ok(Some(task)) };
        for threads in [1, 4] {
            let follow = |_| ControlFlow::Continue(());
            assert_eq!(on(threads, || fan_out(1000, &(), work, follow)), Err("no"));
        }
    }
}
