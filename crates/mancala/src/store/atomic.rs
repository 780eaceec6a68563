//! Reading, replacing and appending whole files.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::FileError;

/// Reads a file whole.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(FileError::of("read", path))
}

/// Reads a text file whole.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(FileError::of("read", path))
}

/// Replaces a file so that after a crash at any moment either the old or the new content is there,
/// whole: a temporary file beside it is written, flushed to disk and renamed over it.
///
/// # Errors
/// Whatever the file system says; the old content is then still in place.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), FileError> {
    replace_by_pieces(path, &[content])
}

/// As [`replace`], with the content in several pieces.
///
/// # Errors
/// As [`replace`].
pub fn replace_by_pieces(path: &Path, content: &[&[u8]]) -> Result<(), FileError> {
    let temporary = temporary_beside(path);
    let written = write_synced(&temporary, content)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(FileError::of("write", path));
    if written.is_err() {
        // The half-written file would only take room on a disk that may be full.
        let _ = fs::remove_file(&temporary);
    }
    written?;
    sync_folder_of(path)
}

/// Writes to a file that a user named. A regular file is [replaced](replace), and so is the target of a link.
/// Anything else, such as a pipe or a device, is written to.
///
/// # Errors
/// Whatever the file system says.
pub fn write_output(path: &Path, content: &[u8]) -> Result<(), FileError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() && path.is_symlink() => {
            let target = fs::canonicalize(path).map_err(FileError::of("write", path))?;
            replace(&target, content)
        }
        Ok(found) if !found.is_file() => write_plainly(path, content),
        // A link to what is not there yet.
        Err(_) if path.is_symlink() => write_plainly(path, content),
        _ => replace(path, content),
    }
}

fn write_plainly(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let write = || {
        OpenOptions::new().write(true).create(true).truncate(true).open(path)?.write_all(content)
    };
    write().map_err(FileError::of("write", path))
}

/// Appends to a file, creating it if need be, and flushes it to disk.
///
/// A crash can leave part of `content` at the end, so this is for files whose reader ignores or cuts it.
pub fn append(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let append = || {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(content)?;
        file.sync_data()
    };
    append().map_err(FileError::of("write", path))
}

fn temporary_beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    path.with_file_name(name)
}

fn write_synced(path: &Path, content: &[&[u8]]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    for piece in content {
        file.write_all(piece)?;
    }
    file.sync_all()
}

/// A rename is only on disk once its folder is. Folders cannot be opened as files on Windows, where
/// the file system journals the rename itself.
fn sync_folder_of(path: &Path) -> Result<(), FileError> {
    if cfg!(windows) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(FileError::of("flush", folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_replacement_keeps_the_old_content_and_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("folder");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("inside"), b"old").unwrap();
        let error = replace(&path, b"new").unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
        assert_eq!(read(&path.join("inside")).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn an_output_goes_through_a_link_and_into_a_pipe() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| folder.path().join(name));
        symlink("file", &link).unwrap();
        // Once to what is not there yet, then to what is.
        for content in ["the first", "two"] {
            write_output(&link, content.as_bytes()).unwrap();
            assert!(link.is_symlink() && !file.is_symlink());
            assert_eq!(read_text(&file).unwrap(), content);
        }
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_output(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn appends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        append(&path, b"one ").unwrap();
        append(&path, b"two").unwrap();
        assert_eq!(read_text(&path).unwrap(), "one two");
    }
}
