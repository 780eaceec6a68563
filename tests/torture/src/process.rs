//! A process under limits.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::workplace::Workplace;

/// Address space that a process may take.
const MEMORY: u64 = 2 << 30;
/// Time between two looks at a process.
const PAUSE: Duration = Duration::from_millis(2);

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The line that was run.
    pub(crate) line: String,
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Whether it was killed for the time it took.
    pub(crate) late: bool,
}

/// A process that runs.
pub(crate) struct Running {
    line: String,
    pub(crate) child: Child,
    begun: Instant,
    stdout: File,
    stderr: File,
}

/// Starts a line of arguments in a folder, with variables of the environment.
pub(crate) fn start(
    workplace: &Workplace,
    folder: &Path,
    line: &str,
    environment: &[(&str, &str)],
) -> Running {
    // Files and not pipes, which a process would wait at once they are full.
    let [stdout, stderr] = [(); 2].map(|()| tempfile::tempfile().expect("a temporary file"));
    let mut command = Command::new(workplace.ayo());
    command.args(words(line)).current_dir(folder);
    // Never those of the user.
    command.env("AYO_TABLES", "tables").envs(environment.iter().copied());
    command.stdin(Stdio::null());
    command
        .stdout(stdout.try_clone().expect("a handle"))
        .stderr(stderr.try_clone().expect("a handle"));
    limit(&mut command, MEMORY);
    let child = command.spawn().expect("the program starts");
    Running { line: line.into(), child, begun: Instant::now(), stdout, stderr }
}

/// Words separated by blanks; in single quotes blanks are literal.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Bounds the memory of a process to be.
pub(crate) fn limit(command: &mut Command, memory: u64) {
    let limited = move || {
        let limit = libc::rlimit { rlim_cur: memory, rlim_max: memory };
        // SAFETY: the call reads `limit` alone, and allocates nothing.
        match unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: between fork and exec only system calls are made.
    unsafe { command.pre_exec(limited) };
}

/// Runs a line to its end, or until it took too long.
pub(crate) fn run(
    workplace: &Workplace,
    folder: &Path,
    line: &str,
    environment: &[(&str, &str)],
    within: Duration,
) -> Ended {
    start(workplace, folder, line, environment).end(within)
}

impl Running {
    /// Waits for a time, or for the end if that comes before.
    pub(crate) fn wait(&mut self, until: Duration) {
        while self.begun.elapsed() < until && self.child.try_wait().expect("a child").is_none() {
            thread::sleep(PAUSE.min(until.saturating_sub(self.begun.elapsed())));
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: i32) {
        // SAFETY: the child is not waited for yet, so that the number is still its own.
        unsafe { libc::kill(self.child.id() as i32, signal) };
    }

    /// Waits for the end; a process that takes longer than this since it began is killed.
    pub(crate) fn end(mut self, within: Duration) -> Ended {
        self.wait(within);
        let late = self.child.try_wait().expect("a child").is_none();
        if late {
            self.signal(libc::SIGKILL);
        }
        let status = self.child.wait().expect("a child");
        let [stdout, stderr] = [self.stdout, self.stderr].map(text);
        Ended { line: self.line, status, stdout, stderr, late }
    }
}

/// The beginning of what was printed.
fn text(mut file: File) -> String {
    const MOST: u64 = 1 << 20;
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.take(MOST).read_to_end(&mut bytes)).expect("a temporary file");
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Ended {
    /// Whether a signal of ours ended it.
    pub(crate) fn was_killed(&self) -> bool {
        matches!(self.status.signal(), Some(libc::SIGKILL | libc::SIGTERM | libc::SIGABRT))
    }

    /// That it did its work.
    pub(crate) fn succeeded(&self) -> Result<(), String> {
        if self.status.success() && !self.late { Ok(()) } else { Err(self.said()) }
    }

    /// That it did its work or refused in a sentence: no panic, no signal, no hang.
    pub(crate) fn was_civil(&self) -> Result<(), String> {
        let refused = self.stderr.starts_with("ayo: ");
        match self.status.code() {
            _ if self.late || self.stderr.contains("panicked at") => Err(self.said()),
            Some(0 | 3 | 4 | 130) => Ok(()),
            // What was replayed or checked is printed, and not so is a failure alone.
            Some(1 | 2) if refused || !self.stdout.is_empty() => Ok(()),
            _ => Err(self.said()),
        }
    }

    /// What was run and what came of it.
    pub(crate) fn said(&self) -> String {
        let how = if self.late { "took too long".into() } else { self.status.to_string() };
        let said: String = self.stderr.trim_end().chars().take(400).collect();
        format!("ayo {}: {how}: {said}", self.line)
    }
}
