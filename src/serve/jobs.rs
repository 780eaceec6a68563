//! Processes that we start on request: `ayo train`, `resume` and `match`. They continue after the server exits. Each
//! process has its own process group, so that a Ctrl-C in the server's terminal doesn't stop it.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::Json;
use serde_json::{Value, json};
use tokio::sync::broadcast::{Sender, channel};
use tokio::sync::{Mutex, MutexGuard, Semaphore, oneshot};
use tokio::time::timeout;

use super::{ApiError, ApiResult};

const MAX_PROCESSES: usize = 16;
/// The maximum number of messages that are buffered for readers that have fallen behind.
const BACKLOG: usize = 64;
/// How long a request waits for its process to start working.
const START_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Creates the response to a request to start or stop a process. `kind` is `begun` or `stopping`.
pub(super) fn job_response(kind: &str, id: &str) -> Json<Value> {
    Json(json!({ "kind": kind, "id": id }))
}

pub(super) struct Jobs {
    /// This lock is held while a request chooses an unused name and starts a process.
    starting: Mutex<()>,
    running: Arc<Semaphore>,
    /// A channel for messages about processes that have exited: the run or match, and the error if the process failed.
    pub(super) ends: Sender<Value>,
}

impl Default for Jobs {
    fn default() -> Jobs {
        let running = Arc::new(Semaphore::new(MAX_PROCESSES));
        Jobs { starting: Mutex::default(), running, ends: channel(BACKLOG).0 }
    }
}

impl Jobs {
    /// Waits until no other request is starting a process.
    pub(super) async fn starting(&self) -> ApiResult<MutexGuard<'_, ()>> {
        let guard = timeout(START_TIMEOUT, self.starting.lock()).await;
        guard.map_err(|_| ApiError::busy("other processes are being started; try again"))
    }

    /// Starts this program in a new process. Waits a limited time for the process to begin its work or to exit.
    pub(super) async fn start(
        &self,
        kind: &'static str,
        id: &str,
        arguments: &[String],
        is_running: impl Fn() -> bool,
    ) -> ApiResult<()> {
        let permit = Arc::clone(&self.running).try_acquire_owned().map_err(|_| {
            let message = format!(
                "this server is already running {MAX_PROCESSES} processes; wait for one to finish"
            );
            ApiError::busy(message)
        })?;
        let mut child = spawn(arguments)
            .map_err(|error| ApiError::internal(format!("cannot start ayo: {error}")))?;
        let (id, ends) = (id.to_owned(), self.ends.clone());
        let (sender, mut failure) = oneshot::channel();
        thread::spawn(move || {
            let message = child.stderr.take().and_then(error_message);
            let code = child.wait().ok().and_then(|status| status.code());
            drop(permit);
            // None of these exit codes is a failure: 3 and 4 are results of matches, and 130 is an interruption.
            let failure = (!matches!(code, Some(0 | 3 | 4 | 130))).then(|| {
                (code, message.unwrap_or_else(|| "the process ended without a message".into()))
            });
            // Ignore send errors, because the request may have been answered already, and there may be no open page.
            let error = failure.as_ref().map(|(_, message)| message.clone());
            let _ = sender.send(failure);
            let end = json!({ "id": id, "kind": kind, "ended": true, "error": error });
            let _ = ends.send(end);
        });
        let begun = Instant::now();
        while !is_running() && begun.elapsed() < START_TIMEOUT {
            if let Ok(failure) = timeout(POLL_INTERVAL, &mut failure).await {
                return match failure.ok().flatten() {
                    None => Ok(()),
                    // Code 2 means an invalid argument. The client sent a field, not a flag, so we remove the dashes.
                    Some((Some(2), message)) => {
                        Err(ApiError::bad_request(match message.strip_prefix("--set: ") {
                            Some(setting) => format!("settings: {setting}"),
                            None => message.trim_start_matches("--").into(),
                        }))
                    }
                    Some((_, message)) => Err(ApiError::conflict(message)),
                };
            }
        }
        Ok(())
    }
}

/// Rejects names of runs and matches that aren't safe in a path, on a command line or in the page.
pub(super) fn check_name(field: &str, name: &str) -> ApiResult<()> {
    let is_valid = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let begins_well = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    if name.len() <= 64 && begins_well && name.chars().all(is_valid) {
        return Ok(());
    }
    let rule = "use at most 64 letters, digits, dots, dashes and underscores, starting with a letter or digit";
    Err(ApiError::bad_request(format!("{field} is {name:?}: {rule}")))
}

fn spawn(arguments: &[String]) -> io::Result<Child> {
    // On Linux, this is the running program, even if its file has been replaced since.
    let running = Path::new("/proc/self/exe");
    let own = if running.exists() { running.into() } else { std::env::current_exe()? };
    let mut command = Command::new(own);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.arg0("ayo").process_group(0);
    }
    command.spawn()
}

/// Returns a process's last error message, or its last line if there is no error message.
fn error_message(stderr: ChildStderr) -> Option<String> {
    let lines = BufReader::new(stderr).split(b'\n').map_while(Result::ok);
    let (mut error, mut last) = (None, None);
    for line in lines {
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if let Some(message) = line.strip_prefix("ayo: ") {
            error = Some(message.to_owned());
        } else if !line.is_empty() {
            last = Some(line);
        }
    }
    error.or(last)
}
