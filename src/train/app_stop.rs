//! Asking the process that trains in a run folder to stop.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use evolve::run::{FolderError, StopFile, StopPolicy, Summary};
use mancala::progress::Progress;
use mancala::store::{FileError, Lock};

/// Why nothing can be asked to stop.
#[derive(Debug, thiserror::Error)]
pub enum NoStop {
    /// There is no run in the folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// No process trains in it.
    #[error("nothing trains in {}", .0.display())]
    Idle(PathBuf),
    /// The request cannot be left in it.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A process that was asked to stop.
#[derive(Debug, Clone)]
pub struct Asked {
    folder: PathBuf,
    /// The process, as far as the lock says.
    holder: Option<u32>,
}

/// Asks the process that trains in a run folder to stop, as Ctrl-C does: a generation under way is finished if
/// that takes at most [`StopPolicy::GRACE`](evolve::run::StopPolicy::GRACE). Returns at once.
///
/// # Errors
/// If there is no run in the folder, nothing trains in it, or nothing can be written there.
pub fn request(folder: &Path) -> Result<Asked, NoStop> {
    if !folder.join("run.toml").exists() {
        return Err(FolderError::NoRun(folder.into()).into());
    }
    if !Lock::is_held(folder) {
        return Err(NoStop::Idle(folder.into()));
    }
    let asked = Asked { folder: folder.into(), holder: Lock::holder(folder) };
    StopFile::of(folder).create()?;
    Ok(asked)
}

/// How often a process at work sees whether there is something to do beside it, and after how many of these
/// moments it looks for a request.
const MOMENT: Duration = Duration::from_millis(100);
const LOOK_EVERY: u32 = 5;

/// Does work in a run folder that this process holds, which ends when it is [requested](request), and calls
/// `beside` every moment. That is a thread's own business: searches ask so often whether to stop that even
/// the clock would cost.
pub(crate) fn heeding<T>(
    folder: &Path,
    stop: &StopPolicy,
    beside: impl Fn() + Send,
    work: impl FnOnce() -> T,
) -> T {
    let file = StopFile::of(folder);
    let attend = move |is_over: Receiver<()>| {
        for moment in 1u32.. {
            beside();
            // What ends the work ends the other side.
            if is_over.recv_timeout(MOMENT) == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            if moment.is_multiple_of(LOOK_EVERY) && file.exists() {
                stop.ask();
            }
        }
    };
    thread::scope(|scope| {
        let (at_work, is_over) = mpsc::channel();
        scope.spawn(move || attend(is_over));
        let done = work();
        drop(at_work);
        done
    })
}

/// How often a process is looked after that was asked to stop.
const PAUSE: Duration = Duration::from_millis(50);

impl Asked {
    /// Whether the process has let go of the folder. Another one may train there by now.
    pub fn is_over(&self) -> bool {
        !Lock::is_held(&self.folder) || Lock::holder(&self.folder) != self.holder
    }

    /// Waits until the process has let go of the folder, and says what there is then; `None` if the progress
    /// ended the wait. The run may have come to its end before it saw the request.
    ///
    /// # Errors
    /// If the folder cannot be looked at any more.
    pub fn wait(&self, progress: &dyn Progress) -> Result<Option<Summary>, FolderError> {
        while !self.is_over() {
            if progress.should_stop() {
                return Ok(None);
            }
            thread::sleep(PAUSE);
        }
        // A process that has just let go of the folder has not seen the request.
        if !Lock::is_held(&self.folder) {
            let _ = StopFile::of(&self.folder).remove();
        }
        Summary::of(&self.folder).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_trains_can_be_asked() {
        let folder = tempfile::tempdir().unwrap();
        let no_run = request(folder.path()).unwrap_err().to_string();
        assert!(no_run.contains("holds no run"), "{no_run}");
        std::fs::write(folder.path().join("run.toml"), "").unwrap();
        let idle = request(folder.path()).unwrap_err().to_string();
        assert!(idle.starts_with("nothing trains in "), "{idle}");
        assert!(!StopFile::of(folder.path()).exists());
        let lock = Lock::take(folder.path()).unwrap().unwrap();
        let asked = request(folder.path()).unwrap();
        assert!(StopFile::of(folder.path()).exists() && !asked.is_over());
        drop(lock);
        assert!(asked.is_over());
    }
}
