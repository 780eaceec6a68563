//! A running program that is spoken to in lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Lines that are read ahead: a program that prints more waits.
const READ_AHEAD: usize = 256;

/// A longer line, in bytes, comes in pieces.
const LONGEST_LINE: u64 = 16 * 1024;

/// How long a program has to leave after it was told to.
const GRACE: Duration = Duration::from_millis(500);

/// How long to wait before looking again whether a program has left.
const GLANCE: Duration = Duration::from_millis(2);

/// A running program. It does not outlive this value: it is told to quit, and if it does not, it and
/// whatever it has started are killed.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// None once it has been told to quit.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaint: Arc<Mutex<String>>,
    /// Reads its error output.
    listener: JoinHandle<()>,
}

/// What comes from a program.
pub(super) enum Heard {
    /// A line.
    Line(String),
    /// Nothing for as long as one was ready to wait.
    Nothing,
    /// Nothing any more: it has ended or closed its output.
    End,
}

impl Process {
    /// Starts a program; the first word is its name or path.
    pub(super) fn spawn(words: &[String]) -> io::Result<Process> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        lead_a_group(&mut command);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("it is piped");
        let errors = child.stderr.take().expect("it is piped");
        let (sender, lines) = mpsc::sync_channel(READ_AHEAD);
        thread::spawn(move || each_line(output, |line| sender.send(line).is_ok()));
        let complaint = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&complaint);
        let listener = thread::spawn(move || each_line(errors, |line| keep(&last, line)));
        Ok(Process { child, input, lines, complaint, listener })
    }

    /// Writes a line to it.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// Waits so long for a line from it.
    pub(super) fn hear(&self, wait: Duration) -> Heard {
        match self.lines.recv_timeout(wait) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// The last line of its error output; empty if there is none. Asked when it has ended, so that
    /// all of it has been or is about to be read.
    pub(super) fn complaint(&self) -> String {
        let begun = Instant::now();
        while !self.listener.is_finished() && begun.elapsed() < GRACE {
            thread::sleep(GLANCE);
        }
        self.complaint.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How it ended, if it does so soon.
    pub(super) fn departed(&mut self) -> Option<ExitStatus> {
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if begun.elapsed() < GRACE => thread::sleep(GLANCE),
                _ => return None,
            }
        }
    }

    /// Ends it, and whatever it has started, at once.
    pub(super) fn kill(&mut self) {
        // A program that has been waited for is gone, and its number may be another's.
        if let Ok(None) = self.child.try_wait() {
            kill_group(&mut self.child);
            let _ = self.child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            let _ = self.say("quit");
            self.input = None;
            if self.departed().is_none() {
                self.kill();
            }
        }
    }
}

/// Hands on the lines of a stream, trimmed, until it ends or nobody wants more.
fn each_line(stream: impl Read, mut wanted: impl FnMut(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    while let Ok(1..) = stream.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
        if !wanted(String::from_utf8_lossy(&bytes).trim().to_owned()) {
            return;
        }
        bytes.clear();
    }
}

/// Remembers a line if it says something; more are always wanted.
fn keep(last: &Mutex<String>, line: String) -> bool {
    if !line.is_empty() {
        *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }
    true
}

/// Makes the program the head of its own group, so that what a starter script has started can be
/// ended with it, and Ctrl-C on the terminal, which is for us, does not end it in mid-move.
#[cfg(unix)]
fn lead_a_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    let group = i32::try_from(child.id()).map(Pid::from_raw);
    if group.is_ok_and(|group| killpg(group, Signal::SIGKILL).is_err()) {
        let _ = child.kill();
    }
}

#[cfg(not(unix))]
fn lead_a_group(_command: &mut Command) {}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}
