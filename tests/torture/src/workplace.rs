//! The folder that everything happens in.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use mancala::random::ChaCha8Rng;
use rand::SeedableRng;
use tempfile::TempDir;

use crate::options::Attack;

/// A temporary folder with the programs under attack, by their names.
#[derive(Debug)]
pub(crate) struct Workplace {
    folder: TempDir,
    keep: Option<PathBuf>,
}

impl Workplace {
    /// A new one. What fell is kept in `keep`.
    pub(crate) fn new(keep: Option<&Path>) -> io::Result<Workplace> {
        let folder = tempfile::Builder::new().prefix("ayo-torture-").tempdir()?;
        for name in ["ayo", "engine"] {
            symlink(std::env::current_exe()?, folder.path().join(name))?;
        }
        if let Some(keep) = keep {
            fs::create_dir_all(keep)?;
        }
        Ok(Workplace { folder, keep: keep.map(Into::into) })
    }

    /// The program under attack.
    pub(crate) fn ayo(&self) -> PathBuf {
        self.folder.path().join("ayo")
    }

    /// The engine.
    pub(crate) fn engine(&self) -> PathBuf {
        self.folder.path().join("engine")
    }

    /// An empty folder of this name.
    pub(crate) fn empty(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder of a case");
        folder
    }

    /// A folder of this name with what is in another one.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> PathBuf {
        let to = self.empty(name);
        copy(from, &to).expect("a copy of a folder");
        to
    }

    /// Sees to it that the folder of a case that fell can be looked at.
    pub(crate) fn keep_if(&self, fell: bool, folder: &Path, attack: Attack, case: u64) {
        if let (true, Some(keep)) = (fell, &self.keep) {
            let to = keep.join(format!("{}-{case}", attack.name()));
            let _ = fs::remove_dir_all(&to);
            let _ = fs::create_dir_all(&to).and_then(|()| copy(folder, &to));
        }
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&to)?;
            copy(&entry.path(), &to)?;
        } else if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// The dice of a case: they depend on nothing else, so that it can be repeated alone.
pub(crate) fn dice(seed: u64, attack: Attack, case: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&case.to_le_bytes());
    key[16] = attack as u8;
    ChaCha8Rng::from_seed(key)
}
