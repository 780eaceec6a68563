//! A child process that reads and writes lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::os;

/// The number of lines to read ahead. A program that prints more lines has to wait until we have processed some.
const READ_AHEAD: usize = 256;

/// The maximum length of a line in bytes. Longer lines are split.
const MAX_LINE: u64 = 16 * 1024;

/// How long to wait for a program to exit after `quit`.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

const EXIT_POLL: Duration = Duration::from_millis(2);

/// The PIDs of running programs, which are also their process group IDs. We only reap child processes while we hold
/// this lock, so no ID in this list can be reused.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A running program. On drop, we tell it to quit, kill it if it doesn't, and then kill the rest of its process group.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    status: Option<ExitStatus>,
    /// Sends lines to a thread that writes them, because writing may block. This is `None` once we have sent `quit`.
    input: Option<Sender<String>>,
    /// The lines of output, until the program exits or closes its output.
    pub(super) lines: Receiver<String>,
    last_error_line: Arc<Mutex<String>>,
    error_reader: JoinHandle<()>,
}

impl Process {
    /// Starts a program. `words` contains its name or path, followed by its arguments.
    pub(super) fn spawn(words: &[String]) -> io::Result<Process> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        create_group(&mut command);
        os::kill_with_parent(&mut command);
        let mut child = {
            let mut running = running();
            let child = start(command)?;
            running.push(child.id());
            child
        };
        let mut input = child.stdin.take().expect("a piped stream");
        let (input_sender, to_write) = mpsc::channel::<String>();
        thread::spawn(move || to_write.iter().all(|line| input.write_all(line.as_bytes()).is_ok()));
        let output = child.stdout.take().expect("a piped stream");
        let errors = child.stderr.take().expect("a piped stream");
        let (sender, lines) = mpsc::sync_channel(READ_AHEAD);
        thread::spawn(move || each_line(output, |line| sender.send(line).is_ok()));
        let last_error_line = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&last_error_line);
        let error_reader = thread::spawn(move || {
            each_line(errors, |line| {
                if !line.is_empty() {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
                true
            });
        });
        let input = Some(input_sender);
        Ok(Process { child, status: None, input, lines, last_error_line, error_reader })
    }

    /// Queues a line, and doesn't wait for the program to read it. Fails if the program has closed its input.
    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        input.send(format!("{line}\n")).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Returns the last line of the error output, after waiting briefly for the output to end.
    pub(super) fn last_error_line(&self) -> String {
        wait_until(|| self.error_reader.is_finished());
        self.last_error_line.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits briefly for the program to exit and returns its status.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        wait_until(|| self.poll().is_some());
        self.status
    }

    pub(super) fn kill(&mut self) {
        if self.poll().is_none() {
            let mut running = running();
            kill_group(self.child.id());
            let _ = self.child.kill();
            let status = self.child.wait();
            self.remove(status.ok(), &mut running);
        }
    }

    /// Returns the exit status if the program has exited. In this case, also kills the rest of its process group.
    fn poll(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut running = running();
            if let Ok(Some(status)) = self.child.try_wait() {
                // The ID still belongs to the group or, if the group is empty, hasn't had time to be reused.
                kill_group(self.child.id());
                self.remove(Some(status), &mut running);
            }
        }
        self.status
    }

    fn remove(&mut self, status: Option<ExitStatus>, running: &mut Vec<u32>) {
        self.status = status;
        running.retain(|&id| id != self.child.id());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.write("quit");
        self.input = None;
        if self.exit_status().is_none() {
            self.kill();
        }
    }
}

/// Starts a program on this thread's cores. We spawn it from a thread that never exits, because
/// [`os::kill_with_parent`] would kill the program together with its parent thread.
fn start(command: Command) -> io::Result<Child> {
    type Request = (Command, os::Cores, Sender<io::Result<Child>>);
    static STARTER: LazyLock<Mutex<Sender<Request>>> = LazyLock::new(|| {
        let (sender, requests) = mpsc::channel::<Request>();
        thread::spawn(move || {
            for (mut command, cores, answer) in requests {
                os::pin(&cores);
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(sender)
    });
    let (answer, answered) = mpsc::channel();
    let starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    starter.send((command, os::cores(), answer)).map_err(|_| io::ErrorKind::BrokenPipe)?;
    answered.recv().map_err(|_| io::ErrorKind::BrokenPipe)?
}

/// Kills all external engines and their child processes before this process exits. We never release the lock, so other
/// threads block instead of starting engines or reporting errors.
pub fn kill_engines() {
    let running = running();
    running.iter().for_each(|&id| kill_group(id));
    std::mem::forget(running);
}

fn wait_until(mut has_happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !has_happened() && begun.elapsed() < EXIT_TIMEOUT {
        thread::sleep(EXIT_POLL);
    }
}

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `act` with each trimmed line of a stream until the stream ends or `act` returns false.
fn each_line(stream: impl Read, mut act: impl FnMut(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    while let Ok(1..) = stream.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
        if !act(String::from_utf8_lossy(&bytes).trim().to_owned()) {
            return;
        }
        bytes.clear();
    }
}

/// Puts a program in its own process group, so that it doesn't receive Ctrl-C, and we can kill its child processes.
fn create_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills a process group on Unix, and does nothing on other systems.
fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(id) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}
