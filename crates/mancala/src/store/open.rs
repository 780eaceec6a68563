//! Opening files that anybody may have put in place.
//!
//! Opening a named pipe would wait for its other end, reading a device might never end, and writing through a link
//! changes a file elsewhere.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::FileError;

/// The largest file that is read into memory.
const MAX_SIZE: u64 = 4 << 30;
/// The largest file of settings, weights, openings or results: parsed, it takes many times as much memory.
const MAX_DOCUMENT: u64 = 64 << 20;

/// Reads a table, a checkpoint or another file of which some become large.
///
/// # Errors
/// If it cannot be opened, as of [`open`], or is too large.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    read_at_most(path, MAX_SIZE).map_err(FileError::of("read", path))
}

/// Reads a file as [`read`] does; `None` if it does not exist.
///
/// # Errors
/// As [`read`].
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match read(path) {
        Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Reads a table as text.
///
/// # Errors
/// As [`read`], or if it is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    read(path).and_then(|bytes| text(bytes).map_err(FileError::of("read", path)))
}

/// Reads settings, weights or another text that a person could read.
///
/// # Errors
/// As [`read_text`].
pub fn read_document(path: &Path) -> Result<String, FileError> {
    let read = read_at_most(path, MAX_DOCUMENT).and_then(text);
    read.map_err(FileError::of("read", path))
}

/// Reads a document from standard input.
///
/// # Errors
/// If it cannot be read, is too long or is not UTF-8.
pub fn read_standard_input() -> io::Result<String> {
    read_all(io::stdin(), 0, MAX_DOCUMENT).and_then(text)
}

/// Opens a regular file for reading. A link to one is followed.
///
/// # Errors
/// The operating system's, or if it is another kind of file.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_with(OpenOptions::new().read(true), path, Links::Followed)
        .map_err(FileError::of("read", path))
}

/// What becomes of a path whose last component is a symbolic link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    Followed,
    Refused,
}

/// Opens a regular file. Never waits, and has no effect on any other kind of file.
pub(super) fn open_with(options: &mut OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let links = if links == Links::Refused { libc::O_NOFOLLOW } else { 0 };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | links);
    }
    // For a pipe without a reader or a refused link, the system's error does not name the kind of file.
    let file = options.open(path).map_err(|error| {
        let found = match links {
            Links::Followed => fs::metadata(path),
            Links::Refused => fs::symlink_metadata(path),
        };
        match found {
            Ok(found) if !found.is_file() => irregular(found.file_type()),
            _ => error,
        }
    })?;
    let found = file.metadata()?.file_type();
    if found.is_file() { Ok(file) } else { Err(irregular(found)) }
}

/// The error for a path that is not a regular file.
fn irregular(found: FileType) -> io::Error {
    let kind = kind(found);
    io::Error::new(
        ErrorKind::InvalidInput,
        format!("it is {kind}, not a regular file: move it away"),
    )
}

fn kind(found: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a named pipe";
        }
        if found.is_socket() {
            return "a socket";
        }
        if found.is_char_device() || found.is_block_device() {
            return "a device";
        }
    }
    match found {
        found if found.is_symlink() => "a symbolic link",
        found if found.is_dir() => "a folder",
        _ => "something else",
    }
}

fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = match is_inherited(path) {
        true => File::open(path)?,
        false => open_with(OpenOptions::new().read(true), path, Links::Followed)?,
    };
    read_all(&file, file.metadata()?.len(), limit)
}

/// Whether a path names an open file of this process: a shell writes `<(command)` so. Such a file was opened by the
/// user, and may be a pipe.
fn is_inherited(path: &Path) -> bool {
    cfg!(unix) && ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|it| path.starts_with(it))
}

/// The rest of an open file, if that is no more than a table may have.
pub(super) fn read_whole_text(file: &File) -> io::Result<String> {
    read_all(file, file.metadata()?.len(), MAX_SIZE).and_then(text)
}

/// Reads to the end, which is expected after some bytes.
fn read_all(file: impl Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if expected <= limit {
        bytes.try_reserve_exact(usize::try_from(expected).unwrap_or(usize::MAX))?;
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if expected.max(bytes.len() as u64) > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> io::Error {
    let mebibytes = limit >> 20;
    io::Error::new(
        ErrorKind::FileTooLarge,
        format!("it has more than {mebibytes} MiB, the most that is read"),
    )
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(bytes).map_err(not_text)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::super::{Lock, Log, append_at};
    use super::*;

    /// A folder with a file, links to it and to nothing, and one file of each other kind.
    fn planted() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "content").unwrap();
        fs::create_dir(path("folder")).unwrap();
        assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        UnixListener::bind(path("socket")).unwrap();
        symlink(path("file"), path("link")).unwrap();
        symlink(path("none"), path("dangling")).unwrap();
        symlink("/dev/zero", path("device")).unwrap();
        folder
    }

    #[test]
    fn only_regular_files_are_read() {
        let folder = planted();
        let path = |name: &str| folder.path().join(name);
        for name in ["file", "link"] {
            assert_eq!(read_text(&path(name)).unwrap(), "content");
        }
        for (name, kind) in
            [("pipe", "pipe"), ("socket", "socket"), ("device", "device"), ("folder", "folder")]
        {
            let error = read(&path(name)).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(kind), "{error}");
        }
        assert_eq!(read_if_there(&path("dangling")).unwrap(), None);
    }

    #[test]
    fn a_large_file_is_refused_before_it_is_read() {
        let folder = planted();
        let path = folder.path().join("file");
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        for (length, read) in [
            (MAX_DOCUMENT + 1, &read_document as &dyn Fn(&Path) -> Result<String, FileError>),
            (MAX_SIZE + 1, &read_text),
        ] {
            file.set_len(length).unwrap();
            assert_eq!(read(&path).unwrap_err().source.kind(), ErrorKind::FileTooLarge);
        }
        assert_eq!(
            read_all(File::open("/dev/zero").unwrap(), 0, 1 << 20).unwrap_err().kind(),
            ErrorKind::FileTooLarge
        );
    }

    #[test]
    fn nothing_is_written_through_a_link_or_into_a_pipe() {
        let folder = planted();
        let path = |name: &str| folder.path().join(name);
        for name in ["link", "dangling", "pipe", "socket", "device", "folder"] {
            assert!(append_at(&path(name), 7, b"more").is_err(), "{name}");
            let locked = path("locked");
            fs::create_dir(&locked).unwrap();
            fs::rename(path(name), locked.join("lock")).unwrap();
            assert!(!Lock::is_held(&locked));
            assert!(Lock::take(&locked).is_err(), "{name}");
            assert_eq!(Lock::holder(&locked), None);
            fs::rename(locked.join("lock"), path(name)).unwrap();
            fs::remove_dir(&locked).unwrap();
        }
        for name in ["pipe", "socket", "device", "folder"] {
            assert!(Log::open(&path(name)).is_err() && !Log::is_open(&path(name)), "{name}");
        }
        assert_eq!(fs::read_to_string(path("file")).unwrap(), "content");
        assert!(!path("none").exists());
    }

    #[test]
    fn a_lock_that_is_a_second_name_of_a_file_keeps_its_content() {
        let folder = planted();
        fs::hard_link(folder.path().join("file"), folder.path().join("lock")).unwrap();
        assert!(Lock::take(folder.path()).unwrap().is_some());
        assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "content");
    }
}
