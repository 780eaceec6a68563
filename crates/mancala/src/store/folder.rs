//! Creates folders, and removes and renames files. New entries are flushed so that they survive power failures.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path};

use super::FileError;
use super::change::change;

/// Creates a folder and any missing parents, and flushes the new directory entries to disk.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    let is_missing = |it: &&Path| !it.as_os_str().is_empty() && !it.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    let created = change().and_then(|()| fs::create_dir_all(path));
    if created.is_err() {
        // Remove the folders that we've created so far. `remove_dir` fails if a folder isn't empty, which is fine.
        missing.iter().for_each(|it| _ = fs::remove_dir(it));
    }
    created.map_err(FileError::of("create", path))?;
    // Start with the outermost folder, because an entry is lost anyway if the folder that contains it is lost.
    missing.into_iter().rev().try_for_each(sync_folder_of)
}

/// Creates the parent folder of a path if it's missing and below the current directory. A folder that is missing
/// elsewhere is probably a typo, so we return an error.
pub fn create_folder_of(path: &Path) -> Result<(), FileError> {
    match path.parent().filter(|it| !it.as_os_str().is_empty() && !it.is_dir()) {
        // If the parent is a file, then creating the folder fails with a suitable error.
        Some(folder) if folder.exists() || is_below_current_folder(folder) => create_folder(folder),
        Some(folder) => {
            let folder = folder.display();
            let reason = format!(
                "folder {folder} does not exist, and only folders below the current directory are created"
            );
            Err(FileError::of("write", path)(io::Error::new(ErrorKind::NotFound, reason)))
        }
        None => Ok(()),
    }
}

/// Returns whether a path is below the current directory, without resolving links. Absolute paths and `..` don't count.
fn is_below_current_folder(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

pub fn remove(path: &Path) -> Result<(), FileError> {
    change().and_then(|()| fs::remove_file(path)).map_err(FileError::of("remove", path))
}

pub fn rename(path: &Path, new: &Path) -> Result<(), FileError> {
    change().and_then(|()| fs::rename(path, new)).map_err(FileError::of("rename", path))?;
    sync_folder_of(new)
}

/// Flushes the folder that contains a file, because a crash could otherwise lose the file's directory entry. This isn't
/// needed on Windows, where the file system keeps a journal of directory entries.
pub(super) fn sync_folder_of(path: &Path) -> Result<(), FileError> {
    if cfg!(windows) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let sync = || {
        change()?;
        File::open(folder)?.sync_all()
    };
    sync().map_err(FileError::of("flush", folder))
}
