//! Answers that are kept as long as what they were made of is the same.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Entries that are kept; then all are forgotten.
const MOST: usize = 2000;

/// Answers by name, each with the mark of what it was made of.
pub(super) struct Kept<K, M, T>(Mutex<HashMap<K, (M, T)>>);

impl<K, M, T> Default for Kept<K, M, T> {
    fn default() -> Self {
        Kept(Mutex::default())
    }
}

impl<K: Hash + Eq, M: PartialEq, T: Clone> Kept<K, M, T> {
    /// The answer of this name and mark, which is made if it is not there.
    pub(super) fn get_or(&self, name: impl Into<K>, mark: M, make: impl FnOnce() -> T) -> T {
        let name = name.into();
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = lock().get(&name).filter(|(of, _)| *of == mark) {
            return known.clone();
        }
        let made = make();
        let mut kept = lock();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(name, (mark, made.clone()));
        made
    }
}
