//! Runs for tests, and their display on the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::process::Child;
use tokio::time::sleep;

use crate::page::Page;
use crate::server::Server;
use crate::stage::{Stage, copy};

const TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Settings of a run whose generations take some hundredths of a second and that has no finals.
pub const SMALL: [(&str, &str); 4] =
    [("population", "12"), ("depth", "3"), ("measure_every", "0"), ("finalist_games", "0")];

impl Stage {
    pub fn run(&self, name: &str) -> PathBuf {
        self.path("runs").join(name)
    }

    fn small(&self, name: &str, seed: u32, generations: u32) -> Vec<String> {
        let head =
            ["train", "--quiet", "--preset", "quick", "--threads", "1", "--out"].map(str::to_owned);
        let folder = self.run(name).display().to_string();
        let numbers =
            ["--seed".into(), seed.to_string(), "--generations".into(), generations.to_string()];
        let settings =
            SMALL.iter().flat_map(|(key, value)| ["--set".into(), format!("{key}={value}")]);
        head.into_iter().chain([folder]).chain(numbers).chain(settings).collect()
    }

    /// Trains a small run to its end.
    pub async fn trained(&self, name: &str, seed: u32, generations: u32) -> PathBuf {
        let arguments = self.small(name, seed, generations);
        self.ayo(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).await;
        self.run(name)
    }

    /// Starts a small run in the background.
    pub fn training(&self, name: &str, seed: u32, generations: u32) -> Child {
        let arguments = self.small(name, seed, generations);
        self.start(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Copies the run of the repository with learned features to `name`.
    pub fn learned(&self, name: &str) -> PathBuf {
        let folder = self.run(name);
        copy(&crate::programs::root().join("populations/learned"), &folder);
        folder
    }
}

/// Waits for a condition outside the page.
pub async fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(begun.elapsed() < TIMEOUT, "waited in vain for {what}");
        sleep(POLL_INTERVAL).await;
    }
}

/// Returns the number of generations of a run on disk.
pub fn recorded(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("history.csv")).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

/// Returns the newest checkpoint.
pub fn checkpoint(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let is_one = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("checkpoint-") && name.ends_with(".ayo")
    };
    files.filter(is_one).max()
}

/// Waits until a run is in a state, as reported by the server.
pub async fn in_state(server: &Server, id: &str, state: &str) -> Value {
    let begun = Instant::now();
    loop {
        let run = server.get(&format!("/api/runs/{id}")).await;
        if run["state"] == state {
            return run;
        }
        assert!(begun.elapsed() < TIMEOUT, "{id} is {} and not {state}", run["state"]);
        sleep(POLL_INTERVAL).await;
    }
}

/// Opens the table next to a chart.
pub async fn unfold_table(page: &Page, chart: &str) {
    page.unfold(&format!("[data-chart='{chart}'] details.chart-twin")).await;
    page.wait(&format!("the table of {chart}"), &format!("$('[data-chart=\"{chart}\"] tbody tr')"))
        .await;
}

/// Returns the generations in the table next to a chart, read page by page as by a user.
pub async fn generations(page: &Page, chart: &str) -> Vec<u64> {
    let script = "(() => { const at = $(`[data-chart='${arguments[0]}']`); \
                  const press = way => { const it = at.querySelector(`[data-page=${way}]:not(:disabled)`); \
                  it?.click(); return Boolean(it); }; \
                  while (press('earlier')); \
                  const rows = []; \
                  do rows.push(...[...at.querySelectorAll('tbody tr')].map(row => row.firstElementChild.textContent)); \
                  while (press('later')); \
                  return rows; })()";
    let rows = page.js_with(script, &[json!(chart)]).await;
    let number = |it: &Value| {
        it.as_str().unwrap().replace(',', "").parse().unwrap_or_else(|_| panic!("a row is {it}"))
    };
    rows.as_array().unwrap().iter().map(number).collect()
}
