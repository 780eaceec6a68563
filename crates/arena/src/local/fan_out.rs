//! Work of many pieces on many threads, told of in order.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::games::Follow;
use mancala::progress::Progress;

/// Does the pieces of some work on the threads of the current pool, one piece a job, since games differ
/// too much in length for larger ones. `follow` is told of the results in the order of their numbers,
/// whatever is done at a time; nothing else waits meanwhile.
///
/// `work` does the piece of a number; `None` if the progress that it is given stopped it. The work ends
/// early if `follow` breaks off, `progress` stops it, or a piece fails.
///
/// # Errors
/// The first of a piece of work.
pub fn fan_out<T: Send, E: Send>(
    pieces: usize,
    progress: &dyn Progress,
    work: impl Fn(usize, &dyn Progress) -> Result<Option<T>, E> + Sync,
    follow: &mut Follow<T>,
) -> Result<(), E> {
    let results = Results { due: 0, early: VecDeque::new(), follow: Some(follow), failed: None };
    let work = Work {
        pieces,
        work,
        progress,
        next: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        enough: AtomicBool::new(false),
        results: Mutex::new(results),
    };
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads().min(pieces) {
            scope.spawn(|_| work.take_part());
        }
        work.take_part();
    });
    let results = work.results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.failed.map_or(Ok(()), Err)
}

/// The results of all pieces of some work in order, as [`fan_out`] does it. `None` if it was stopped.
///
/// # Errors
/// The first of a piece of work.
pub fn gather<T: Send, E: Send>(
    pieces: usize,
    progress: &dyn Progress,
    work: impl Fn(usize, &dyn Progress) -> Result<Option<T>, E> + Sync,
) -> Result<Option<Vec<T>>, E> {
    let mut results = Vec::with_capacity(pieces);
    let mut follow = |result| {
        results.push(result);
        ControlFlow::Continue(())
    };
    fan_out(pieces, progress, work, &mut follow)?;
    Ok((results.len() == pieces).then_some(results))
}

/// The same of work that cannot fail.
pub fn gather_all<T: Send>(
    pieces: usize,
    progress: &dyn Progress,
    work: impl Fn(usize, &dyn Progress) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let Ok(results) =
        gather(pieces, progress, |piece, progress| Ok::<_, Infallible>(work(piece, progress)));
    results
}

/// Work that is being done.
struct Work<'a, 'f, T, E, W> {
    pieces: usize,
    work: W,
    progress: &'a dyn Progress,
    /// The next piece that no thread has taken.
    next: AtomicUsize,
    done: AtomicU64,
    /// Whether whatever is still being done has become pointless.
    enough: AtomicBool,
    results: Mutex<Results<'a, 'f, T, E>>,
}

/// Results on their way.
struct Results<'a, 'f, T, E> {
    /// The number of the piece that is told of next.
    due: usize,
    /// The results from it on that are there.
    early: VecDeque<Option<T>>,
    /// Absent while a thread tells of results, and when all that are wanted have been told of.
    follow: Option<&'a mut Follow<'f, T>>,
    failed: Option<E>,
}

impl<'a, 'f, T: Send, E: Send, W> Work<'a, 'f, T, E, W>
where
    W: Fn(usize, &dyn Progress) -> Result<Option<T>, E> + Sync,
{
    /// Does one piece after another until there is none left.
    fn take_part(&self) {
        while !self.should_stop() {
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.pieces {
                return;
            }
            match (self.work)(piece, self) {
                Ok(Some(result)) => {
                    let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                    self.progress.advance(done, self.pieces as u64);
                    self.deliver(piece, result);
                }
                Ok(None) => return,
                Err(error) => {
                    self.enough.store(true, Ordering::Relaxed);
                    self.results().failed.get_or_insert(error);
                    return;
                }
            }
        }
    }

    /// Tells of what is due, unless another thread is telling already: it will tell of this too.
    fn deliver(&self, piece: usize, result: T) {
        let mut results = self.results();
        results.put(piece, result);
        let Some(follow) = results.follow.take() else {
            return;
        };
        while let Some(result) = results.pop() {
            // Others put their results meanwhile.
            drop(results);
            if follow(result).is_break() {
                self.enough.store(true, Ordering::Relaxed);
                return;
            }
            results = self.results();
        }
        results.follow = Some(follow);
    }

    fn results(&self) -> MutexGuard<'_, Results<'a, 'f, T, E>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, E> Results<'_, '_, T, E> {
    fn put(&mut self, piece: usize, result: T) {
        let place = piece - self.due;
        while self.early.len() <= place {
            self.early.push_back(None);
        }
        self.early[place] = Some(result);
    }

    /// The result that is due, if it is there.
    fn pop(&mut self) -> Option<T> {
        let result = self.early.front_mut()?.take()?;
        self.early.pop_front();
        self.due += 1;
        Some(result)
    }
}

/// Stops for the progress, or when no more results are wanted.
impl<T: Send, E: Send, W: Sync> Progress for Work<'_, '_, T, E, W> {
    fn should_stop(&self) -> bool {
        self.enough.load(Ordering::Relaxed) || self.progress.should_stop()
    }
}

#[cfg(test)]
mod tests;
