//! Programs required by the tests.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

#[derive(Debug)]
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

/// Returns the installed browser. If there is none, says so once, even if the output of passing tests is hidden.
pub fn browser() -> Option<&'static Browser> {
    static FOUND: OnceLock<Option<Browser>> = OnceLock::new();
    let look = || {
        let detect =
            || Some(Browser { chromium: on_path("chromium")?, driver: on_path("chromedriver")? });
        detect().or_else(|| {
            let warning = "WARNING: THE TESTS IN A BROWSER ARE NOT RUN: chromium or chromedriver is missing; \
                           apt-get install chromium chromium-driver";
            let _ = writeln!(std::io::stderr(), "{warning}");
            None
        })
    };
    FOUND.get_or_init(look).as_ref()
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the program under test: the one named by `AYO`, or the result of `cargo build`.
pub fn ayo() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let given = |path: PathBuf| {
        // Also try the repository, since cargo runs tests in their package's folder, not in the shell's.
        let absolute = path.canonicalize().or_else(|_| root().join(&path).canonicalize());
        absolute.unwrap_or_else(|error| panic!("AYO={}: {error}", path.display()))
    };
    BUILT.get_or_init(|| env::var_os("AYO").map_or_else(build, |path| given(path.into())))
}

fn build() -> PathBuf {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    // Do not pass cargo's variables for this package on to the other build.
    for (name, _) in env::vars_os() {
        let is_own = |name: &str| {
            name.starts_with("CARGO_") && name != "CARGO_HOME" && name != "CARGO_TARGET_DIR"
        };
        if name.to_str().is_some_and(is_own) {
            cargo.env_remove(name);
        }
    }
    cargo.args(["build", "--bin", "ayo", "--message-format", "json-render-diagnostics"]);
    let output = cargo.current_dir(root()).stderr(Stdio::inherit()).output().expect("cargo runs");
    assert!(output.status.success(), "ayo cannot be built");
    let said = String::from_utf8_lossy(&output.stdout);
    let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let made =
        messages.filter_map(|it| Some(PathBuf::from(it["executable"].as_str()?))).next_back();
    made.expect("cargo names what it built")
}
