//! Replaces whole files and appends to files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::FileError;
use super::change::change;
use super::folder::{create_folder_of, sync_folder_of};
use super::open::{Links, open_with};
use super::temporary::create_next_to;
use tempfile::NamedTempFile;

/// Replaces a file atomically, by writing a temporary file, flushing it to disk and renaming it. After an error or
/// crash, the file has either its old or its new content.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), FileError> {
    replace_parts(path, &[content])
}

/// Like [`replace`], but takes the content as a sequence of pieces.
pub fn replace_parts(path: &Path, content: &[&[u8]]) -> Result<(), FileError> {
    let replace = || {
        change()?;
        let temporary = create_next_to(path)?;
        for piece in content {
            change()?;
            temporary.as_file().write_all(piece)?;
        }
        change()?;
        temporary.as_file().sync_all()?;
        change()?;
        rename(temporary, path)
    };
    replace().map_err(FileError::of("write", path))?;
    sync_folder_of(path)
}

/// Renames a temporary file. Unlike `persist`, this works on Windows even if another process has opened the old file.
fn rename(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    let mut temporary = temporary.into_temp_path();
    fs::rename(&temporary, path)?;
    temporary.disable_cleanup(true);
    Ok(())
}

/// Replaces a file without flushing it to disk, for files that needn't survive a crash. Other processes never see
/// incomplete content. After an error, the old content is still in place.
pub fn replace_unflushed(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let replace = || {
        let temporary = create_next_to(path)?;
        temporary.as_file().write_all(content)?;
        rename(temporary, path)
    };
    replace().map_err(FileError::of("write", path))
}

/// Writes output to a path given by the user. Regular files are [replaced](replace). For a link to one, we replace its
/// target. A dangling link is replaced itself. Pipes and devices are written to directly. If the folder is missing, we
/// [create](create_folder_of) it, but only if it's below the current directory.
pub fn write_output(path: &Path, content: &[u8]) -> Result<(), FileError> {
    create_folder_of(path)?;
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && path.is_symlink() => {
            let target = fs::canonicalize(path).map_err(FileError::of("write", path))?;
            replace(&target, content)
        }
        Ok(metadata) if !metadata.is_file() => {
            let write = || {
                change()?;
                OpenOptions::new().write(true).open(path)?.write_all(content)
            };
            write().map_err(FileError::of("write", path))
        }
        _ => replace(path, content),
    }
}

/// Creates an empty file unless it already exists.
pub fn create_empty(path: &Path) -> Result<(), FileError> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && !path.is_dir() => Ok(()),
        created => created.map(drop).map_err(FileError::of("write", path)),
    }
}

/// Appends to a file, flushes it and returns its new length. If the file isn't `length` bytes long, then another
/// program must have changed it, so we return an error (even if `content` is empty). Partial writes are undone.
pub fn append_at(path: &Path, length: u64, content: &[u8]) -> Result<u64, FileError> {
    let append = || {
        change()?;
        let mut file = open_with(OpenOptions::new().append(true), path, Links::Refused)?;
        let actual = file.metadata()?.len();
        if actual != length {
            let changed = format!(
                "it has {actual} bytes instead of {length}: another program has changed it"
            );
            return Err(io::Error::new(ErrorKind::InvalidData, changed));
        }
        if content.is_empty() { Ok(()) } else { write_or_undo(&mut file, length, content) }
    };
    append().map_err(FileError::of("write", path))?;
    Ok(length + content.len() as u64)
}

/// Appends to a file of `length` bytes and flushes it to disk. If this fails, the file is truncated to `length` again.
pub(super) fn write_or_undo(file: &mut File, length: u64, content: &[u8]) -> io::Result<()> {
    let mut write = || {
        change()?;
        file.write_all(content)?;
        change()?;
        file.sync_data()
    };
    let written = write();
    if written.is_err() {
        // If this fails too, it's up to the next program that reads the file to cut off the partial write.
        let _ = file.set_len(length);
    }
    written
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::process::Command;

    use super::super::{read, read_text};
    use super::*;

    #[test]
    fn an_unflushed_file_is_replaced_or_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for content in [b"one", b"two"] {
            replace_unflushed(&path, content).unwrap();
            assert_eq!(read(&path).unwrap(), content);
        }
        assert!(replace_unflushed(folder.path(), b"no file").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_replacement_keeps_the_old_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("folder");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("inside"), b"old").unwrap();
        assert_eq!(replace(&path, b"new").unwrap_err().path, path);
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
        fs::write(&file, "before").unwrap();
        write_output(&link, b"after").unwrap();
        assert!(link.is_symlink() && !file.is_symlink());
        assert_eq!(read_text(&file).unwrap(), "after");
        fs::remove_file(&file).unwrap();
        write_output(&link, b"new").unwrap();
        assert!(!link.is_symlink() && !file.exists());
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_output(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn an_append_notices_changes_by_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, b"one ").unwrap();
        assert_eq!(append_at(&path, 4, b"two").unwrap(), 7);
        fs::write(&path, b"one two!").unwrap();
        assert!(append_at(&path, 7, b"three").is_err());
        fs::remove_file(&path).unwrap();
        assert!(append_at(&path, 8, b"three").is_err());
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_replacement_keeps_the_mode() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, b"one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn concurrent_writers_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for writer in 0..4u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        write_output(path, &[writer; 5000]).unwrap();
                    }
                });
            }
        });
        let content = read(&path).unwrap();
        assert!(content.len() == 5000 && content.iter().all(|byte| *byte == content[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
