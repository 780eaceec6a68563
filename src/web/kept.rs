//! Answers that are kept as long as what they were made of is the same.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Entries that are kept; then all are forgotten.
const MOST: usize = 2000;

/// How long an answer counts without another look at what it was made of. A run changes many times a second, and many
/// pages may follow it.
const FRESH: Duration = Duration::from_millis(250);

/// Answers by name, each with the mark of what it was made of.
pub(super) struct Kept<M, T>(Mutex<HashMap<String, Answer<M, T>>>);

struct Answer<M, T> {
    made: T,
    of: M,
    looked: Instant,
}

impl<M, T> Default for Kept<M, T> {
    fn default() -> Self {
        Kept(Mutex::default())
    }
}

impl<M: PartialEq, T: Clone> Kept<M, T> {
    /// The answer of this name, which is made anew where the mark is another than it was.
    pub(super) fn get_or(
        &self,
        name: &str,
        mark: impl FnOnce() -> M,
        make: impl FnOnce() -> T,
    ) -> T {
        if let Some(known) = self.with(|kept| Some(kept.get(name)?.fresh()?.made.clone())) {
            return known;
        }
        let (of, looked) = (mark(), Instant::now());
        let known = self.with(|kept| {
            let known = kept.get_mut(name).filter(|known| known.of == of)?;
            known.looked = looked;
            Some(known.made.clone())
        });
        known.unwrap_or_else(|| {
            let made = make();
            self.with(|kept| {
                if kept.len() >= MOST {
                    kept.clear();
                }
                kept.insert(name.into(), Answer { made: made.clone(), of, looked });
            });
            made
        })
    }

    /// Has the next answer of this name made anew.
    pub(super) fn forget(&self, name: &str) {
        self.with(|kept| kept.remove(name));
    }

    fn with<R>(&self, work: impl FnOnce(&mut HashMap<String, Answer<M, T>>) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<M, T> Answer<M, T> {
    fn fresh(&self) -> Option<&Self> {
        (self.looked.elapsed() < FRESH).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::thread::sleep;

    use super::*;

    #[test]
    fn an_answer_is_made_anew_when_its_mark_is_another() {
        let (kept, made) = (Kept::default(), Cell::new(0));
        let get = |mark: u32| {
            kept.get_or(
                "a",
                || mark,
                || {
                    made.set(made.get() + 1);
                    mark
                },
            )
        };
        assert_eq!((get(1), get(1), made.get()), (1, 1, 1));
        kept.forget("a");
        assert_eq!((get(1), made.get()), (1, 2));
        sleep(FRESH);
        assert_eq!((get(1), made.get()), (1, 2));
        sleep(FRESH);
        assert_eq!((get(2), made.get()), (2, 3));
    }
}
