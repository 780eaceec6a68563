//! Whether anything in a folder has changed.

use std::path::Path;
use std::time::SystemTime;

use mancala::store::Lock;

/// Length and time of a file; none if there is no file.
pub(super) type Mark = Option<(u64, SystemTime)>;

/// Returns the mark of a file, which changes whenever the file does.
pub(super) fn mark(path: &Path) -> Mark {
    let data = path.metadata().ok()?;
    Some((data.len(), data.modified().ok()?))
}

/// What changes whenever a file of a run does, or a process begins or ends to train in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fingerprint {
    files: Vec<(String, u64, SystemTime)>,
    running: bool,
}

impl Fingerprint {
    /// That of a folder.
    pub(super) fn of(folder: &Path) -> Fingerprint {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let file = |entry: std::fs::DirEntry| {
            let data = entry.metadata().ok()?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Some((name, data.len(), data.modified().unwrap_or(SystemTime::UNIX_EPOCH)))
        };
        let mut files: Vec<_> = files.filter_map(file).collect();
        files.sort();
        Fingerprint { files, running: Lock::is_held(folder) }
    }
}
