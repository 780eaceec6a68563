//! Looks up entries of a folder by name. No path is ever built from a request: a name has
//! to be listed in the folder, and links that lead out of the folder are not listed.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder whose entries requests may name.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_entries_are_found() {
        let top = tempfile::tempdir().unwrap();
        let (inside, outside) = (top.path().join("in"), top.path().join("out"));
        fs::create_dir_all(inside.join("a b")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(inside.join("file"), "").unwrap();
        let index = DirIndex::new(&inside, Path::is_dir);
        assert_eq!(index.find("a b"), Some(inside.join("a b")));
        for name in ["", ".", "..", "../out", "a b/..", "a b/", "/", "file", "A B"] {
            assert_eq!(index.find(name), None, "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
            std::os::unix::fs::symlink(inside.join("a b"), inside.join("same")).unwrap();
            assert_eq!(index.find("link"), None);
            assert!(index.find("same").is_some());
        }
    }
}
