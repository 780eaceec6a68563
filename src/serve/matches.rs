//! `/api/matches` and the paths below it. The id of a match is the name of its file without the extension.

mod control;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, Query, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;

use super::{
    ApiError, ApiResult, AppState, PathParam, Peer, Shared, check_range, may_control,
    require_control,
};
use crate::matches::saved::ListedMatch;
use mancala::store::Log;

const EXTENSION: &str = ".games";
const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 500;

pub(super) fn routes(state: &Arc<AppState>) -> Router<Arc<AppState>> {
    let control = Router::new()
        .route("/api/matches", post(control::start))
        .route("/api/matches/{id}/stop", post(control::stop))
        .layer(from_fn_with_state(Arc::clone(state), require_control));
    Router::new()
        .route("/api/matches", get(list))
        .route("/api/matches/{id}", get(page))
        .route("/api/matches/{id}/games", get(games))
        .merge(control)
}

/// Returns whether a path is a games file, judging by its extension.
pub(super) fn is_match(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with(EXTENSION)) && path.is_file()
}

pub(super) fn match_file(state: &AppState, id: &str) -> ApiResult<PathBuf> {
    let file = state.match_files.find(&format!("{id}{EXTENSION}"));
    file.ok_or_else(|| ApiError::not_found(format!("there is no match {id:?} here")))
}

fn match_files(state: &AppState) -> Vec<(String, PathBuf)> {
    let files = state.match_files.list().into_iter();
    files.filter_map(|(name, path)| Some((name.strip_suffix(EXTENSION)?.into(), path))).collect()
}

/// Returns the id of each match, the length of its file, and whether it is running. If
/// any of these changes, so does the listing.
pub(super) fn stamps(state: &AppState) -> Vec<(String, u64, bool)> {
    let length = |path: &Path| path.metadata().map_or(0, |data| data.len());
    let files = match_files(state).into_iter();
    files.map(|(id, path)| (id, length(&path), Log::is_open(&path))).collect()
}

async fn list(State(state): Shared, Extension(peer): Extension<Peer>) -> ApiResult {
    let control = may_control(&state, &peer);
    let folder = state.match_files.folder.display().to_string();
    let list = move |state: &AppState| {
        let files = match_files(state);
        let paths: Vec<PathBuf> = files.iter().map(|(_, path)| path.clone()).collect();
        state.matches.retain(&paths);
        let mut matches: Vec<ListedMatch> =
            files.iter().map(|(id, path)| state.matches.listed(id, path)).collect();
        matches.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
        let kind = "matches";
        Ok(json!({ "kind": kind, "folder": folder, "control": control, "matches": matches }))
    };
    state.read_json(list).await
}

async fn page(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    state.read_json(move |state| Ok(state.matches.saved(&id, &match_file(state, &id)?))).await
}

#[derive(Debug, Deserialize)]
struct GamesOptions {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

async fn games(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Query(options): Query<GamesOptions>,
) -> ApiResult {
    let limit = options.limit.unwrap_or(DEFAULT_LIMIT);
    check_range("limit", limit, 1..=MAX_LIMIT)?;
    let games = move |state: &AppState| {
        let path = match_file(state, &id)?;
        let games = state.matches.games(&path, options.offset, limit);
        games.map_err(|error| ApiError::conflict(format!("match {id:?}: {error}")))
    };
    state.read_json(games).await
}
