//! The environment of a test: a temporary folder, and the processes started in it.

use std::fs;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures_util::FutureExt;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::runtime;
use tokio::time::timeout;

use crate::page::{Page, Screen};
use crate::programs;
use crate::server::Server;

const TEST_TIMEOUT: Duration = Duration::from_secs(180);
const COMMAND_TIMEOUT: Duration = Duration::from_secs(90);

/// A folder that is removed at the end of the test, along with every process that works in it.
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

    /// Returns a command that runs the program under test in this folder. The process is killed when dropped.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(programs::ayo());
        command.args(line.split_whitespace()).current_dir(self.folder.path()).kill_on_drop(true);
        command.env("AYO_TABLES", self.path("tables")).stdin(Stdio::null());
        command
    }

    pub async fn ayo(&self, line: &str) -> String {
        let output = timeout(COMMAND_TIMEOUT, self.command(line).output()).await;
        let output = output.unwrap_or_else(|_| panic!("ayo {line} takes too long")).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "ayo {line}: {}: {errors}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    pub async fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.ayo(&format!("{line} --json")).await).unwrap()
    }

    pub fn start(&self, line: &str) -> Child {
        let mut command = self.command(line);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub async fn serve(&self) -> Server {
        Server::start(self, 0).await
    }
}

/// Kills all processes that name the folder in their arguments, since not all of them are children of the test.
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

pub struct Scene {
    pub page: Page,
    pub server: Server,
    pub stage: Stage,
}

/// Runs a test if a browser is installed. All processes end with the test, even if the test fails.
pub fn in_browser(screen: Screen, test: impl AsyncFnOnce(&mut Scene)) {
    let Some(browser) = programs::browser() else { return };
    programs::ayo();
    let threads = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    threads.block_on(async {
        let stage = Stage::default();
        let server = stage.serve().await;
        let page = Page::start(browser, &stage.path("profile"), screen).await;
        let mut scene = Scene { page, server, stage };
        let acted = timeout(TEST_TIMEOUT, test(&mut scene));
        let acted = AssertUnwindSafe(acted).catch_unwind().await;
        if !matches!(acted, Ok(Ok(()))) {
            scene.page.describe().await;
        }
        let complaints = scene.page.end().await;
        match acted {
            Ok(Ok(())) => assert_eq!(complaints, Vec::<String>::new(), "the browser complains"),
            Ok(Err(_)) => panic!("the test is not over after {TEST_TIMEOUT:?}"),
            Err(panic) => resume_unwind(panic),
        }
    });
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let copied = std::process::Command::new("cp").arg("-r").arg(from.join(".")).arg(to).status();
    assert!(copied.unwrap().success());
}
