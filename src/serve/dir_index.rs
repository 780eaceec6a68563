//! Looks up entries of a folder by name. No path is ever built from a request: a name has
//! to be listed in the folder, and links that lead out of the folder are not listed.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder whose entries can be named in requests.
pub(super) struct DirIndex {
    pub(super) folder: PathBuf,
    is_entry: fn(&Path) -> bool,
}

impl DirIndex {
    /// Creates an index of the entries that `is_entry` accepts.
    pub(super) fn new(folder: &Path, is_entry: fn(&Path) -> bool) -> DirIndex {
        DirIndex { folder: folder.into(), is_entry }
    }

    /// Lists names and paths, sorted by name.
    pub(super) fn list(&self) -> Vec<(String, PathBuf)> {
        let mut entries: Vec<_> = self.named(|_| true).collect();
        entries.sort();
        entries
    }

    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        self.named(|entry| entry == name).next().map(|(_, path)| path)
    }

    fn named(&self, has_name: impl Fn(&str) -> bool) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entries =
            entries.filter_map(|it| Some((it.file_name().into_string().ok()?, it.path())));
        entries.filter(move |(name, path)| {
            let is_visible = !name.starts_with('.') && has_name(name);
            is_visible && self.is_inside(path) && (self.is_entry)(path)
        })
    }

    fn is_inside(&self, path: &Path) -> bool {
        if !path.is_symlink() {
            return true;
        }
        let (target, folder) = (path.canonicalize(), self.folder.canonicalize());
        target.is_ok_and(|target| folder.is_ok_and(|folder| target.starts_with(folder)))
    }
}
