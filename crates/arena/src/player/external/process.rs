//! A running program that is spoken to in lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::pipe::Pipe;
use crate::os;

/// Lines that are read ahead: a program that prints more waits.
const READ_AHEAD: usize = 256;

/// A longer line, in bytes, comes in pieces.
const LONGEST_LINE: u64 = 16 * 1024;

/// How long a program has to leave after it was told to.
const GRACE: Duration = Duration::from_millis(500);

/// How long to wait before looking again whether a program has left.
const GLANCE: Duration = Duration::from_millis(2);

/// The process numbers of running programs, which are also those of their groups. A program is waited for
/// only under this lock, so that a number that is killed cannot belong to another process by then.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A running program. It does not outlive this value: it is told to quit, and if it does not, it is
/// killed. What it has started in its group is killed in any case.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// How it ended, once that is known.
    status: Option<ExitStatus>,
    /// Lines to be written, by a thread of their own: a program that does not read holds up only that.
    /// None once it has been told to quit.
    input: Option<Sender<String>>,
    lines: Receiver<String>,
    complaint: Arc<Mutex<String>>,
    /// Reads its error output.
    listener: JoinHandle<()>,
    /// Set once nobody is to read or write its pipes any more.
    ended: Arc<AtomicBool>,
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
        os::die_with_its_starter(&mut command);
        let mut child = {
            let mut running = running();
            let child = start(command)?;
            running.push(child.id());
            child
        };
        let ended = Arc::new(AtomicBool::new(false));
        let input = Pipe::new(child.stdin.take().expect("it is piped"), &ended);
        let (input_sender, said) = mpsc::channel();
        thread::spawn(move || write_lines(input, &said));
        let output = Pipe::new(child.stdout.take().expect("it is piped"), &ended);
        let errors = Pipe::new(child.stderr.take().expect("it is piped"), &ended);
        let (sender, lines) = mpsc::sync_channel(READ_AHEAD);
        thread::spawn(move || each_line(output, |line| sender.send(line).is_ok()));
        let complaint = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&complaint);
        let listener = thread::spawn(move || each_line(errors, |line| keep(&last, line)));
        let input = Some(input_sender);
        Ok(Process { child, status: None, input, lines, complaint, listener, ended })
    }

    /// Has a line written to it, and does not wait until it reads it. An error means that it has closed
    /// its input.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        input.send(format!("{line}\n")).map_err(|_| io::ErrorKind::BrokenPipe.into())
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
        while self.look().is_none() && begun.elapsed() < GRACE {
            thread::sleep(GLANCE);
        }
        self.status
    }

    /// Ends it, and whatever it has started, at once.
    pub(super) fn kill(&mut self) {
        if self.look().is_none() {
            let mut running = running();
            kill_group(self.child.id(), Some(&mut self.child));
            let status = self.child.wait();
            self.bury(status.ok(), &mut running);
        }
    }

    /// How it ended, if it has. What it has left behind in its group is then killed.
    fn look(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let mut running = running();
            if let Ok(Some(status)) = self.child.try_wait() {
                // Its number stays taken while its group has a process, and it had one a moment ago.
                kill_group(self.child.id(), None);
                self.bury(Some(status), &mut running);
            }
        }
        self.status
    }

    fn bury(&mut self, status: Option<ExitStatus>, running: &mut Vec<u32>) {
        self.status = status;
        running.retain(|&id| id != self.child.id());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.say("quit");
        self.input = None;
        if self.departed().is_none() {
            self.kill();
        }
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Starts a program, in a thread that stays as long as the process does: what is to die with its starter
/// dies with the thread.
fn start(command: Command) -> io::Result<Child> {
    type Order = (Command, Sender<io::Result<Child>>);
    static STARTER: LazyLock<Mutex<Sender<Order>>> = LazyLock::new(|| {
        let (orders, ordered) = mpsc::channel::<Order>();
        thread::spawn(move || {
            for (mut command, answer) in ordered {
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(orders)
    });
    let (answer, answered) = mpsc::channel();
    let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
    let starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    starter.send((command, answer)).map_err(|_| io::ErrorKind::BrokenPipe)?;
    answered.recv().map_err(gone)?
}

/// Kills all programs that run, with all that they have started, for a process that leaves at once. Any
/// thread that looks after one of them waits from now on, so that this end is not taken for a fault of the engine.
pub(super) fn kill_all() {
    let running = running();
    running.iter().for_each(|&id| kill_group(id, None));
    std::mem::forget(running);
}

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes what comes until either end is closed.
fn write_lines(mut input: impl Write, said: &Receiver<String>) {
    for line in said {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Hands on the lines of a stream, trimmed, until the stream or its reader ends.
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

/// Kills a group; its leader too where it is at hand and there are no groups.
#[cfg(unix)]
fn kill_group(id: u32, leader: Option<&mut Child>) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    let group = i32::try_from(id).map(Pid::from_raw);
    let killed = group.is_ok_and(|group| killpg(group, Signal::SIGKILL).is_ok());
    if let (false, Some(leader)) = (killed, leader) {
        let _ = leader.kill();
    }
}

#[cfg(not(unix))]
fn lead_a_group(_command: &mut Command) {}

#[cfg(not(unix))]
fn kill_group(_id: u32, leader: Option<&mut Child>) {
    if let Some(leader) = leader {
        let _ = leader.kill();
    }
}
