//! Processes that requests start: `ayo train`, `resume` and `match`, as one would type them. Each outlives the
//! server, and is a group of its own, so that Ctrl-C does not reach it.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
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

/// That something has been asked for, in the words of the interface.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Answered {
    Begun { id: String },
    Stopping { id: String },
}

/// Names of what is about to begin.
type Names = Arc<Mutex<HashSet<(Purpose, String)>>>;

/// A name that nobody else can begin something under as long as it is held.
pub(super) struct Reserved {
    purpose: Purpose,
    id: String,
    names: Names,
}

impl Reserved {
    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.remove(&(self.purpose, self.id.clone()));
    }
}

/// The refusal of a name that is reserved.
pub(super) fn being_begun(id: &str) -> Refusal {
    Refusal::conflict(format!("{id:?} is being begun by another request"))
}

/// The processes of a server.
pub(super) struct Jobs {
    names: Names,
    running: Arc<AtomicUsize>,
    ends: Sender<Ended>,
}

impl Default for Jobs {
    fn default() -> Jobs {
        Jobs { names: Arc::default(), running: Arc::default(), ends: channel(KEPT).0 }
    }
}

impl Jobs {
    /// Hears of every process that ends from now on.
    pub(super) fn ends(&self) -> Receiver<Ended> {
        self.ends.subscribe()
    }

    /// Keeps a name for one who begins something. `None` if it is being begun.
    pub(super) fn reserve(&self, purpose: Purpose, id: &str) -> Option<Reserved> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = names.insert((purpose, id.to_owned()));
        is_new.then(|| Reserved { purpose, id: id.into(), names: Arc::clone(&self.names) })
    }

    /// Starts this program with some arguments, and returns once `is_under_way` or the process has ended.
    ///
    /// # Errors
    /// If it cannot be started, or fails at once: with what it says.
    pub(super) async fn begin(
        &self,
        place: &Reserved,
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
        let (id, purpose) = (place.id.clone(), place.purpose);
        let ended = Ended { id, purpose, ended: true, error: None };
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

/// The line that says what is wrong, or else the last, without the name of the program.
fn last_words(said: ChildStderr) -> Option<String> {
    let lines = BufReader::new(said).split(b'\n').map_while(Result::ok);
    let lines = lines.map(|line| String::from_utf8_lossy(&line).trim().to_owned());
    let (mut refusal, mut last) = (None, None);
    for line in lines.filter(|line| !line.is_empty()) {
        if let Some(said) = line.strip_prefix("error: ") {
            refusal.get_or_insert_with(|| said.to_owned());
        }
        last = Some(line);
    }
    refusal.or_else(|| last.map(|line| line.strip_prefix("ayo: ").unwrap_or(&line).to_owned()))
}
