//! The file that a replacement is written to before it takes the old one's place.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::change::change;
use super::open::open;

/// A new file beside the one that it will replace; removed when dropped before it did.
///
/// Its name cannot be foreseen, it is never one that was there before, and it is locked as long as its
/// writer lives. So no link is written through, two writers do not meet, and what a killed process left
/// can be told from what is being written.
pub(super) struct Temporary {
    path: PathBuf,
    file: File,
}

/// Names drawn before a folder is taken for one in which no file can be made.
const ATTEMPTS: u32 = 16;

impl Temporary {
    /// A new file for the place of `path`, with the mode of what is there.
    pub(super) fn beside(path: &Path) -> io::Result<Temporary> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Ok(replaced) = fs::metadata(path) {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            // Whatever the umask would add is taken away below; less than this never shows.
            options.mode(replaced.permissions().mode() & 0o777);
        }
        let mut attempts = 0;
        change()?;
        loop {
            let candidate = path.with_file_name(name(path, &random_word()));
            match options.open(&candidate) {
                Ok(file) => {
                    // Where locks are not to be had, left-overs merely stay.
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

    /// Adds to what it holds.
    pub(super) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        change()?;
        self.file.write_all(piece)
    }

    /// Flushes the file to disk and puts it in the place of `path`.
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
        // After a replacement there is nothing of this name. A half-written file would only take room on
        // a disk that may be full.
        let _ = fs::remove_file(&self.path);
    }
}

/// A file that is younger may have been created a moment ago by a process that is about to lock it.
const YOUNG: Duration = Duration::from_secs(60);

/// Removes what killed processes left of replacements of `path`.
pub(super) fn remove_left_over(path: &Path) {
    let Some(folder) = path.parent() else { return };
    let own = path.file_name().unwrap_or_default();
    remove_from(folder, YOUNG, |replaced| replaced == own);
}

/// Removes what killed processes left of replacements of any file in a folder that only this process writes.
pub(super) fn remove_all_left_overs(folder: &Path) {
    remove_from(folder, Duration::ZERO, |_| true);
}

fn remove_from(folder: &Path, least_age: Duration, is_meant: impl Fn(&OsStr) -> bool) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_left_over = replaced_by(&entry.file_name()).is_some_and(|it| is_meant(&it));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_left_over && is_file && is_abandoned(&entry.path(), least_age) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the file is so old and no living process holds it.
fn is_abandoned(path: &Path, least_age: Duration) -> bool {
    let Ok(file) = open(path) else { return false };
    let modified = file.metadata().and_then(|found| found.modified());
    // A clock that was put back makes a file seem to come from the future.
    let age = modified.map(|at| at.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age >= least_age) && file.try_lock().is_ok()
}

/// Hexadecimal digits of a word in a temporary name.
const WORD: usize = 16;

fn name(path: &Path, word: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{word}.tmp"));
    name
}

/// The name of the file that a temporary one of this name was to replace. Version 0.1 wrote `.NAME.tmp`.
pub fn replaced_by(name: &OsStr) -> Option<OsString> {
    let name = name.to_str()?.strip_prefix('.')?.strip_suffix(".tmp")?;
    let is_word = |word: &str| word.len() == WORD && word.bytes().all(|b| b.is_ascii_hexdigit());
    match name.rsplit_once('.') {
        Some((replaced, word)) if is_word(word) => Some(replaced.into()),
        _ => Some(name.into()),
    }
}

/// Sixteen digits that cannot be foreseen: the keys of the standard library's hashers are random.
fn random_word() -> String {
    format!("{:0width$x}", RandomState::new().hash_one(()), width = WORD)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn left_overs_go_and_what_is_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let age = |file: &File| file.set_modified(SystemTime::now() - 2 * YOUNG).unwrap();
        for name in [".a.0123456789abcdef.tmp", ".a.tmp", ".b.0123456789abcdef.tmp", "a.tmp"] {
            age(&File::create(path(name)).unwrap());
        }
        let (living, young) = (Temporary::beside(&path("a")).unwrap(), path(".a.new.tmp"));
        age(&living.file);
        fs::write(&young, b"half").unwrap();
        remove_left_over(&path("a"));
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
        remove_all_left_overs(folder.path());
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
