//! What a test acts in: a folder of its own, and the processes that it started there.

use std::fs;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures_util::FutureExt;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::runtime;
use tokio::time::timeout;

use crate::page::{Page, Screen};
use crate::programs;
use crate::server::Server;

/// No test takes longer.
const LONGEST: Duration = Duration::from_secs(180);
/// No command that is waited for takes longer.
const COMMAND: Duration = Duration::from_secs(90);

/// A folder that goes when the test ends, with every process that works in it.
pub struct Stage {
    folder: TempDir,
}

impl Default for Stage {
    fn default() -> Stage {
        let folder = tempfile::Builder::new().prefix("ayo-browser-").tempdir().unwrap();
        for name in ["runs", "matches", "tables", "profile"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Stage { folder }
    }
}

impl Stage {
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program under test, to be run here. It is killed when it is dropped.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(programs::ayo());
        command.args(arguments).current_dir(self.folder.path()).kill_on_drop(true);
        command.env("AYO_TABLES", self.path("tables")).stdin(Stdio::null());
        command
    }

    /// What the program prints.
    pub async fn ayo(&self, arguments: &[&str]) -> String {
        let output = timeout(COMMAND, self.command(arguments).output()).await;
        let output = output.unwrap_or_else(|_| panic!("ayo {arguments:?} takes too long")).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "ayo {arguments:?}: {}: {said}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    /// Starts the program beside the test.
    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The server of the folders `runs` and `matches`.
    pub async fn serve(&self) -> Server {
        Server::start(self, 0).await
    }
}

/// Processes that a server or a browser started are no children of the test, but all name its folder.
impl Drop for Stage {
    fn drop(&mut self) {
        let folder = self.folder.path().as_os_str().as_encoded_bytes();
        for id in processes_that_name(folder) {
            let _ = kill(Pid::from_raw(id), Signal::SIGKILL);
        }
    }
}

fn processes_that_name(text: &[u8]) -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let names = |id: &i32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        line.windows(text.len()).any(|part| part == text)
    };
    ids.filter(names).collect()
}

/// A stage with a server and a page.
pub struct Scene {
    pub page: Page,
    pub server: Server,
    pub stage: Stage,
}

/// Runs a test in a browser, or says that there is none. Whatever happens, all that was started ends with it.
pub fn in_browser(screen: Screen, test: impl AsyncFnOnce(&mut Scene)) {
    let Some(browser) = programs::browser() else { return };
    programs::ayo();
    let threads = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    threads.block_on(async {
        let stage = Stage::default();
        let server = stage.serve().await;
        let page = Page::start(browser, &stage.path("profile"), screen).await;
        let mut scene = Scene { page, server, stage };
        let acted = timeout(LONGEST, test(&mut scene));
        let acted = AssertUnwindSafe(acted).catch_unwind().await;
        let failed = !matches!(acted, Ok(Ok(())));
        if failed {
            scene.page.describe().await;
        }
        let complaints = scene.page.end().await;
        match acted {
            Ok(Ok(())) => assert_eq!(complaints, Vec::<String>::new(), "the browser complains"),
            Ok(Err(_)) => panic!("the test is not over after {LONGEST:?}"),
            Err(panic) => resume_unwind(panic),
        }
    });
}

/// A folder and all that is in it, in another place.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
