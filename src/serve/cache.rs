//! A cache of values that are valid until the files that they were computed from change.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Instant, SystemTime};

use mancala::store::Lock;

use crate::lock;

/// Length and modification time of a file, or `None` if it does not exist.
pub(super) type FileStamp = Option<(u64, SystemTime)>;

pub(super) fn file_stamp(path: &Path) -> FileStamp {
    let data = path.metadata().ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// The files of a run folder, and whether a process is writing to it.
pub(super) type FolderStamp = (Vec<(String, FileStamp)>, bool);

pub(super) fn folder_stamp(folder: &Path) -> FolderStamp {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), file_stamp(&entry.path()))
    };
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    (files, Lock::is_held(folder))
}

/// Cached values by name, each with the stamp of the files it was computed from.
pub(super) struct Cache<S, T> {
    entries: Mutex<HashMap<String, Entry<S, T>>>,
    /// Maximum number of entries. When the cache is full, all entries are removed.
    capacity: usize,
}

struct Entry<S, T> {
    value: T,
    stamp: S,
    /// When the files were last seen with this stamp.
    checked: Instant,
}

impl<S: PartialEq, T: Clone> Cache<S, T> {
    pub(super) fn new(capacity: usize) -> Cache<S, T> {
        Cache { entries: Mutex::default(), capacity }
    }

    /// Returns a value that was valid at `since` or later. Unless the cached value is, the stamp is computed, and the
    /// value is computed again if the stamp has changed.
    pub(super) fn get_or<E>(
        &self,
        name: &str,
        since: Instant,
        stamp: impl Fn() -> S,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // Take the time before reading the files. A write in the meantime then counts as a change.
        let checked = Instant::now();
        if let Some(entry) = lock(&self.entries).get_mut(name) {
            if entry.checked < since && entry.stamp == stamp() {
                entry.checked = checked;
            }
            if entry.checked >= since {
                return Ok(entry.value.clone());
            }
        }
        let stamp = stamp();
        let value = make()?;
        let mut entries = lock(&self.entries);
        if entries.len() >= self.capacity {
            entries.clear();
        }
        entries.insert(name.into(), Entry { value: value.clone(), stamp, checked });
        Ok(value)
    }

    pub(super) fn remove(&self, name: &str) {
        lock(&self.entries).remove(name);
    }

    pub(super) fn clear(&self) {
        lock(&self.entries).clear();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn a_value_is_made_once_for_each_stamp() {
        let (cache, made) = (Cache::new(2), Cell::new(0));
        let get = |stamp: u32, since| {
            let make = || {
                made.set(made.get() + 1);
                Ok::<_, Infallible>(stamp)
            };
            cache.get_or("a", since, || stamp, make).unwrap()
        };
        let begun = Instant::now();
        assert_eq!((get(1, begun), made.get()), (1, 1));
        // The stamp is not checked for a request that arrived before the value was computed.
        assert_eq!((get(2, begun), made.get()), (1, 1));
        assert_eq!((get(1, Instant::now()), made.get()), (1, 1));
        assert_eq!((get(2, Instant::now()), made.get()), (2, 2));
        cache.remove("a");
        assert_eq!((get(2, begun), made.get()), (2, 3));
    }
}
