//! Opens files safely, even if another program has replaced a file with something else.
//!
//! Apart from paths that the user's shell opened for us, we only open regular files, because opening a named pipe can
//! block, reading a device may never end, and writing through a link changes another file.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::FileError;

const MAX_SIZE: u64 = 4 << 30;
/// The maximum size of a document in bytes. It's lower than `MAX_SIZE` because parsing takes much more memory.
const MAX_DOCUMENT: u64 = 64 << 20;
/// The magic number of a gzip file. UTF-8 text never starts with these bytes.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a file that can become large, such as a table or a checkpoint.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    read_at_most(path, MAX_SIZE).map_err(FileError::of("read", path))
}

/// Like [`read`], but returns `None` if the file does not exist.
pub fn read_optional(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    match read(path) {
        Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Reads a table as UTF-8 text.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    read(path).and_then(|bytes| text(bytes).map_err(FileError::of("read", path)))
}

/// Reads a human-readable file such as settings or weights. The file may be gzip-compressed.
pub fn read_document(path: &Path) -> Result<String, FileError> {
    let read = read_at_most(path, MAX_DOCUMENT).and_then(|bytes| match bytes.starts_with(&GZIP) {
        true => read_all(MultiGzDecoder::new(&*bytes), 0, MAX_DOCUMENT),
        false => Ok(bytes),
    });
    let read = read.and_then(text);
    read.map_err(FileError::of("read", path))
}

/// Reads a document from standard input.
pub fn read_standard_input() -> io::Result<String> {
    read_all(io::stdin(), 0, MAX_DOCUMENT).and_then(text)
}

/// Opens a regular file for reading, following links.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_with(OpenOptions::new().read(true), path, Links::Followed)
        .map_err(FileError::of("read", path))
}

/// Opens a regular file for appending, creating it if needed. Fails for links and for other kinds of files.
pub fn open_to_append(path: &Path) -> Result<File, FileError> {
    open_with(OpenOptions::new().create(true).append(true), path, Links::Refused)
        .map_err(FileError::of("write", path))
}

/// Whether to follow a symbolic link in the last component of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    Followed,
    Refused,
}

/// Opens a regular file without blocking. Fails for other kinds of files.
pub(super) fn open_with(options: &mut OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let links = if links == Links::Refused { libc::O_NOFOLLOW } else { 0 };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | links);
    }
    // The OS error for a pipe without a reader, or for a link that we don't follow, isn't helpful, so we replace it.
    let file = options.open(path).map_err(|error| {
        let metadata = match links {
            Links::Followed => fs::metadata(path),
            Links::Refused => fs::symlink_metadata(path),
        };
        match metadata {
            Ok(metadata) if !metadata.is_file() => irregular(metadata.file_type()),
            _ => error,
        }
    })?;
    let file_type = file.metadata()?.file_type();
    if file_type.is_file() { Ok(file) } else { Err(irregular(file_type)) }
}

fn irregular(file_type: FileType) -> io::Error {
    let kind = if file_type.is_dir() { "a folder" } else { "a link, pipe, socket or device" };
    let message = format!("it is {kind}, not a regular file: move it elsewhere");
    io::Error::new(ErrorKind::InvalidInput, message)
}

fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = match is_inherited(path) {
        true => File::open(path)?,
        false => open_with(OpenOptions::new().read(true), path, Links::Followed)?,
    };
    read_all(&file, file.metadata()?.len(), limit)
}

/// Returns whether the user's shell opened this path for us, as in `<(command)`. Such a path may be a pipe.
fn is_inherited(path: &Path) -> bool {
    cfg!(unix) && ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|it| path.starts_with(it))
}

pub(super) fn read_whole_text(file: &File) -> io::Result<String> {
    read_all(file, file.metadata()?.len(), MAX_SIZE).and_then(text)
}

/// Reads a file to its end, given its expected size (or 0 if unknown). Fails if it has more than `limit` bytes.
fn read_all(file: impl Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if expected <= limit {
        bytes.try_reserve_exact(usize::try_from(expected).unwrap_or(usize::MAX))?;
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if expected.max(bytes.len() as u64) > limit {
        let message = format!("it is larger than the limit of {} MiB", limit >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use flate2::Compression;
    use flate2::read::GzEncoder;

    use super::super::{Lock, Log, append_at};
    use super::*;

    /// Creates a folder with a regular file, several links, and a folder, pipe and socket.
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
        for kind in ["pipe", "socket", "device", "folder"] {
            let error = read(&path(kind)).unwrap_err().to_string();
            let reason = error.rsplit_once(": it is").unwrap().1;
            assert!(reason.contains(kind), "{error}");
        }
        assert_eq!(read_optional(&path("dangling")).unwrap(), None);
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
        let endless = read_all(File::open("/dev/zero").unwrap(), 0, 1 << 20);
        assert_eq!(endless.unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_compressed_document_is_read_within_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let compressed = |bytes: &[u8]| {
            let mut compressed = Vec::new();
            GzEncoder::new(bytes, Compression::fast()).read_to_end(&mut compressed).unwrap();
            compressed
        };
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read_document(&path).map_err(|error| error.source.kind())
        };
        let (one, other) = (compressed(b"one "), compressed(b"other"));
        assert_eq!(read(&[one, other.clone()].concat()).unwrap(), "one other");
        assert_eq!(read(&other[..other.len() - 3]), Err(ErrorKind::UnexpectedEof));
        assert!(read(&[&GZIP[..], b"text"].concat()).is_err());
        let bomb = compressed(&vec![0; MAX_DOCUMENT as usize + 1]);
        assert!(bomb.len() < 1 << 20);
        assert_eq!(read(&bomb), Err(ErrorKind::FileTooLarge));
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
