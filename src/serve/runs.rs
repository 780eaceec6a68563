//! `/api/runs`, the paths below it, and `/api/presets`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, Query, State};
use axum::http::header::{
    CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use evolve::run::{RunFolder, Summary};
use futures_util::stream::unfold;
use mancala::eval::{Format, Weights, export_standalone};
use mancala::game::{AnyGame, GameKind};
use mancala::store::{self, Lock};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use super::{
    ApiError, ApiResult, AppState, JsonResult, MAX_DOWNLOADS, PathParam, Peer, Shared, check_name,
    check_range, folder_stamp, job_response, may_control, require_control,
};
use crate::lock;
use crate::plot::{self, What};
use crate::report::page_of;
use crate::train::curves::{CurveGroup, curves};
use crate::train::inspect::weights_json;
use crate::train::pages::{self, FILES};
use crate::train::stop::request as request_stop;

const DEFAULT_POINTS: usize = 2000;
const MAX_POINTS: usize = 10_000;
const MAX_SECONDS: u64 = 366 * 24 * 3600;
/// The last seed to try if a request contains neither a name nor a seed.
const MAX_DEFAULT_SEED: u64 = 100_000;
const CHUNK: usize = 16 << 10;

pub(super) fn routes(state: &Arc<AppState>) -> Router<Arc<AppState>> {
    let control = Router::new()
        .route("/api/runs", post(start))
        .route("/api/runs/{id}/stop", post(stop))
        .route("/api/runs/{id}/resume", post(resume))
        .layer(from_fn_with_state(Arc::clone(state), require_control));
    Router::new()
        .route("/api/presets", get(async || Json(pages::all_presets())))
        .route("/api/runs", get(list))
        .route("/api/runs/{id}", get(page))
        .route("/api/runs/{id}/history", get(history))
        .route("/api/runs/{id}/strength", get(strength))
        .route("/api/runs/{id}/cost", get(cost))
        .route("/api/runs/{id}/champion", get(champion))
        .route("/api/runs/{id}/plot.svg", get(picture))
        .route("/api/runs/{id}/report", get(report))
        .route("/api/runs/{id}/export", get(export))
        .route("/api/runs/{id}/files/{name}", get(file))
        .merge(control)
}

async fn list(State(state): Shared, Extension(peer): Extension<Peer>) -> ApiResult {
    let control = may_control(&state, &peer);
    let folder = state.runs.folder.display().to_string();
    let list = move |state: &AppState| {
        Ok(json!({ "kind": "runs", "folder": folder, "control": control, "runs": cards(state) }))
    };
    state.read_json(list).await
}

async fn page(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    let page = move |state: &AppState| {
        pages::page(&id, &state.run_folder(&id)?).map_err(ApiError::conflict)
    };
    state.read_json(page).await
}

#[derive(Debug, Deserialize)]
struct HistoryOptions {
    after: Option<u32>,
    points: Option<usize>,
    columns: Option<CurveGroup>,
}

async fn history(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Query(options): Query<HistoryOptions>,
) -> ApiResult {
    let after = options.after;
    let default_points = if after.is_some() { MAX_POINTS } else { DEFAULT_POINTS };
    let points = options.points.unwrap_or(default_points);
    check_range("points", points, 10..=MAX_POINTS)?;
    let group = options.columns.unwrap_or(CurveGroup::Fitness);
    let read = move |state: &AppState| Ok(curves(&state.run_folder(&id)?, group, after, points));
    state.read_json(read).await
}

async fn cost(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    state.read_json(move |state| Ok(pages::cost(&state.run_folder(&id)?))).await
}

async fn strength(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    let strength = move |state: &AppState| {
        pages::strength(&state.run_folder(&id)?).map_err(ApiError::conflict)
    };
    state.read_json(strength).await
}

async fn champion(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    state.read_json(move |state| Ok(weights_json(&champion_of(state, &id)?))).await
}

fn champion_of(state: &AppState, id: &str) -> ApiResult<Weights> {
    let summary = Summary::of(&state.run_folder(id)?).map_err(ApiError::conflict)?;
    summary.champion.ok_or_else(|| ApiError::not_found(format!("run {id:?} has no champion yet")))
}

/// Returns whether a folder is a run. Links in it could lead elsewhere, and pipes could block, so neither is allowed.
pub(super) fn is_run(path: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(path) else { return false };
    let is_plain = |entry: std::fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir())
    };
    path.join("run.toml").is_file() && entries.all(|entry| entry.is_ok_and(is_plain))
}

/// Returns the cards (summaries) of all runs, most recently changed first.
pub(super) fn cards(state: &AppState) -> Vec<Value> {
    let runs = state.runs.list();
    lock(&state.cards).retain(|known, _| runs.binary_search_by(|(id, _)| id.cmp(known)).is_ok());
    let mut cards: Vec<_> = runs.into_iter().map(|(id, path)| card(state, &id, &path)).collect();
    // The sort is stable, so runs that changed at the same time stay sorted by name.
    cards.sort_by_key(|card| Reverse(card["changed"].as_u64()));
    cards
}

/// Returns a run's card. The run's files are only read if they have changed.
pub(super) fn card(state: &AppState, id: &str, folder: &Path) -> Value {
    // Take the stamp before reading the files, so that a concurrent write counts as a change.
    let stamp = folder_stamp(folder);
    if let Some((known, card)) = lock(&state.cards).get(id)
        && *known == stamp
    {
        return card.clone();
    }
    let card = pages::card(id, folder);
    lock(&state.cards).insert(id.into(), (stamp, card.clone()));
    card
}

/// Returns the runs whose champions can play the given game.
pub(super) fn opponents(state: &AppState, game: GameKind) -> Vec<Value> {
    let can_play = |card: &Value| {
        let own = card["game"].as_str().and_then(|own| own.parse::<AnyGame>().ok());
        card["champion"].is_object() && own.is_some_and(|own| own.kind() == game)
    };
    let opponent = |card: Value| {
        let preset = card["preset"].as_str().unwrap_or_default();
        let mut about = format!("{preset}, generation {}", card["generation"]);
        let strength = &card["strength"];
        if let Some(score) = strength["score"].as_f64() {
            about += &format!(", strength {score:.2} in generation {}", strength["generation"]);
        }
        json!({ "id": card["id"], "about": about })
    };
    cards(state).into_iter().filter(can_play).map(opponent).collect()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunOptions {
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
struct ResumeOptions {
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
}

async fn start(State(state): Shared, Json(options): Json<RunOptions>) -> JsonResult {
    let RunOptions { seconds, generations, threads, .. } = options;
    let limits = limits(&ResumeOptions { seconds, generations, threads })?;
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
    Ok(job_response("begun", &id))
}

impl RunOptions {
    /// Rejects settings that aren't allowed in requests. All other settings are checked by `ayo train`.
    fn check(&self) -> ApiResult<()> {
        for (key, value) in &self.settings {
            // `--set` would split the argument at the first equals sign and set a different key.
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

    /// Chooses an unused name for the run. Also returns the run's folder and seed.
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

async fn stop(State(state): Shared, PathParam(id): PathParam<String>) -> JsonResult {
    let folder = state.run_folder(&id)?;
    let is_training = Lock::is_held(&folder);
    match request_stop(&folder) {
        Ok(_) => Ok(job_response("stopping", &id)),
        Err(error) if !is_training => Err(ApiError::conflict(error)),
        Err(error) => Err(ApiError::internal(error)),
    }
}

async fn resume(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Json(options): Json<ResumeOptions>,
) -> JsonResult {
    let folder = state.run_folder(&id)?;
    let _starting = state.jobs.starting().await?;
    if Lock::is_held(&folder) {
        return Err(ApiError::conflict(format!("run {id:?} is already running")));
    }
    let mut arguments = vec!["resume".into(), path_argument(&folder)];
    arguments.extend(limits(&options)?);
    state.jobs.start("run", &id, &arguments, || Lock::is_held(&folder)).await?;
    Ok(job_response("begun", &id))
}

/// Formats a path such that it can't be mistaken for a flag.
fn path_argument(path: &Path) -> String {
    let text = path.display().to_string();
    if path.is_absolute() { text } else { format!("./{text}") }
}

fn limits(options: &ResumeOptions) -> ApiResult<Vec<String>> {
    let &ResumeOptions { seconds, generations, threads } = options;
    let mut flags = Vec::new();
    if let Some(seconds) = seconds {
        check_range("seconds", seconds, 1..=MAX_SECONDS)?;
        flags.push(format!("--max-time={seconds}s"));
    }
    flags.extend(generations.map(|generations| format!("--generations={generations}")));
    flags.extend(threads.map(|threads| format!("--threads={threads}")));
    Ok(flags)
}

async fn file(
    State(state): Shared,
    PathParam((id, name)): PathParam<(String, String)>,
) -> ApiResult {
    let not_found = || ApiError::not_found(format!("run {id:?} has no file {name:?} to download"));
    let known = FILES.into_iter().find(|known| *known == name).ok_or_else(not_found)?;
    let permit = Arc::clone(&state.downloads).try_acquire_owned();
    let permit = permit
        .map_err(|_| ApiError::busy(format!("{MAX_DOWNLOADS} downloads are already running")))?;
    let open = state.read(move |state| {
        let path = state.run_folder(&id)?.join(known);
        let is_plain = path.symlink_metadata().is_ok_and(|data| data.is_file());
        let file = is_plain.then(|| store::open(&path).ok()).flatten();
        let file = file.and_then(|file| Some((file.metadata().ok()?.len(), file)));
        file.ok_or_else(|| ApiError::not_found(format!("run {id:?} has no {known}")))
    });
    let (length, file) = open.await?;
    // We don't send rows that were written after we read the length.
    let file = tokio::fs::File::from_std(file).take(length);
    let chunks = unfold((file, permit), async |(mut file, permit)| {
        let mut chunk = Vec::with_capacity(CHUNK);
        let read = file.read_buf(&mut chunk).await;
        let chunk = read.map(|_| Bytes::from(chunk));
        (!chunk.as_ref().is_ok_and(Bytes::is_empty)).then_some((chunk, (file, permit)))
    });
    let response = download(known, Body::from_stream(chunks));
    Ok(([(CONTENT_LENGTH, length)], response).into_response())
}

#[derive(Debug, Deserialize)]
struct FileOptions {
    /// The panel to draw.
    what: Option<String>,
    /// The format of exported weights.
    format: Option<String>,
}

async fn picture(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Query(options): Query<FileOptions>,
) -> ApiResult {
    let what = options.what.as_deref().unwrap_or("fitness");
    let Some(panel) = What::panels().find(|panel| panel.name() == what) else {
        let message = format!("what is {what:?}, which is not the name of a picture");
        return Err(ApiError::bad_request(message));
    };
    let svg = state.read(move |state| {
        let svg = plot::svg(&[state.run_folder(&id)?], panel).map_err(ApiError::not_found)?;
        state.hold(svg.into())
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?).into_response())
}

/// The content security policy for reports. It allows nothing but the report's own style sheet.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Responds with the report of a run, which we generate from the run's current files.
async fn report(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    let page = state.read(move |state| {
        let page = page_of(&state.run_folder(&id)?).map_err(ApiError::conflict)?;
        state.hold(page.into())
    });
    let headers =
        [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, REPORT_POLICY)];
    Ok((headers, page.await?).into_response())
}

async fn export(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Query(options): Query<FileOptions>,
) -> ApiResult {
    let format = options.format.as_deref().unwrap_or("json");
    let format: Format = format.parse().map_err(ApiError::bad_request)?;
    let exported = state.read(move |state| {
        let weights = champion_of(state, &id)?;
        format.check(&weights).map_err(ApiError::conflict)?;
        let text = state.hold(export_standalone(&weights, format).into())?;
        Ok((format!("{id}.{}", format.extension()), text))
    });
    let (name, text) = exported.await?;
    Ok(download(&name, text))
}

/// Makes browsers save the response under this name. The generic content type keeps them from opening it.
fn download(name: &str, body: impl Into<Body>) -> Response {
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let name: String = name.chars().map(|it| if is_safe(it) { it } else { '_' }).collect();
    let disposition = format!("attachment; filename=\"{name}\"");
    let kind = "application/octet-stream".to_owned();
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, disposition)], body.into()).into_response()
}
