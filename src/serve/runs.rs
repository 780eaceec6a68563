//! `/api/runs`, the paths below it, and `/api/presets`.

mod control;
mod files;

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Extension, Query, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, AppState, FileStamp, PathParam, Peer, Shared, cache::folder_stamp,
    check_range, file_stamp, json_response, may_control, require_control,
};
use crate::train::curves::{CurveGroup, curves};
use crate::train::inspect::weights_json;
use crate::train::pages::{self, RunCard};
use evolve::run::Summary;
use mancala::eval::Weights;
use mancala::game::{AnyGame, GameKind};

const DEFAULT_POINTS: usize = 2000;
const MAX_POINTS: usize = 10_000;
/// Maximum age of a cached card. Running processes change their files often.
const CARD_AGE: Duration = Duration::from_millis(250);

pub(super) fn routes(state: &Arc<AppState>) -> Router<Arc<AppState>> {
    let control = Router::new()
        .route("/api/runs", post(control::start))
        .route("/api/runs/{id}/stop", post(control::stop))
        .route("/api/runs/{id}/resume", post(control::resume))
        .layer(from_fn_with_state(Arc::clone(state), require_control));
    Router::new()
        .route("/api/presets", get(async || Json(pages::all_presets())))
        .route("/api/runs", get(list))
        .route("/api/runs/{id}", get(page))
        .route("/api/runs/{id}/history", get(history))
        .route("/api/runs/{id}/strength", get(strength))
        .route("/api/runs/{id}/cost", get(cost))
        .route("/api/runs/{id}/champion", get(champion))
        .route("/api/runs/{id}/plot.svg", get(files::picture))
        .route("/api/runs/{id}/report", get(files::report))
        .route("/api/runs/{id}/export", get(files::export))
        .route("/api/runs/{id}/files/{name}", get(files::file))
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
    let key = format!("{group:?}/{after:?}/{points}");
    cached(state, id, key, group.table(), move |run| curves(run, group, after, points)).await
}

async fn cost(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    cached(state, id, "cost".into(), "cost.csv", pages::cost).await
}

/// Responds with the curves of a run, which are cached until their table changes.
async fn cached<T: Serialize>(
    state: Arc<AppState>,
    id: String,
    key: String,
    table: &'static str,
    read: impl FnOnce(&Path) -> T + Send + 'static,
) -> ApiResult {
    let arrived = Instant::now();
    let curves = state.read(move |state| {
        let run = state.run_folder(&id)?;
        let stamp = || -> FileStamp { file_stamp(&run.join(table)) };
        let make = || state.json(&read(&run));
        state.curves.get_or(&format!("{id}/{key}"), arrived, stamp, make)
    });
    curves.await.map(json_response)
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

/// Returns whether a folder contains a run but no links or pipes, which could lead elsewhere or block.
pub(super) fn is_run(path: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(path) else { return false };
    let is_plain = |entry: std::fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir())
    };
    path.join("run.toml").is_file() && entries.all(|entry| entry.is_ok_and(is_plain))
}

/// Returns the cards of all runs, most recently changed first.
pub(super) fn cards(state: &AppState) -> Vec<RunCard> {
    let runs = state.runs.list().into_iter();
    let mut cards: Vec<_> = runs.map(|(id, path)| card(state, &id, &path)).collect();
    cards.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
    cards
}

/// Returns the card of a run. Its files are read only if they have changed.
pub(super) fn card(state: &AppState, id: &str, folder: &Path) -> RunCard {
    let make = || Ok::<_, Infallible>(pages::card(id, folder));
    let since = Instant::now() - CARD_AGE;
    let Ok(card) = state.cards.get_or(id, since, || folder_stamp(folder), make);
    card
}

/// Returns the runs whose champions can play a game.
pub(super) fn opponents(state: &AppState, game: GameKind) -> Vec<Value> {
    let can_play = |card: &RunCard| {
        let own = card.game.as_ref().and_then(|own| own.parse::<AnyGame>().ok());
        card.champion.is_some() && own.is_some_and(|own| own.kind() == game)
    };
    let opponent = |card: RunCard| {
        let mut about =
            format!("{}, generation {}", card.preset.unwrap_or_default(), card.generation);
        if let Some(strength) = card.strength {
            let (score, generation) = (strength.score.score, strength.generation);
            about += &format!(", strength {score:.2} in generation {generation}");
        }
        json!({ "id": card.id, "about": about })
    };
    cards(state).into_iter().filter(can_play).map(opponent).collect()
}
