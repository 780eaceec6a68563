//! Creates folders, and updates folder entries so that they survive power failures.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path};

use super::FileError;
use super::change::change;

/// Creates a folder and any missing parents, and flushes each new entry to disk.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    let missing: Vec<&Path> = path.ancestors().take_while(|it| is_missing(it)).collect();
    let created = change().and_then(|()| fs::create_dir_all(path));
    if created.is_err() {
        // Clean up the parents we've created so far. `remove_dir` fails for a folder that is in use, which is fine.
        missing.iter().for_each(|it| _ = fs::remove_dir(it));
    }
    created.map_err(FileError::of("create", path))?;
    // Start with the outermost folder, because flushing an entry is useless if the folder that contains it is lost.
    missing.into_iter().rev().try_for_each(sync_folder_of)
}

/// Creates the parent folder of a path if it is below the current directory. Elsewhere, a missing folder is an error,
/// because it is probably a typo.
pub fn create_folder_of(path: &Path) -> Result<(), FileError> {
    match path.parent().filter(|it| !it.as_os_str().is_empty() && !it.is_dir()) {
        // If the parent is a file, creating the folder fails.
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

/// Returns whether a path is below the current directory. This doesn't resolve links or `..`.
fn is_below_current_folder(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn is_missing(path: &Path) -> bool {
    !path.as_os_str().is_empty() && !path.exists()
}

pub fn remove(path: &Path) -> Result<(), FileError> {
    change().and_then(|()| fs::remove_file(path)).map_err(FileError::of("remove", path))
}

pub fn rename(path: &Path, new: &Path) -> Result<(), FileError> {
    change().and_then(|()| fs::rename(path, new)).map_err(FileError::of("rename", path))?;
    sync_folder_of(new)
}

/// Flushes the folder that contains a file. Otherwise, a crash could lose the file's name. This isn't needed on
/// Windows, because its file system keeps a journal of names.
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
