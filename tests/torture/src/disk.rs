//! A disk that loses what was not flushed, rebuilt from a record of file operations.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mancala::random::ChaCha8Rng;
use rand::RngExt;
use serde_json::Value;

/// An operation on a file or folder.
#[derive(Debug, Clone)]
struct Operation {
    path: PathBuf,
    what: Change,
}

#[derive(Debug, Clone)]
enum Change {
    Create,
    Write(usize, Vec<u8>),
    Cut(usize),
    Sync,
    Rename(PathBuf),
    Remove,
    Folder,
}

/// The order in which a file system writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Names first, in the order of their changes. Only flushed contents are certain to survive.
    NamesFirst,
    /// Contents first. Only names in folders flushed after the change are certain to survive.
    ContentsFirst,
}

/// The fate of changes that are not certain to survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsure {
    Lost,
    Some,
}

/// The file operations of some processes in a folder.
#[derive(Debug)]
pub(crate) struct Disk {
    before: BTreeMap<PathBuf, Vec<u8>>,
    folders: Vec<PathBuf>,
    operations: Vec<Operation>,
}

/// A file, independent of its name.
#[derive(Debug, Default)]
struct Inode {
    flushed: Vec<u8>,
    /// Changes since it was flushed.
    since: Vec<Change>,
}

/// A change of names, and whether its folder was flushed afterwards.
#[derive(Debug)]
struct Naming {
    change: NameChange,
    folder: PathBuf,
    sure: bool,
}

#[derive(Debug)]
enum NameChange {
    Link(PathBuf, usize),
    Unlink(PathBuf),
    Rename(PathBuf, PathBuf, usize),
    Folder(PathBuf),
}

impl Disk {
    /// Creates a disk with the content of a folder.
    pub(crate) fn holding(folder: &Path) -> Disk {
        let mut disk =
            Disk { before: BTreeMap::new(), folders: Vec::new(), operations: Vec::new() };
        disk.enter(folder, Path::new(""));
        disk
    }

    fn enter(&mut self, root: &Path, within: &Path) {
        for entry in fs::read_dir(root.join(within)).into_iter().flatten().flatten() {
            let path = within.join(entry.file_name());
            if entry.path().is_dir() {
                self.folders.push(path.clone());
                self.enter(root, &path);
            } else {
                self.before.insert(path, fs::read(entry.path()).expect("a prepared file"));
            }
        }
    }

    /// Adds recorded operations, and returns the number of all operations.
    pub(crate) fn add(&mut self, record: &Path) -> usize {
        let text = fs::read_to_string(record).unwrap_or_default();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).expect("a record");
            let path = PathBuf::from(value["path"].as_str().expect("a path"));
            self.operations.push(Operation { path, what: what(&value["what"]) });
        }
        self.operations.len()
    }

    /// Writes to an empty folder the files that are found after a power cut following that many operations.
    pub(crate) fn after(
        &self,
        operations: usize,
        order: Order,
        unsure: Unsure,
        rng: &mut ChaCha8Rng,
        folder: &Path,
    ) {
        let (inodes, namings) = self.replay(operations);
        let (names, folders) = self.names(&namings, order, unsure, rng);
        for path in &folders {
            fs::create_dir_all(folder.join(path)).expect("a folder of a case");
        }
        for (path, inode) in names {
            let is_within = path
                .parent()
                .is_none_or(|it| it.as_os_str().is_empty() || folders.contains(&it.to_owned()));
            if is_within {
                let content = content(&inodes[inode], order, unsure, rng);
                fs::write(folder.join(path), content).expect("a file of a case");
            }
        }
    }

    fn replay(&self, operations: usize) -> (Vec<Inode>, Vec<Naming>) {
        let mut inodes: Vec<Inode> = Vec::new();
        let mut names: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for (path, bytes) in &self.before {
            names.insert(path.clone(), inodes.len());
            inodes.push(Inode { flushed: bytes.clone(), since: Vec::new() });
        }
        let mut namings: Vec<Naming> = Vec::new();
        for Operation { path, what } in &self.operations[..operations] {
            match what {
                Change::Create => {
                    names.insert(path.clone(), inodes.len());
                    namings.push(naming(path, NameChange::Link(path.clone(), inodes.len())));
                    inodes.push(Inode::default());
                }
                Change::Write(..) | Change::Cut(_) => {
                    if let Some(&inode) = names.get(path) {
                        inodes[inode].since.push(what.clone());
                    }
                }
                Change::Sync => match names.get(path) {
                    Some(&inode) => inodes[inode].flush(),
                    None => flush_names(&mut namings, path),
                },
                Change::Rename(to) => {
                    let inode = names.remove(path).expect("what is renamed is there");
                    names.insert(to.clone(), inode);
                    namings.push(naming(to, NameChange::Rename(path.clone(), to.clone(), inode)));
                }
                Change::Remove => {
                    names.remove(path);
                    namings.push(naming(path, NameChange::Unlink(path.clone())));
                }
                Change::Folder => namings.push(naming(path, NameChange::Folder(path.clone()))),
            }
        }
        (inodes, namings)
    }

    /// Returns the names and folders that survive.
    fn names(
        &self,
        namings: &[Naming],
        order: Order,
        unsure: Unsure,
        rng: &mut ChaCha8Rng,
    ) -> (BTreeMap<PathBuf, usize>, Vec<PathBuf>) {
        let sure_up_to = match (order, unsure) {
            (Order::NamesFirst, _) => namings.len(),
            (Order::ContentsFirst, Unsure::Lost) => 0,
            (Order::ContentsFirst, Unsure::Some) => rng.random_range(0..=namings.len()),
        };
        let mut names: BTreeMap<PathBuf, usize> = self.before.keys().cloned().zip(0..).collect();
        let mut folders = self.folders.clone();
        for (number, naming) in namings.iter().enumerate() {
            if number >= sure_up_to && !naming.sure {
                continue;
            }
            match &naming.change {
                NameChange::Link(path, inode) => _ = names.insert(path.clone(), *inode),
                NameChange::Unlink(path) => _ = names.remove(path),
                NameChange::Rename(from, to, inode) => {
                    names.remove(from);
                    names.insert(to.clone(), *inode);
                }
                NameChange::Folder(path) => folders.push(path.clone()),
            }
        }
        (names, folders)
    }
}

fn naming(path: &Path, change: NameChange) -> Naming {
    Naming { change, folder: path.parent().unwrap_or(Path::new("")).to_owned(), sure: false }
}

fn flush_names(namings: &mut [Naming], folder: &Path) {
    for naming in namings.iter_mut().filter(|naming| naming.folder == folder) {
        naming.sure = true;
    }
}

impl Inode {
    fn flush(&mut self) {
        for change in std::mem::take(&mut self.since) {
            apply(&mut self.flushed, &change);
        }
    }
}

/// Returns the content of a file that survives.
fn content(inode: &Inode, order: Order, unsure: Unsure, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let kept = match (order, unsure) {
        (Order::ContentsFirst, _) => inode.since.len(),
        (Order::NamesFirst, Unsure::Lost) => 0,
        (Order::NamesFirst, Unsure::Some) => rng.random_range(0..=inode.since.len()),
    };
    let mut content = inode.flushed.clone();
    for change in &inode.since[..kept] {
        apply(&mut content, change);
    }
    // The next change may have been written in part.
    if let (Order::NamesFirst, Unsure::Some, Some(Change::Write(at, bytes))) =
        (order, unsure, inode.since.get(kept))
    {
        let part = rng.random_range(0..=bytes.len());
        apply(&mut content, &Change::Write(*at, bytes[..part].to_vec()));
    }
    content
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

fn what(value: &Value) -> Change {
    let number = |name: &str| value[name].as_u64().map(|it| it as usize);
    match value.as_str() {
        Some("create") => Change::Create,
        Some("sync") => Change::Sync,
        Some("remove") => Change::Remove,
        Some("folder") => Change::Folder,
        Some(other) => panic!("no operation {other}"),
        None => match (number("write"), number("cut"), value["rename"].as_str()) {
            (Some(at), ..) => Change::Write(at, unhex(value["bytes"].as_str().expect("bytes"))),
            (_, Some(length), _) => Change::Cut(length),
            (.., Some(to)) => Change::Rename(to.into()),
            _ => panic!("no operation {value}"),
        },
    }
}

fn unhex(text: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Attack;
    use crate::sandbox::rng;

    /// Returns the files that survive some operations if all uncertain changes are lost.
    fn left(operations: &[(&str, Change)], order: Order) -> Vec<(String, String)> {
        let operations = operations
            .iter()
            .map(|(path, what)| Operation { path: path.into(), what: what.clone() });
        let before = [("old".into(), b"1".to_vec())].into();
        let disk = Disk { before, folders: Vec::new(), operations: operations.collect() };
        let folder = tempfile::tempdir().unwrap();
        let mut rng = rng(1, Attack::Cuts, 0);
        disk.after(disk.operations.len(), order, Unsure::Lost, &mut rng, folder.path());
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<(String, String)> = entries
            .filter(|path| path.is_file())
            .map(|path| {
                (
                    path.file_name().unwrap().to_string_lossy().into(),
                    fs::read_to_string(path).unwrap(),
                )
            })
            .collect();
        files.sort();
        files
    }

    fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
        expected.map(|(name, content)| (name.into(), content.into())).into()
    }

    fn replacement() -> Vec<(&'static str, Change)> {
        let write = Change::Write(0, b"22".to_vec());
        vec![
            ("new", Change::Create),
            ("new", write),
            ("new", Change::Sync),
            ("new", Change::Rename("old".into())),
            ("", Change::Sync),
        ]
    }

    #[test]
    fn a_replacement_that_is_flushed_survives() {
        for order in [Order::NamesFirst, Order::ContentsFirst] {
            assert_eq!(left(&replacement(), order), pairs([("old", "22")]));
        }
    }

    #[test]
    fn contents_that_are_not_flushed_are_lost_where_names_come_first() {
        let mut operations = replacement();
        operations.remove(2);
        assert_eq!(left(&operations, Order::NamesFirst), pairs([("old", "")]));
        assert_eq!(left(&operations, Order::ContentsFirst), pairs([("old", "22")]));
    }

    #[test]
    fn names_that_are_not_flushed_are_lost_where_contents_come_first() {
        let mut operations = replacement();
        operations.pop();
        assert_eq!(left(&operations, Order::NamesFirst), pairs([("old", "22")]));
        assert_eq!(left(&operations, Order::ContentsFirst), pairs([("old", "1")]));
        let in_folder =
            [("sub", Change::Folder), ("sub/file", Change::Create), ("sub", Change::Sync)];
        assert_eq!(left(&in_folder, Order::ContentsFirst), pairs([("old", "1")]));
    }

    #[test]
    fn appended_pieces_are_kept_as_far_as_they_are_flushed() {
        let write = |at, text: &str| ("old", Change::Write(at, text.as_bytes().to_vec()));
        let operations = [write(1, "23"), ("old", Change::Sync), write(3, "45")];
        assert_eq!(left(&operations, Order::NamesFirst), pairs([("old", "123")]));
        assert_eq!(left(&operations, Order::ContentsFirst), pairs([("old", "12345")]));
    }
}
