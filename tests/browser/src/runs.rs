//! Runs for tests, and their display on the page.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tokio::process::Child;

use crate::page::{Page, retry};
use crate::server::Server;
use crate::stage::{Stage, copy};

/// Settings of a run whose generations take some hundredths of a second and that has no finals.
pub const SMALL: [(&str, &str); 4] =
    [("population", "12"), ("depth", "3"), ("measure_every", "0"), ("finalist_games", "0")];

impl Stage {
    pub fn run(&self, name: &str) -> PathBuf {
        self.path("runs").join(name)
    }

    /// Trains a small run to its end.
    pub async fn trained(&self, name: &str, seed: u32, generations: u32) -> PathBuf {
        self.ayo(&small(name, seed, generations)).await;
        self.run(name)
    }

    /// Starts a small run in the background.
    pub fn training(&self, name: &str, seed: u32, generations: u32) -> Child {
        self.start(&small(name, seed, generations))
    }

    /// Copies the run of the repository with learned features to `name`.
    pub fn learned(&self, name: &str) -> PathBuf {
        let folder = self.run(name);
        copy(&crate::programs::root().join("populations/learned"), &folder);
        folder
    }
}

fn small(name: &str, seed: u32, generations: u32) -> String {
    let settings: String = SMALL.map(|(key, value)| format!(" --set {key}={value}")).concat();
    format!(
        "train --quiet --preset quick --threads 1 --out runs/{name} --seed {seed} --generations {generations}{settings}"
    )
}

/// Waits until a run on disk has a number of generations that is enough.
pub async fn until_recorded(folder: &Path, is_enough: impl Fn(usize) -> bool) {
    retry(async || match recorded(folder) {
        generations if is_enough(generations) => Ok(()),
        generations => Err(format!("{} has {generations} generations", folder.display())),
    })
    .await
}

/// Returns the number of generations of a run on disk.
pub fn recorded(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("history.csv")).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

/// Returns the newest checkpoint.
pub fn checkpoint(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let is_checkpoint = |path: &PathBuf| {
        path.extension().is_some_and(|it| it == "ayo")
            && path.to_string_lossy().contains("/checkpoint-")
    };
    files.filter(is_checkpoint).max()
}

/// Waits until a run is in a state, as reported by the server.
pub async fn in_state(server: &Server, id: &str, state: &str) -> Value {
    retry(async || {
        let run = server.get(&format!("/api/runs/{id}")).await;
        if run["state"] == state { Ok(run) } else { Err(format!("{id} is {}", run["state"])) }
    })
    .await
}

/// Waits until the fitness curve ends at a generation for which a condition in JavaScript is true.
pub async fn drawn(page: &Page, condition: &str) {
    let generation = "$('[data-chart=fitness] .chart-where').textContent.replace(/\\D/g, '')";
    page.wait(&format!("Number({generation}) {condition}")).await;
}

/// Opens the table next to the fitness curve.
pub async fn unfold_table(page: &Page) {
    page.unfold("[data-chart='fitness'] details.chart-twin").await;
    page.shown("[data-chart='fitness'] tbody tr").await;
}

/// Returns the generations in the table next to the fitness curve, read page by page as by a user.
pub async fn generations(page: &Page) -> Vec<u64> {
    let script = "(() => { const at = $('[data-chart=fitness]'); \
                  const press = way => { const it = at.querySelector(`[data-page=${way}]:not(:disabled)`); \
                  it?.click(); return Boolean(it); }; \
                  while (press('earlier')); \
                  const rows = []; \
                  do rows.push(...[...at.querySelectorAll('tbody tr')].map(row => \
                  Number(row.firstElementChild.textContent.replace(/,/g, '')))); \
                  while (press('later')); \
                  return rows; })()";
    serde_json::from_value(page.js(script).await).unwrap()
}
