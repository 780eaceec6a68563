//! Temporary files that are written and then renamed to replace another file.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

/// The number of random letters and digits in the name of a temporary file.
const WORD: usize = 16;

/// Creates a temporary file next to `path`, with the permissions of the file at `path` if there is one. The file is
/// removed on drop unless it's renamed. It has a random name and must not exist yet, so that we never follow a symlink
/// created by an attacker, and concurrent writers don't collide.
pub(super) fn create_next_to(path: &Path) -> io::Result<NamedTempFile> {
    let replaced = fs::metadata(path).ok().filter(Metadata::is_file);
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(WORD).suffix(".tmp");
    let temporary = builder.make_in(path.parent().unwrap_or(path), |path| {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if replaced.is_some() {
            // The new file must never be more accessible than the one it replaces.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        options.open(path)
    })?;
    if let Some(replaced) = &replaced {
        temporary.as_file().set_permissions(replaced.permissions())?;
    }
    Ok(temporary)
}

/// Removes temporary files left by killed processes. To be removed, a file must be at least `min_age` old, and
/// `replaces` must return true for the name of the file that it was meant to replace.
pub fn remove_leftovers(folder: &Path, min_age: Duration, replaces: impl Fn(&OsStr) -> bool) {
    // If the clock was set back, a file may appear to be from the future. Treat such a file as new.
    let is_old = |file: Metadata| {
        let age = file.modified().map(|at| at.elapsed().unwrap_or_default());
        file.is_file() && age.is_ok_and(|age| age >= min_age)
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_leftover = replaced_by(&entry.file_name()).is_some_and(|it| replaces(&it));
        if is_leftover && entry.metadata().is_ok_and(is_old) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the name of the file that a temporary file was meant to replace. Version 0.1 used the form `.NAME.tmp`.
pub fn replaced_by(name: &OsStr) -> Option<OsString> {
    let name = name.to_str()?.strip_prefix('.')?.strip_suffix(".tmp")?;
    let is_word =
        |word: &str| word.len() == WORD && word.bytes().all(|b| b.is_ascii_alphanumeric());
    match name.rsplit_once('.') {
        Some((replaced, word)) if is_word(word) => Some(replaced.into()),
        _ => Some(name.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn old_leftovers_are_removed_and_other_files_stay() {
        const AGE: Duration = Duration::from_secs(60);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in [".a.0123456789abcdef.tmp", ".a.tmp", ".b.0123456789abcdef.tmp", "a.tmp"] {
            let file = File::create(path(name)).unwrap();
            file.set_modified(SystemTime::now() - 2 * AGE).unwrap();
        }
        let living = create_next_to(&path("a")).unwrap();
        assert_eq!(replaced_by(living.path().file_name().unwrap()), Some("a".into()));
        let left = |min_age, replaces: fn(&OsStr) -> bool| {
            remove_leftovers(folder.path(), min_age, replaces);
            fs::read_dir(folder.path()).unwrap().count()
        };
        assert_eq!(left(AGE, |name| name == "a"), 3);
        assert!(living.path().exists());
        drop(living);
        assert_eq!(left(Duration::ZERO, |_| true), 1);
        assert!(path("a.tmp").exists());
    }
}
