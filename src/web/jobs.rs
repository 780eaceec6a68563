//! Processes that requests start: `ayo train`, `resume` and `match`, as one would type them. Each outlives the
//! server, and is a group of its own, so that Ctrl-C does not reach it.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::time::sleep;

use super::answer::Refusal;

/// Processes of this server at a time.
const MOST: usize = 16;
/// Ends that a slow reader may be behind.
const KEPT: usize = 64;
/// How long a process may take until what it was started for is under way.
const UNDER_WAY: Duration = Duration::from_secs(10);
const A_MOMENT: Duration = Duration::from_millis(20);

/// What a process is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Purpose {
    Run,
    Match,
}

/// A process that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Ended {
    /// What it worked on.
    pub(super) id: String,
    #[serde(rename = "kind")]
    pub(super) purpose: Purpose,
    pub(super) ended: bool,
    /// What it said last, if it failed.
    pub(super) error: Option<String>,
}

/// The processes of a server.
pub(super) struct Jobs {
    running: Arc<AtomicUsize>,
    ends: Sender<Ended>,
}

impl Default for Jobs {
    fn default() -> Jobs {
        Jobs { running: Arc::default(), ends: channel(KEPT).0 }
    }
}

impl Jobs {
    /// Hears of every process that ends from now on.
    pub(super) fn ends(&self) -> Receiver<Ended> {
        self.ends.subscribe()
    }

    /// Starts this program with some arguments, and returns once `is_under_way` or the process has ended.
    ///
    /// # Errors
    /// If it cannot be started, or fails at once: with what it says.
    pub(super) async fn begin(
        &self,
        purpose: Purpose,
        id: &str,
        arguments: &[String],
        is_under_way: impl Fn() -> bool,
    ) -> Result<(), Refusal> {
        if self.running.fetch_add(1, Ordering::Relaxed) >= MOST {
            self.running.fetch_sub(1, Ordering::Relaxed);
            let sentence = format!("{MOST} processes of this server are under way: wait for one");
            return Err(Refusal::busy(sentence));
        }
        let end = Arc::new(Mutex::new(None));
        let child = start(arguments);
        let child = child.inspect_err(|_| {
            self.running.fetch_sub(1, Ordering::Relaxed);
        });
        let child =
            child.map_err(|error| Refusal::failed(format!("ayo cannot start itself: {error}")))?;
        let ended = Ended { id: id.into(), purpose, ended: true, error: None };
        self.watch(child, ended, Arc::clone(&end));
        let begun = Instant::now();
        while !is_under_way() && begun.elapsed() < UNDER_WAY {
            if let Some(ended) = end.lock().unwrap_or_else(PoisonError::into_inner).take() {
                let Ended { error, .. } = ended;
                return error.map_or(Ok(()), |error| Err(Refusal::conflict(error)));
            }
            sleep(A_MOMENT).await;
        }
        Ok(())
    }

    /// Waits for a process on a thread of its own, so that none is left over.
    fn watch(&self, mut child: Child, ended: Ended, end: Arc<Mutex<Option<Ended>>>) {
        let (running, ends) = (Arc::clone(&self.running), self.ends.clone());
        thread::spawn(move || {
            let said = child.stderr.take().and_then(last_words);
            let failed = child.wait().map_or(true, |status| !is_orderly(status.code()));
            let error = failed.then(|| said.unwrap_or_else(|| "it ended without a word".into()));
            let ended = Ended { error, ..ended };
            running.fetch_sub(1, Ordering::Relaxed);
            *end.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended.clone());
            // Nobody may be listening.
            let _ = ends.send(ended);
        });
    }
}

/// Exit codes of a match that decides for H0 or for nothing, and of what was stopped.
fn is_orderly(code: Option<i32>) -> bool {
    matches!(code, Some(0 | 3 | 4 | 130))
}

fn start(arguments: &[String]) -> io::Result<Child> {
    let mut command = Command::new(own_program()?);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.arg0("ayo").process_group(0);
    }
    command.spawn()
}

/// This very program, even if another has taken its place on disk since it was started.
fn own_program() -> io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if running.exists() { Ok(running.into()) } else { std::env::current_exe() }
}

/// The last line that was said, without the name of the program.
fn last_words(stderr: ChildStderr) -> Option<String> {
    let lines = BufReader::new(stderr).split(b'\n').map_while(Result::ok);
    let lines = lines.map(|line| String::from_utf8_lossy(&line).trim().to_owned());
    let last = lines.filter(|line| !line.is_empty()).last()?;
    Some(last.strip_prefix("ayo: ").unwrap_or(&last).to_owned())
}
