//! Processes with limited resources.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::job::expand;
use crate::sandbox::Sandbox;

/// Address space limit per process, in bytes.
const MEMORY: u64 = 8 << 30;
const PAUSE: Duration = Duration::from_millis(2);

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) line: String,
    pub(crate) status: ExitStatus,
    pub(crate) stderr: String,
    /// Whether the process was killed because it took too long.
    pub(crate) late: bool,
}

pub(crate) struct Running {
    line: String,
    pub(crate) child: Child,
    begun: Instant,
    stderr: File,
}

pub(crate) fn start(
    sandbox: &Sandbox,
    folder: &Path,
    line: &str,
    variable: Option<(&str, &str)>,
) -> Running {
    // Use a file, since a full pipe would block the process.
    let stderr = tempfile::tempfile().expect("a temporary file");
    let line = expand(line);
    let mut command = Command::new(sandbox.ayo());
    command
        .args(shlex::split(&line).expect("closed quotes"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    // Never use the user's tables.
    command.env("AYO_TABLES", "tables").envs(variable);
    command.stderr(stderr.try_clone().expect("a handle"));
    limit(&mut command);
    let child = command.spawn().expect("the program starts");
    Running { line, child, begun: Instant::now(), stderr }
}

fn limit(command: &mut Command) {
    let limited = || {
        let limit = libc::rlimit { rlim_cur: MEMORY, rlim_max: MEMORY };
        // SAFETY: the call only reads `limit` and does not allocate.
        match unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: only system calls are made between fork and exec.
    unsafe { command.pre_exec(limited) };
}

/// Runs a command line, and kills the process if it exceeds the time limit.
pub(crate) fn run(sandbox: &Sandbox, folder: &Path, line: &str, within: Duration) -> Ended {
    start(sandbox, folder, line, None).end(within)
}

impl Running {
    /// Waits until this time after the start, or until the process ends if that is earlier.
    pub(crate) fn wait(&mut self, until: Duration) {
        while self.begun.elapsed() < until && self.child.try_wait().expect("a child").is_none() {
            thread::sleep(PAUSE.min(until.saturating_sub(self.begun.elapsed())));
        }
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none()
    }

    pub(crate) fn signal(&self, signal: i32) {
        // SAFETY: the child has not been waited for, so the process ID still belongs to it.
        unsafe { libc::kill(self.child.id() as i32, signal) };
    }

    /// Waits for the process to end, and kills it once this much time has passed since its start.
    pub(crate) fn end(mut self, within: Duration) -> Ended {
        self.wait(within);
        let late = self.child.try_wait().expect("a child").is_none();
        if late {
            self.signal(libc::SIGKILL);
        }
        let status = self.child.wait().expect("a child");
        Ended { line: self.line, status, stderr: text(self.stderr), late }
    }
}

fn text(mut file: File) -> String {
    const MOST: u64 = 1 << 20;
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.take(MOST).read_to_end(&mut bytes)).expect("a temporary file");
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Ended {
    pub(crate) fn was_killed(&self) -> bool {
        matches!(self.status.signal(), Some(libc::SIGKILL | libc::SIGTERM | libc::SIGABRT))
    }

    pub(crate) fn succeeded(&self) -> Result<(), String> {
        if self.status.success() && !self.late { Ok(()) } else { Err(self.summary()) }
    }

    /// Checks that the process succeeded or failed with an error: no panic, no signal, no hang.
    pub(crate) fn ended_properly(&self) -> Result<(), String> {
        let refused = self.stderr.starts_with("ayo: ");
        match self.status.code() {
            _ if self.late || self.stderr.contains("panicked at") => Err(self.summary()),
            Some(0 | 3 | 4 | 130) => Ok(()),
            Some(1 | 2) if refused => Ok(()),
            _ => Err(self.summary()),
        }
    }

    pub(crate) fn summary(&self) -> String {
        let how = if self.late { "took too long".into() } else { self.status.to_string() };
        let said: String = self.stderr.trim_end().chars().take(400).collect();
        format!("ayo {}: {how}: {said}", self.line)
    }
}
