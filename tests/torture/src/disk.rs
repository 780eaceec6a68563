//! A disk that loses unflushed data, rebuilt from a record of file operations.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mancala::random::ChaCha8Rng;
use rand::RngExt;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Operation {
    pub(crate) path: PathBuf,
    pub(crate) change: Change,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Change {
    Create,
    Write(usize, Vec<u8>),
    Cut(usize),
    Sync,
    Rename(PathBuf),
    Remove,
    Folder,
}

/// The order in which a file system writes names and contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Names first, in the order of their changes. Only flushed contents are guaranteed to survive.
    NamesFirst,
    /// Contents first. Only names in folders flushed after the change are guaranteed to survive.
    ContentsFirst,
}

/// The fate of changes that are not guaranteed to survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsure {
    Lost,
    Some,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) at: usize,
    pub(crate) order: Order,
    pub(crate) unsure: Unsure,
}

/// The file operations that some processes performed in a folder.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    names: Names,
    before: Vec<Vec<u8>>,
    pub(crate) operations: Vec<Operation>,
}

#[derive(Debug, Default, Clone)]
struct Names {
    files: BTreeMap<PathBuf, usize>,
    folders: Vec<PathBuf>,
}

/// A file, independent of its name.
#[derive(Debug, Default)]
struct Inode {
    flushed: Vec<u8>,
    since: Vec<Change>,
}

/// A change to names, and whether its folder was flushed afterwards.
struct Naming<'a> {
    operation: &'a Operation,
    /// The inode number of the file that is given a name, otherwise 0.
    inode: usize,
    is_sure: bool,
}

impl Disk {
    /// Adds the initial content of a folder.
    pub(crate) fn enter(&mut self, root: &Path, within: &Path) {
        for entry in fs::read_dir(root.join(within)).into_iter().flatten().flatten() {
            let path = within.join(entry.file_name());
            if entry.path().is_dir() {
                self.names.folders.push(path.clone());
                self.enter(root, &path);
            } else {
                self.add_file(path, fs::read(entry.path()).expect("a prepared file"));
            }
        }
    }

    fn add_file(&mut self, path: PathBuf, content: Vec<u8>) {
        self.names.files.insert(path, self.before.len());
        self.before.push(content);
    }

    pub(crate) fn add(&mut self, record: &Path) {
        let text = fs::read_to_string(record).unwrap_or_default();
        let operations = text.lines().map(|line| serde_json::from_str(line).expect("a record"));
        self.operations.extend(operations);
    }

    /// Writes the files that survive a power cut to an empty folder.
    pub(crate) fn after(&self, cut: Cut, rng: &mut ChaCha8Rng, folder: &Path) {
        let (inodes, namings) = self.replay(cut.at);
        let Names { files, folders } = self.names(&namings, cut, rng);
        for path in &folders {
            fs::create_dir_all(folder.join(path)).expect("a folder of a case");
        }
        for (path, inode) in files {
            let parent = path.parent().unwrap_or(Path::new(""));
            if parent.as_os_str().is_empty() || folders.iter().any(|it| it == parent) {
                let content = inodes[inode].content(cut, rng);
                fs::write(folder.join(path), content).expect("a file of a case");
            }
        }
    }

    fn replay(&self, operations: usize) -> (Vec<Inode>, Vec<Naming<'_>>) {
        let inode = |flushed: &Vec<u8>| Inode { flushed: flushed.clone(), since: Vec::new() };
        let mut inodes: Vec<Inode> = self.before.iter().map(inode).collect();
        let mut names = self.names.clone();
        let mut namings: Vec<Naming> = Vec::new();
        for operation in &self.operations[..operations] {
            let Operation { path, change } = operation;
            let inode = names.files.get(path).copied();
            let inode = match (change, inode) {
                (Change::Write(..) | Change::Cut(_), inode) => {
                    inode.into_iter().for_each(|inode| inodes[inode].since.push(change.clone()));
                    continue;
                }
                (Change::Sync, Some(inode)) => {
                    inodes[inode].flush();
                    continue;
                }
                (Change::Sync, None) => {
                    let within = namings.iter_mut().filter(|it| it.folder() == Some(path));
                    within.for_each(|it| it.is_sure = true);
                    continue;
                }
                (Change::Create, _) => {
                    inodes.push(Inode::default());
                    inodes.len() - 1
                }
                (Change::Rename(_), inode) => inode.expect("what is renamed is there"),
                (Change::Remove | Change::Folder, _) => 0,
            };
            let naming = Naming { operation, inode, is_sure: false };
            naming.apply(&mut names);
            namings.push(naming);
        }
        (inodes, namings)
    }

    /// Returns the names and folders that survive.
    fn names(&self, namings: &[Naming], cut: Cut, rng: &mut ChaCha8Rng) -> Names {
        let sure_up_to = match (cut.order, cut.unsure) {
            (Order::NamesFirst, _) => namings.len(),
            (Order::ContentsFirst, Unsure::Lost) => 0,
            (Order::ContentsFirst, Unsure::Some) => rng.random_range(0..=namings.len()),
        };
        let mut names = self.names.clone();
        for (number, naming) in namings.iter().enumerate() {
            if number < sure_up_to || naming.is_sure {
                naming.apply(&mut names);
            }
        }
        names
    }
}

impl Naming<'_> {
    fn folder(&self) -> Option<&Path> {
        match &self.operation.change {
            Change::Rename(to) => to.parent(),
            _ => self.operation.path.parent(),
        }
    }

    fn apply(&self, names: &mut Names) {
        let path = &self.operation.path;
        match &self.operation.change {
            Change::Create => _ = names.files.insert(path.clone(), self.inode),
            Change::Rename(to) => {
                names.files.remove(path);
                names.files.insert(to.clone(), self.inode);
            }
            Change::Remove => _ = names.files.remove(path),
            Change::Folder => names.folders.push(path.clone()),
            _ => unreachable!("only names are changed here"),
        }
    }
}

impl Inode {
    fn flush(&mut self) {
        for change in std::mem::take(&mut self.since) {
            apply(&mut self.flushed, &change);
        }
    }

    /// Returns the file content that survives.
    fn content(&self, cut: Cut, rng: &mut ChaCha8Rng) -> Vec<u8> {
        let kept = match (cut.order, cut.unsure) {
            (Order::ContentsFirst, _) => self.since.len(),
            (Order::NamesFirst, Unsure::Lost) => 0,
            (Order::NamesFirst, Unsure::Some) => rng.random_range(0..=self.since.len()),
        };
        let mut content = self.flushed.clone();
        self.since[..kept].iter().for_each(|change| apply(&mut content, change));
        // The next change may have been partially written.
        if let (Unsure::Some, Some(Change::Write(at, bytes))) = (cut.unsure, self.since.get(kept)) {
            let part = rng.random_range(0..=bytes.len());
            apply(&mut content, &Change::Write(*at, bytes[..part].to_vec()));
        }
        content
    }
}

fn apply(content: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Write(at, bytes) => {
            content.resize(content.len().max(at + bytes.len()), 0);
            content[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        Change::Cut(length) => content.resize(*length, 0),
        _ => unreachable!("only contents are changed here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Attack;
    use crate::sandbox::rng;

    /// Checks that one file, `old`, survives some operations if all uncertain changes are lost. `contents` is its
    /// content if names come first, and if contents come first.
    fn check(operations: &[(&str, Change)], contents: [&str; 2]) {
        let operations = operations.iter().cloned();
        let mut disk = Disk {
            operations: operations
                .map(|(path, change)| Operation { path: path.into(), change })
                .collect(),
            ..Disk::default()
        };
        disk.add_file("old".into(), b"1".to_vec());
        for (order, content) in [Order::NamesFirst, Order::ContentsFirst].into_iter().zip(contents)
        {
            let folder = tempfile::tempdir().unwrap();
            let cut = Cut { at: disk.operations.len(), order, unsure: Unsure::Lost };
            disk.after(cut, &mut rng(1, Attack::Cuts, 0), folder.path());
            assert_eq!(
                fs::read_to_string(folder.path().join("old")).unwrap(),
                content,
                "{order:?}"
            );
            let entries = fs::read_dir(folder.path()).unwrap().flatten();
            assert_eq!(entries.filter(|it| it.path().is_file()).count(), 1, "{order:?}");
        }
    }

    #[test]
    fn only_flushed_changes_survive() {
        let write = |at, text: &str| Change::Write(at, text.as_bytes().to_vec());
        let replacement = [
            ("new", Change::Create),
            ("new", write(0, "22")),
            ("new", Change::Sync),
            ("new", Change::Rename("old".into())),
            ("", Change::Sync),
        ];
        check(&replacement, ["22", "22"]);
        check(&[&replacement[..2], &replacement[3..]].concat(), ["", "22"]);
        check(&replacement[..4], ["22", "1"]);
        let appended = [("old", write(1, "23")), ("old", Change::Sync), ("old", write(3, "45"))];
        check(&appended, ["123", "12345"]);
        // A file is lost if its folder's name is not flushed.
        let in_folder =
            [("sub", Change::Folder), ("sub/file", Change::Create), ("sub", Change::Sync)];
        check(&in_folder, ["1", "1"]);
    }
}
