//! What lies in a folder, by names that serve as ids. An id is never joined into a path unless the folder lists
//! it, and a link that leads out of the folder is not listed.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder whose entries requests may name.
pub(super) struct Shelf {
    folder: PathBuf,
    belongs: fn(&Path) -> bool,
}

impl Shelf {
    /// The entries of a folder that belong to it.
    pub(super) fn new(folder: &Path, belongs: fn(&Path) -> bool) -> Shelf {
        Shelf { folder: folder.into(), belongs }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Ids and paths of all entries, by id.
    pub(super) fn list(&self) -> Vec<(String, PathBuf)> {
        let mut found: Vec<_> = self.named(|_| true).collect();
        found.sort();
        found
    }

    /// The path of an entry.
    pub(super) fn find(&self, id: &str) -> Option<PathBuf> {
        self.named(|name| name == id).next().map(|(_, path)| path)
    }

    /// Ids and paths of the entries with such a name.
    fn named(&self, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entries =
            entries.filter_map(|it| Some((it.file_name().into_string().ok()?, it.path())));
        entries.filter(move |(name, path)| {
            let may_be_seen = !name.starts_with('.') && is_wanted(name);
            may_be_seen && self.is_inside(path) && (self.belongs)(path)
        })
    }

    fn is_inside(&self, path: &Path) -> bool {
        let is_link = path.symlink_metadata().is_ok_and(|it| it.file_type().is_symlink());
        let leads_in =
            || Some(path.canonicalize().ok()?.starts_with(self.folder.canonicalize().ok()?));
        !is_link || leads_in().unwrap_or(false)
    }
}

/// Whether a name can be given to something new: it begins with a letter or a digit, and has nothing in it that a
/// path, a command line or a page would take for more than a name.
pub(super) fn is_good_name(name: &str) -> bool {
    let is_good = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    name.len() <= 64
        && name.starts_with(|it: char| it.is_ascii_alphanumeric())
        && name.chars().all(is_good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_listed_is_found() {
        let top = tempfile::tempdir().unwrap();
        let (inside, outside) = (top.path().join("in"), top.path().join("out"));
        fs::create_dir_all(inside.join("a b")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(inside.join("file"), "").unwrap();
        let shelf = Shelf::new(&inside, Path::is_dir);
        assert_eq!(shelf.find("a b"), Some(inside.join("a b")));
        for id in ["", ".", "..", "../out", "a b/..", "a b/", "/", "file", "A B"] {
            assert_eq!(shelf.find(id), None, "{id}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
            std::os::unix::fs::symlink(inside.join("a b"), inside.join("same")).unwrap();
            assert_eq!(shelf.find("link"), None);
            assert!(shelf.find("same").is_some());
        }
    }

    #[test]
    fn names_are_no_more_than_names() {
        for name in ["a", "quick-1", "A.b_c-9", &"x".repeat(64)] {
            assert!(is_good_name(name), "{name}");
        }
        for name in ["", ".", "..", "-a", "a/b", "a\\b", "a b", "ö", "a\n", &"x".repeat(65)] {
            assert!(!is_good_name(name), "{name}");
        }
    }
}
