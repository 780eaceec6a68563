//! A temporary folder for an attack.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use mancala::random::ChaCha8Rng;
use rand::SeedableRng;
use tempfile::TempDir;

use crate::options::Attack;

#[derive(Debug)]
pub(crate) struct Sandbox {
    folder: TempDir,
    keep: Option<PathBuf>,
}

impl Sandbox {
    pub(crate) fn new(keep: Option<&Path>) -> io::Result<Sandbox> {
        let folder = tempfile::Builder::new().prefix("ayo-torture-").tempdir()?;
        symlink(std::env::current_exe()?, folder.path().join("ayo"))?;
        if let Some(keep) = keep {
            fs::create_dir_all(keep)?;
        }
        Ok(Sandbox { folder, keep: keep.map(Into::into) })
    }

    pub(crate) fn ayo(&self) -> PathBuf {
        self.folder.path().join("ayo")
    }

    pub(crate) fn empty(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder of a case");
        folder
    }

    pub(crate) fn copy(&self, from: &Path, name: &str) -> PathBuf {
        let to = self.empty(name);
        assert!(copy(from, &to), "{} is copied", from.display());
        to
    }

    pub(crate) fn keep(&self, attack: Attack, case: u64) {
        if let Some(keep) = &self.keep {
            let to = keep.join(format!("{}-{case}", attack.name()));
            let _ = fs::remove_dir_all(&to);
            let _ = fs::create_dir_all(&to);
            copy(&self.folder.path().join("case"), &to);
        }
    }
}

/// Copies the content of a folder to an existing folder. Returns whether this succeeded.
fn copy(from: &Path, to: &Path) -> bool {
    let status = Command::new("cp").arg("-r").arg(from.join(".")).arg(to).status();
    status.is_ok_and(|status| status.success())
}

/// Returns the random number generator of a case. It depends on nothing else, so that the case can be reproduced.
pub(crate) fn rng(seed: u64, attack: Attack, case: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&case.to_le_bytes());
    key[16] = attack as u8;
    ChaCha8Rng::from_seed(key)
}
