//! Starts, stops and resumes runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use crate::serve::{ApiError, ApiResult, PathParam, Shared, check_name, check_range, job_response};
use crate::train::stop;
use evolve::run::RunFolder;
use mancala::store::Lock;

const MAX_SECONDS: u64 = 366 * 24 * 3600;
/// A run for which the request gives neither a name nor a seed gets the first free seed. This is the last one that is
/// tried.
const MAX_DEFAULT_SEED: u64 = 100_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct RunOptions {
    preset: String,
    seed: Option<u64>,
    name: Option<String>,
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct ResumeOptions {
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
}

/// Starts a run as a separate process.
pub(in crate::serve) async fn start(
    State(state): Shared,
    Json(options): Json<RunOptions>,
) -> ApiResult<Json<Value>> {
    let limits = limits(options.seconds, options.generations, options.threads)?;
    options.check()?;
    let _starting = state.jobs.starting().await?;
    let (id, path, seed) = options.free_name(&state.runs.folder)?;
    let mut arguments = vec!["train".into(), format!("--preset={}", options.preset)];
    arguments.extend(["--out".into(), path_argument(&path)]);
    arguments.extend(seed.map(|seed| format!("--seed={seed}")));
    arguments.extend(options.settings.iter().map(|(key, value)| format!("--set={key}={value}")));
    arguments.extend(limits);
    let is_running = || path.join("run.toml").exists() && Lock::is_held(&path);
    state.jobs.start("run", &id, &arguments, is_running).await?;
    state.cards.remove(&id);
    Ok(job_response("begun", &id))
}

impl RunOptions {
    /// Rejects settings that cannot be set in a request. The training process checks all others.
    fn check(&self) -> ApiResult<()> {
        for (key, value) in &self.settings {
            // "--set" would split the argument at the first equals sign, and set a different key.
            if key.contains('=') {
                return Err(ApiError::bad_request(format!("settings: unknown setting {key:?}")));
            }
            let reason = match key.as_str() {
                "features" if value.starts_with("learned:") => {
                    "features from a file can be used only on the command line".into()
                }
                "preset" | "seed" | "generations" => format!("{key} is a separate field"),
                "parent" => "a branch can be started only on the command line".into(),
                _ => continue,
            };
            return Err(ApiError::bad_request(format!("settings: {reason}")));
        }
        Ok(())
    }

    /// Chooses a free name for the run. Returns it with the folder and the seed of the run.
    fn free_name(&self, runs: &Path) -> ApiResult<(String, PathBuf, Option<u64>)> {
        match &self.name {
            Some(name) => check_name("name", name)?,
            None => check_name("preset", &self.preset)?,
        }
        let is_free = |name: &str| RunFolder::check_free(&runs.join(name));
        let default_name = |seed: u64| format!("{}-{seed}", self.preset);
        let seed = match (&self.name, self.seed) {
            (None, None) => {
                let seed = (1..MAX_DEFAULT_SEED).find(|&seed| is_free(&default_name(seed)).is_ok());
                Some(seed.unwrap_or(MAX_DEFAULT_SEED))
            }
            (_, seed) => seed,
        };
        let name = self.name.clone().unwrap_or_else(|| default_name(seed.unwrap_or_default()));
        is_free(&name).map_err(ApiError::conflict)?;
        let folder = runs.join(&name);
        Ok((name, folder, seed))
    }
}

pub(in crate::serve) async fn stop(
    State(state): Shared,
    PathParam(id): PathParam<String>,
) -> ApiResult<Json<Value>> {
    let folder = state.run_folder(&id)?;
    let is_training = Lock::is_held(&folder);
    let result = stop::request(&folder);
    state.cards.remove(&id);
    match result {
        Ok(_) => Ok(job_response("stopping", &id)),
        Err(error) if !is_training => Err(ApiError::conflict(error)),
        Err(error) => Err(ApiError::internal(error)),
    }
}

pub(in crate::serve) async fn resume(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Json(options): Json<ResumeOptions>,
) -> ApiResult<Json<Value>> {
    let folder = state.run_folder(&id)?;
    let _starting = state.jobs.starting().await?;
    if Lock::is_held(&folder) {
        return Err(ApiError::conflict(format!("run {id:?} is already running")));
    }
    let mut arguments = vec!["resume".into(), path_argument(&folder)];
    arguments.extend(limits(options.seconds, options.generations, options.threads)?);
    state.jobs.start("run", &id, &arguments, || Lock::is_held(&folder)).await?;
    state.cards.remove(&id);
    Ok(job_response("begun", &id))
}

/// Formats a path so that it cannot be mistaken for a flag.
fn path_argument(path: &Path) -> String {
    let text = path.display().to_string();
    if path.is_absolute() { text } else { format!("./{text}") }
}

fn limits(
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
) -> ApiResult<Vec<String>> {
    let mut flags = Vec::new();
    if let Some(seconds) = seconds {
        check_range("seconds", seconds, 1..=MAX_SECONDS)?;
        flags.push(format!("--max-time={seconds}s"));
    }
    flags.extend(generations.map(|generations| format!("--generations={generations}")));
    flags.extend(threads.map(|threads| format!("--threads={threads}")));
    Ok(flags)
}
