//! Runs many short tasks on all threads. The threads don't sleep between tasks, because waking them up is slow.

// We need unsafe code, because the compiler can't check that threads stop using a task before its lifetime ends.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::hint::spin_loop;
use std::mem::transmute;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::yield_now;

/// The number of times that a waiting thread polls before it starts to yield.
const SPINS: u32 = 1000;

type Task<'a> = &'a (dyn Fn(usize) + Sync);

/// A handle to the threads in the current rayon pool, which wait for tasks.
pub(super) struct Team<'a>(&'a Shared);

struct Shared {
    /// The number of tasks in this round that no thread has taken yet.
    open: AtomicU32,
    finished: AtomicU32,
    /// The function that runs a task of this round. We only replace it while no tasks are waiting or running. A thread
    /// only calls it between taking a task and counting the task as finished.
    task: UnsafeCell<Task<'static>>,
    is_over: AtomicBool,
}

// SAFETY: Accesses to `task` are ordered by `open` and `finished`. The other fields are atomic.
unsafe impl Sync for Shared {}

impl Team<'_> {
    /// Calls `lead` with a team of all threads in the current pool. A busy thread joins the team when it becomes free.
    pub(super) fn with<R>(lead: impl FnOnce(&mut Team) -> R) -> R {
        let shared = Shared {
            open: AtomicU32::new(0),
            finished: AtomicU32::new(0),
            task: UnsafeCell::new(&|_| ()),
            is_over: AtomicBool::new(false),
        };
        rayon::in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| shared.work());
            let _end = OnDrop(|| shared.is_over.store(true, Ordering::Relaxed));
            lead(&mut Team(&shared))
        })
    }

    /// Calls `task` for each number below `count`, on any thread and in any order. Returns when all calls are done.
    pub(super) fn for_each(&mut self, count: usize, task: Task<'_>) {
        let shared = self.0;
        let count = u32::try_from(count).expect("a number of tasks below 2³²");
        // SAFETY: No earlier task is waiting or running, so no thread reads the function now. `finish` waits until no
        // thread can call the new function any more, even after a panic, so it isn't used after its lifetime ends.
        unsafe { *shared.task.get() = transmute::<Task<'_>, Task<'static>>(task) };
        shared.finished.store(0, Ordering::Relaxed);
        shared.open.store(count, Ordering::Release);
        let _finish = OnDrop(|| shared.finish(count));
        while shared.run_one() {}
    }
}

impl Shared {
    fn work(&self) {
        let mut spins = 0;
        while !self.is_over.load(Ordering::Relaxed) {
            if self.run_one() { spins = 0 } else { pause(&mut spins) }
        }
    }

    /// Takes a task and runs it. Returns `false` if there is no task left to take.
    fn run_one(&self) -> bool {
        let take = |open: u32| open.checked_sub(1);
        let Ok(open) = self.open.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take) else {
            return false;
        };
        let _finish = OnDrop(|| _ = self.finished.fetch_add(1, Ordering::Release));
        // SAFETY: This thread has taken a task but not finished it, so the function is neither replaced nor dropped.
        let task = unsafe { *self.task.get() };
        task(open as usize - 1);
        true
    }

    /// Discards the tasks that no thread has taken (only a panic leaves any), and waits for all tasks that are running.
    fn finish(&self, count: u32) {
        let withdrawn = self.open.swap(0, Ordering::AcqRel);
        let mut spins = 0;
        while self.finished.load(Ordering::Acquire) + withdrawn < count {
            pause(&mut spins);
        }
    }
}

fn pause(spins: &mut u32) {
    *spins += 1;
    if *spins < SPINS { spin_loop() } else { yield_now() }
}

/// Calls a function when it is dropped, even during a panic.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use mancala::laws::on_threads;

    use super::*;

    #[test]
    fn each_task_runs_once_and_before_the_next_round() {
        for threads in [1, 2, 5] {
            on_threads(threads, || {
                Team::with(|team| {
                    for round in 0..2000 {
                        let counts: Vec<_> = (0..round % 9).map(|_| Mutex::new(0)).collect();
                        team.for_each(counts.len(), &|task| *counts[task].lock().unwrap() += 1);
                        assert!(counts.into_iter().all(|count| count.into_inner().unwrap() == 1));
                    }
                });
            });
        }
    }

    #[test]
    fn a_panic_ends_the_team() {
        let run = |panicking: usize| {
            let work = |team: &mut Team| team.for_each(50, &|task| assert_ne!(task, panicking));
            on_threads(3, || Team::with(work));
        };
        run(50);
        for panicking in [0, 20, 49] {
            assert!(catch_unwind(AssertUnwindSafe(|| run(panicking))).is_err());
        }
    }
}
