//! A cache of answers, each valid as long as the files that it was made from do not change.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Answers by name, each with the mark of the files that it was made from.
pub(super) struct Cache<M, T> {
    entries: Mutex<HashMap<String, Entry<M, T>>>,
    /// The most entries; then all are removed.
    most: usize,
}

struct Entry<M, T> {
    answer: T,
    mark: M,
    /// When the files were last known to have this mark.
    checked: Instant,
}

impl<M: PartialEq, T: Clone> Cache<M, T> {
    pub(super) fn new(most: usize) -> Cache<M, T> {
        Cache { entries: Mutex::default(), most }
    }

    /// Returns an answer that is at least as new as `since`, and makes it only if the mark has changed.
    ///
    /// # Errors
    /// As `make`.
    pub(super) fn get_or<E>(
        &self,
        name: &str,
        since: Instant,
        mark: impl Fn() -> M,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // Before the files are read, so that what is written meanwhile counts as a change.
        let checked = Instant::now();
        if let Some(entry) = self.entries().get_mut(name) {
            if entry.checked < since && entry.mark == mark() {
                entry.checked = checked;
            }
            if entry.checked >= since {
                return Ok(entry.answer.clone());
            }
        }
        let mark = mark();
        let answer = make()?;
        let entry = Entry { answer: answer.clone(), mark, checked };
        let mut entries = self.entries();
        if entries.len() >= self.most {
            entries.clear();
        }
        entries.insert(name.into(), entry);
        Ok(answer)
    }

    pub(super) fn remove(&self, name: &str) {
        self.entries().remove(name);
    }

    pub(super) fn clear(&self) {
        self.entries().clear();
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, Entry<M, T>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn an_answer_is_made_once_for_each_mark() {
        let (cache, made) = (Cache::new(2), Cell::new(0));
        let get = |mark: u32, since| {
            let make = || {
                made.set(made.get() + 1);
                Ok::<_, Infallible>(mark)
            };
            cache.get_or("a", since, || mark, make).unwrap()
        };
        let begun = Instant::now();
        assert_eq!((get(1, begun), made.get()), (1, 1));
        // Another mark does not matter to a request that came before the answer was made.
        assert_eq!((get(2, begun), made.get()), (1, 1));
        assert_eq!((get(1, Instant::now()), made.get()), (1, 1));
        assert_eq!((get(2, Instant::now()), made.get()), (2, 2));
        cache.remove("a");
        assert_eq!((get(2, begun), made.get()), (2, 3));
    }
}
