//! `--detach`: trains in a process that outlives the terminal.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use evolve::run::{LOG, argument};
use mancala::store;

use crate::terminal::{shell, shown};

/// Environment variable by which the detached process knows that it is detached.
#[cfg(unix)]
const DETACHED: &str = "AYO_DETACHED";

/// Runs this command again in a new session, and waits until training starts or the command ends. Returns `None` in the
/// new process, which then trains.
#[cfg(unix)]
pub(super) fn start(out: &mut dyn Write) -> anyhow::Result<Option<ExitCode>> {
    use std::io::Read;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    if std::env::var_os(DETACHED).is_some() {
        nix::unistd::setsid()?;
        return Ok(None);
    }
    let (mut command, mut words) = (Command::new(std::env::current_exe()?), std::env::args_os());
    command.arg0(words.next().unwrap_or_default()).args(words).env(DETACHED, "1");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut said = String::new();
    child.stdout.take().expect("standard output is piped").read_to_string(&mut said)?;
    out.write_all(said.as_bytes())?;
    // If the process has printed something to standard output, it trains or has nothing to do. If not, it has failed.
    let code = if said.is_empty() { child.wait()?.code().unwrap_or(1) } else { 0 };
    Ok(Some(ExitCode::from(code as u8)))
}

#[cfg(not(unix))]
pub(super) fn start(_out: &mut dyn Write) -> anyhow::Result<Option<ExitCode>> {
    Err(crate::terminal::usage("--detach is only supported on Linux and macOS"))
}

/// Prints that the run is trained by this process in the background, and sends all further output to its log.
pub(super) fn release(folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let (path, argument, id) = (folder.join(LOG), argument(folder), std::process::id());
    let log = store::open_to_append(&path)?;
    writeln!(out, "run {} trains in the background as process {id}", shown(folder))?;
    writeln!(out, "  {}", shell::command(&["follow", &argument]))?;
    writeln!(out, "  {}", shell::command(&["stop", &argument]))?;
    out.flush()?;
    #[cfg(unix)]
    {
        nix::unistd::dup2_stdout(&log)?;
        nix::unistd::dup2_stderr(&log)?;
    }
    drop(log);
    Ok(())
}
