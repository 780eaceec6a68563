//! Runs for tests, and how the page displays them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tokio::process::Child;

use crate::page::{Page, retry};
use crate::server::Server;
use crate::stage::{Stage, copy};

/// Settings for a run without finals whose generations take a few hundredths of a second.
pub const SMALL: [(&str, &str); 4] =
    [("population", "12"), ("depth", "3"), ("measure_every", "0"), ("finalist_games", "0")];

impl Stage {
    pub fn run(&self, name: &str) -> PathBuf {
        self.path("runs").join(name)
    }

    pub async fn trained(&self, name: &str, seed: u32, generations: u32) -> PathBuf {
        self.ayo(&small(name, seed, generations)).await;
        self.run(name)
    }

    pub fn training(&self, name: &str, seed: u32, generations: u32) -> Child {
        self.start(&small(name, seed, generations))
    }

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

pub async fn until_recorded(folder: &Path, is_enough: impl Fn(usize) -> bool) {
    retry(async || match recorded(folder) {
        generations if is_enough(generations) => Ok(()),
        generations => Err(format!("{} has {generations} generations", folder.display())),
    })
    .await
}

pub fn recorded(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("history.csv")).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

pub fn checkpoint(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let is_checkpoint = |path: &PathBuf| {
        path.extension().is_some_and(|it| it == "ayo")
            && path.to_string_lossy().contains("/checkpoint-")
    };
    files.filter(is_checkpoint).max()
}

pub async fn in_state(server: &Server, id: &str, state: &str) -> Value {
    retry(async || {
        let run = server.get(&format!("/api/runs/{id}")).await;
        if run["state"] == state { Ok(run) } else { Err(format!("{id} is {}", run["state"])) }
    })
    .await
}

/// Waits until the last generation of the fitness curve satisfies a JavaScript condition.
pub async fn drawn(page: &Page, condition: &str) {
    let generation = "$('[data-chart=fitness] .chart-where').textContent.replace(/\\D/g, '')";
    page.wait(&format!("Number({generation}) {condition}")).await;
}

pub async fn unfold_table(page: &Page) {
    page.unfold("[data-chart='fitness'] details.chart-twin").await;
    page.shown("[data-chart='fitness'] tbody tr").await;
}

/// Returns the generations in the table next to the fitness curve, paging through it as a user would.
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
