//! Replacing whole files, and appending to them.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::FileError;
use super::change::change;
use super::folder::{create_folder_of, sync_folder_of};
use super::open::{Links, open_with};
use super::temporary::{Temporary, remove_left_over};

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
    let replaced = Temporary::beside(path).and_then(|mut temporary| {
        for piece in content {
            temporary.write(piece)?;
        }
        temporary.replace(path)
    });
    replaced.map_err(FileError::of("write", path))?;
    sync_folder_of(path)
}

/// Replaces a file that nothing depends on: whoever reads it finds it whole, but it is not flushed to disk,
/// and a crash may lose it. Only one process at a time may do so.
///
/// # Errors
/// Whatever the file system says; the old content is then still in place.
pub fn replace_unflushed(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    let beside = path.with_file_name(name);
    // Whatever is there is removed and not written through.
    let _ = fs::remove_file(&beside);
    let write = || {
        OpenOptions::new().write(true).create_new(true).open(&beside)?.write_all(content)?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&beside);
        FileError::of("write", path)(error)
    })
}

/// Writes to a file that a user named. A regular file is [replaced](replace), and so is the file that a link
/// leads to; a link to a missing file is replaced itself.
/// Anything else, such as a pipe or a device, is written to. A folder that is missing [below the current
/// directory](create_folder_of) is created.
///
/// # Errors
/// Whatever the file system says.
pub fn write_output(path: &Path, content: &[u8]) -> Result<(), FileError> {
    create_folder_of(path)?;
    match fs::metadata(path) {
        Ok(found) if found.is_file() && path.is_symlink() => {
            let target = fs::canonicalize(path).map_err(FileError::of("write", path))?;
            replace(&target, content)
        }
        Ok(found) if !found.is_file() => write_plainly(path, content),
        _ => {
            remove_left_over(path);
            replace(path, content)
        }
    }
}

fn write_plainly(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let write = || {
        change()?;
        OpenOptions::new().write(true).create(true).truncate(true).open(path)?.write_all(content)
    };
    write().map_err(FileError::of("write", path))
}

/// Creates an empty file. An existing file is not changed.
///
/// # Errors
/// The operating system's.
pub fn create_empty(path: &Path) -> Result<(), FileError> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && !path.is_dir() => Ok(()),
        created => created.map(drop).map_err(FileError::of("write", path)),
    }
}

/// Appends to a file that is `length` bytes long, flushes it to disk and returns the new length.
///
/// The length shows that nothing but this caller has written since: a file that was removed, replaced or
/// added to is noticed before anything is mixed up. Without content the file is only checked.
///
/// # Errors
/// Whatever the file system says, or that the file has another length. What was written is then taken back.
pub fn append_at(path: &Path, length: u64, content: &[u8]) -> Result<u64, FileError> {
    let append = || {
        change()?;
        let mut file = open_with(OpenOptions::new().append(true), path, Links::Refused)?;
        let found = file.metadata()?.len();
        if found != length {
            let changed = format!(
                "it is {found} bytes long where {length} were left: another program has changed it"
            );
            return Err(io::Error::new(ErrorKind::InvalidData, changed));
        }
        if content.is_empty() { Ok(()) } else { write_or_take_back(&mut file, length, content) }
    };
    append().map_err(FileError::of("write", path))?;
    Ok(length + content.len() as u64)
}

fn write_or_take_back(file: &mut File, length: u64, content: &[u8]) -> io::Result<()> {
    let mut write = || {
        change()?;
        file.write_all(content)?;
        change()?;
        file.sync_data()
    };
    let written = write();
    if written.is_err() {
        // If even this fails, the reader cuts what is left.
        let _ = file.set_len(length);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::super::{read, read_text};
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

    #[cfg(unix)]
    #[test]
    fn what_is_not_flushed_is_replaced_whole_and_through_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let [path, guessed, other] =
            ["file", ".file.tmp", "other"].map(|name| folder.path().join(name));
        fs::write(&other, b"precious").unwrap();
        std::os::unix::fs::symlink(&other, &guessed).unwrap();
        for content in [b"one", b"two"] {
            replace_unflushed(&path, content).unwrap();
            assert_eq!(read(&path).unwrap(), content);
        }
        assert_eq!(read(&other).unwrap(), b"precious");
        assert!(replace_unflushed(folder.path(), b"no file").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
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
        fs::write(&file, "before").unwrap();
        write_output(&link, b"after").unwrap();
        assert!(link.is_symlink() && !file.is_symlink());
        assert_eq!(read_text(&file).unwrap(), "after");
        fs::remove_file(&file).unwrap();
        write_output(&link, b"new").unwrap();
        assert!(!link.is_symlink() && !file.exists());
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
    fn an_append_notices_what_others_did() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, b"one ").unwrap();
        assert_eq!(append_at(&path, 4, b"two").unwrap(), 7);
        fs::write(&path, b"one two!").unwrap();
        let error = append_at(&path, 7, b"three").unwrap_err().to_string();
        assert!(error.contains("it is 8 bytes long where 7 were left"), "{error}");
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

    #[cfg(unix)]
    #[test]
    fn a_link_or_pipe_under_a_guessed_name_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [path, guessed, other] =
            ["file", ".file.tmp", "other"].map(|name| folder.path().join(name));
        fs::write(&other, b"precious").unwrap();
        std::os::unix::fs::symlink(&other, &guessed).unwrap();
        write_output(&path, b"mine").unwrap();
        assert_eq!(read(&other).unwrap(), b"precious");
        fs::remove_file(&guessed).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&guessed).status().unwrap().success());
        write_output(&path, b"mine again").unwrap();
        assert_eq!(read(&path).unwrap(), b"mine again");
    }

    #[test]
    fn writers_of_one_file_do_not_meet() {
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
        let found = read(&path).unwrap();
        assert!(found.len() == 5000 && found.iter().all(|byte| *byte == found[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
