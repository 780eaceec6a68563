//! `ayo stop`: asks the training process of a run folder to stop.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use evolve::run::{FolderError, RunState, StopFile, Summary};
use mancala::store::Lock;

use super::runs::only_running;
use crate::terminal::{counted, say, shell, shown};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Run folder [default: the only one in populations that is being trained]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Do not wait for training to stop
    #[arg(long)]
    no_wait: bool,
}

const AFTER_HELP: &str = "\
The current generation is finished if that takes at most 5 s. \"ayo resume\" continues the run, and the results are \
identical to those of an uninterrupted run.

The request is a file, \"stop\", in the run folder, so it reaches a process on another machine that shares the folder.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let folder = &arguments.folder.clone().map_or_else(only_running, Ok)?;
    let holder = request(folder)?;
    if arguments.no_wait {
        writeln!(out, "asked {} to stop", shown(folder))?;
        return Ok(());
    }
    let summary = wait(folder, holder)?;
    let (path, done) = (shown(&summary.path), summary.generation);
    if summary.state == RunState::Complete {
        let generations = counted(done.into(), "generation");
        writeln!(
            out,
            "{path} finished before it could be stopped: it is complete with {generations}"
        )?;
        return Ok(());
    }
    print_stopped(&summary, out)
}

pub(super) fn print_stopped(summary: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    let (path, done) = (shown(&summary.path), summary.generation);
    match &summary.failure {
        Some(error) => {
            writeln!(out, "{path} failed after generation {done}: {error}; continue with")?
        }
        None => writeln!(out, "{path} stopped after generation {done}; continue with")?,
    }
    Ok(writeln!(out, "  {}", shell::command(&summary.next_arguments()))?)
}

/// Asks the training process of a run folder to stop. As with Ctrl-C, the current generation is finished if that takes
/// at most five seconds. Returns the process ID, if known, without waiting for the process.
pub(crate) fn request(folder: &Path) -> anyhow::Result<Option<u32>> {
    if !folder.join("run.toml").exists() {
        return Err(FolderError::NoRun(folder.into()).into());
    }
    if !Lock::is_held(folder) {
        bail!("no process is training in {}", folder.display());
    }
    let holder = Lock::holder(folder);
    StopFile::of(folder).create()?;
    Ok(holder)
}

const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// If we have to wait longer than this, we tell the user.
const SHOWN_AFTER: Duration = Duration::from_secs(2);

/// Waits until the process has released the folder. Returns a summary of the run, which may even be complete, if it
/// ended before the process noticed the request.
fn wait(folder: &Path, holder: Option<u32>) -> anyhow::Result<Summary> {
    let begun = Instant::now();
    let mut is_shown = false;
    // If the lock's holder changes, another process has started training in the folder, so we stop waiting.
    while Lock::is_held(folder) && Lock::holder(folder) == holder {
        if begun.elapsed() >= SHOWN_AFTER && !is_shown {
            say("waiting for the current generation");
            is_shown = true;
        }
        thread::sleep(POLL_INTERVAL);
    }
    // The process may not have noticed our request, because it was about to release the folder, so remove the request.
    if !Lock::is_held(folder) {
        let _ = StopFile::of(folder).remove();
    }
    Ok(Summary::of(folder)?)
}
