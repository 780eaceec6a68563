//! Starts, stops and resumes runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tokio::task::spawn_blocking;

use crate::app::stop::{self, NoStop};
use crate::app::train::{Given, Wish};
use crate::serve::api::{ApiError, ApiResult, Body, PathParams, check_range};
use crate::serve::jobs::{JobKind, JobResponse, MAX_THREADS, Reservation, check_name};
use crate::serve::state::{AppState, Shared};
use evolve::run::{RunFolder, Settings};
use mancala::store::Lock;

const MAX_SECONDS: u64 = 366 * 24 * 3600;

/// A new run.
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
    Body(options): Body<RunOptions>,
) -> ApiResult<Json<JobResponse>> {
    let flags = flags(options.seconds, options.generations, options.threads)?;
    let shared = Arc::clone(&state);
    let prepared = spawn_blocking(move || {
        let settings = options.settings()?;
        let (name, path, seed) = options.reserve(&shared, &settings)?;
        Ok::<_, ApiError>((options, name, path, seed))
    });
    let (options, name, path, seed) = prepared.await.map_err(ApiError::internal)??;
    let mut arguments = vec!["train".into(), "--preset".into(), options.preset.clone()];
    arguments.extend(["--out".into(), path_argument(&path)]);
    arguments.extend(["--seed".into(), seed.to_string()]);
    for (key, value) in &options.settings {
        arguments.extend(["--set".into(), format!("{key}={value}")]);
    }
    arguments.extend(flags);
    let is_running = || path.join("run.toml").exists() && Lock::is_held(&path);
    state.jobs.start(&name, &arguments, is_running).await?;
    state.cards.remove(&name.id);
    Ok(Json(JobResponse::Begun { id: name.id.clone() }))
}

impl RunOptions {
    /// Validates the settings of the run.
    fn settings(&self) -> ApiResult<Settings> {
        let given =
            |key: &str, value: String| Given { by: "settings".into(), key: key.into(), value };
        for (key, value) in &self.settings {
            let reason = match key.as_str() {
                // Only users of this machine may name its files.
                "features" if value.starts_with("learned:") => {
                    "features from a file can be used only on the command line".into()
                }
                "preset" | "seed" | "generations" => format!("{key} is a separate field"),
                "parent" => "a branch can be started only on the command line".into(),
                _ => continue,
            };
            return Err(ApiError::bad_request(format!("settings: {reason}")));
        }
        let mut settings: Vec<Given> =
            self.settings.iter().map(|(key, value)| given(key, value.clone())).collect();
        settings.extend(self.seed.map(|seed| given("seed", seed.to_string())));
        settings.extend(self.generations.map(|count| given("generations", count.to_string())));
        let request = Wish { preset: Some(self.preset.clone()), settings, ..Wish::default() };
        let run = request.run().map_err(ApiError::bad_request)?;
        if run.settings().needs_tables() {
            let message =
                "settings: a run with endgame tables can be started only on the command line";
            return Err(ApiError::bad_request(message));
        }
        Ok(run.settings().clone())
    }

    /// Reserves a free name for the run. Returns it with the folder and the seed of the run.
    fn reserve(
        &self,
        state: &AppState,
        settings: &Settings,
    ) -> ApiResult<(Reservation, PathBuf, u64)> {
        let reserve = |name: &str, seed: u64| {
            let path = state.runs.folder().join(name);
            let name = state.jobs.reserve(JobKind::Run, name)?;
            RunFolder::check_free(&path).map_err(ApiError::conflict)?;
            Ok((name, path, seed))
        };
        let default_name = |seed: u64| format!("{}-{seed}", settings.preset);
        match (&self.name, self.seed) {
            (Some(name), _) => {
                check_name(name)?;
                reserve(name, settings.seed)
            }
            (None, Some(seed)) => reserve(&default_name(seed), seed),
            (None, None) => {
                let mut reserved = (1..).filter_map(|seed| reserve(&default_name(seed), seed).ok());
                Ok(reserved.next().expect("one of 2^64 names is free"))
            }
        }
    }
}

/// Asks the process of a run to stop.
pub(in crate::serve) async fn stop(
    State(state): Shared,
    PathParams(id): PathParams<String>,
) -> ApiResult<Json<JobResponse>> {
    let result = stop::request(&state.run_folder(&id)?);
    state.cards.remove(&id);
    match result {
        Ok(_) => Ok(Json(JobResponse::Stopping { id })),
        Err(error @ NoStop::Idle(_)) => Err(ApiError::conflict(error)),
        Err(error) => Err(ApiError::internal(error)),
    }
}

/// Resumes a run in a separate process.
pub(in crate::serve) async fn resume(
    State(state): Shared,
    PathParams(id): PathParams<String>,
    Body(options): Body<ResumeOptions>,
) -> ApiResult<Json<JobResponse>> {
    let folder = state.run_folder(&id)?;
    if Lock::is_held(&folder) {
        return Err(ApiError::conflict(format!("run {id:?} is running already")));
    }
    let name = state.jobs.reserve(JobKind::Run, &id)?;
    let mut arguments = vec!["resume".into(), path_argument(&folder)];
    arguments.extend(flags(options.seconds, options.generations, options.threads)?);
    state.jobs.start(&name, &arguments, || Lock::is_held(&folder)).await?;
    state.cards.remove(&id);
    Ok(Json(JobResponse::Begun { id }))
}

/// Writes a path so that it cannot be a flag.
fn path_argument(path: &Path) -> String {
    let text = path.display().to_string();
    if path.is_absolute() { text } else { format!("./{text}") }
}

fn flags(
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
) -> ApiResult<Vec<String>> {
    let mut flags = Vec::new();
    if let Some(seconds) = seconds {
        check_range("seconds", seconds, 1..=MAX_SECONDS)?;
        let time = humantime::format_duration(Duration::from_secs(seconds)).to_string();
        flags.extend(["--max-time".into(), time.replace(' ', "")]);
    }
    if let Some(generations) = generations {
        check_range("generations", generations, 1..=u32::MAX)?;
        flags.extend(["--generations".into(), generations.to_string()]);
    }
    if let Some(threads) = threads {
        check_range("threads", threads, 1..=MAX_THREADS)?;
        flags.extend(["--threads".into(), threads.to_string()]);
    }
    Ok(flags)
}
