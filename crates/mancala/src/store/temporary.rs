//! Temporary files that are written and then renamed over the file they replace.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::change::change;
use super::open::open;

/// A new file in the same folder as the file it will replace. If this value is dropped before that, the file is
/// removed.
///
/// Its name is random and never that of an existing file, so nothing is written through a link and concurrent writers
/// do not collide. It is locked while its writer is alive, which distinguishes it from leftovers of killed processes.
pub(super) struct Temporary {
    path: PathBuf,
    file: File,
}

/// The number of random names to try before giving up.
const ATTEMPTS: u32 = 16;

impl Temporary {
    /// Creates a file next to `path`, with the same mode as the file at `path`.
    pub(super) fn next_to(path: &Path) -> io::Result<Temporary> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Ok(replaced) = fs::metadata(path) {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            // Set the mode now, so that the file is never more accessible. `replace` adds permissions that the umask
            // has removed.
            options.mode(replaced.permissions().mode() & 0o777);
        }
        let mut attempts = 0;
        change()?;
        loop {
            let candidate = path.with_file_name(name(path, &random_word()));
            match options.open(&candidate) {
                Ok(file) => {
                    // Without locks, leftovers of killed processes are not removed.
                    let _ = file.try_lock();
                    return Ok(Temporary { path: candidate, file });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists && attempts < ATTEMPTS => {
                    attempts += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        change()?;
        self.file.write_all(piece)
    }

    /// Flushes the file to disk and renames it to `path`.
    pub(super) fn replace(self, path: &Path) -> io::Result<()> {
        if let Ok(replaced) = fs::metadata(path)
            && replaced.is_file()
        {
            self.file.set_permissions(replaced.permissions())?;
        }
        change()?;
        self.file.sync_all()?;
        change()?;
        fs::rename(&self.path, path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // If the file has not been renamed, it is incomplete and would waste space.
        let _ = fs::remove_file(&self.path);
    }
}

/// Files that are younger are not considered leftovers, because their writers may not have locked them yet.
const MIN_AGE: Duration = Duration::from_secs(60);

/// Removes temporary files for `path` that were left behind by killed processes.
pub(super) fn remove_leftovers_of(path: &Path) {
    let Some(folder) = path.parent() else { return };
    let own = path.file_name().unwrap_or_default();
    remove_leftovers_in(folder, |replaced| replaced == own);
}

/// Removes temporary files of killed processes if `replaces` returns true for the name of the file to replace.
pub fn remove_leftovers_in(folder: &Path, replaces: impl Fn(&OsStr) -> bool) {
    remove_leftovers(folder, MIN_AGE, replaces);
}

/// Removes all temporary files from a folder that only this process writes to.
pub(super) fn remove_all_leftovers(folder: &Path) {
    remove_leftovers(folder, Duration::ZERO, |_| true);
}

fn remove_leftovers(folder: &Path, min_age: Duration, replaces: impl Fn(&OsStr) -> bool) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_leftover = replaced_by(&entry.file_name()).is_some_and(|it| replaces(&it));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_leftover && is_file && is_abandoned(&entry.path(), min_age) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether a file is at least this old and not locked.
fn is_abandoned(path: &Path, min_age: Duration) -> bool {
    let Ok(file) = open(path) else { return false };
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    // If the clock was set back, the file may appear to be from the future. Treat it as new.
    let age = modified.map(|at| at.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age >= min_age) && file.try_lock().is_ok()
}

/// The number of hexadecimal digits in the random part of a name.
const WORD: usize = 16;

fn name(path: &Path, word: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{word}.tmp"));
    name
}

/// Returns the name of the file that a temporary file was created to replace. Version 0.1 used `.NAME.tmp`.
pub fn replaced_by(name: &OsStr) -> Option<OsString> {
    let name = name.to_str()?.strip_prefix('.')?.strip_suffix(".tmp")?;
    let is_word = |word: &str| word.len() == WORD && word.bytes().all(|b| b.is_ascii_hexdigit());
    match name.rsplit_once('.') {
        Some((replaced, word)) if is_word(word) => Some(replaced.into()),
        _ => Some(name.into()),
    }
}

/// Returns sixteen unpredictable hexadecimal digits, relying on the random keys of the standard library's hashers.
fn random_word() -> String {
    format!("{:0width$x}", RandomState::new().hash_one(()), width = WORD)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn leftovers_are_removed_and_files_in_use_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let age = |file: &File| file.set_modified(SystemTime::now() - 2 * MIN_AGE).unwrap();
        for name in [".a.0123456789abcdef.tmp", ".a.tmp", ".b.0123456789abcdef.tmp", "a.tmp"] {
            age(&File::create(path(name)).unwrap());
        }
        let (living, young) = (Temporary::next_to(&path("a")).unwrap(), path(".a.new.tmp"));
        age(&living.file);
        fs::write(&young, b"half").unwrap();
        remove_leftovers_of(&path("a"));
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names().len(), 4);
        fs::remove_file(young).unwrap();
        assert!(living.path.exists());
        drop(living);
        assert_eq!(names(), [".b.0123456789abcdef.tmp", "a.tmp"]);
        remove_all_leftovers(folder.path());
        assert_eq!(names(), ["a.tmp"]);
    }

    #[test]
    fn names_differ_and_read_back() {
        let [one, other] = [(); 2].map(|()| name(Path::new("runs/x.csv"), &random_word()));
        assert_ne!(one, other);
        assert_eq!(replaced_by(&one), Some("x.csv".into()));
        assert_eq!(replaced_by(OsStr::new("x.csv")), None);
    }
}
