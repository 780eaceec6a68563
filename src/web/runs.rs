//! Runs: `/api/runs` and what is below it, and `/api/presets`.

mod cards;
mod control;
mod files;

pub(super) use cards::{card, cards, is_run, to_play};

use axum::extract::{Extension, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use cards::{champion_of, read};

use super::access::{self, Peer, may_control};
use super::answer::{Named, Query, Refusal};
use super::desk::Desk;
use crate::app::curves::{Wanted, curves};
use crate::app::pages;
use crate::results::{
    CostCurve, Curves, InspectedWeights, Presets, RunCard, RunPage, StrengthCurve,
};

/// Points of a curve if nothing is said, and how many may be asked for.
const USUAL_POINTS: usize = 2000;
const POINTS: std::ops::RangeInclusive<usize> = 10..=10_000;

pub(super) fn routes(desk: &Desk) -> Router<Desk> {
    let controlled = Router::new()
        .route("/api/runs", post(control::begin))
        .route("/api/runs/{id}/stop", post(control::stop))
        .route("/api/runs/{id}/resume", post(control::resume))
        .layer(from_fn_with_state(desk.clone(), access::controlling));
    Router::new()
        .route("/api/presets", get(presets))
        .route("/api/runs", get(list))
        .route("/api/runs/{id}", get(page))
        .route("/api/runs/{id}/history", get(history))
        .route("/api/runs/{id}/strength", get(strength))
        .route("/api/runs/{id}/cost", get(cost))
        .route("/api/runs/{id}/champion", get(champion))
        .route("/api/runs/{id}/plot.svg", get(files::picture))
        .route("/api/runs/{id}/export", get(files::export))
        .route("/api/runs/{id}/files/{name}", get(files::file))
        .merge(controlled)
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "runs")]
pub(super) struct Runs {
    folder: String,
    /// Whether who asks may start, stop and resume.
    control: bool,
    runs: Vec<RunCard>,
}

async fn list(
    State(desk): State<Desk>,
    Extension(peer): Extension<Peer>,
) -> Result<Json<Runs>, Refusal> {
    let control = may_control(&desk, peer);
    let folder = desk.folders.runs.display().to_string();
    let runs = spawn_blocking(move || cards(&desk)).await;
    let runs = runs.map_err(|_| Refusal::failed("the runs could not be listed"))?;
    Ok(Json(Runs { folder, control, runs }))
}

async fn page(
    State(desk): State<Desk>,
    Named(id): Named<String>,
) -> Result<Json<RunPage>, Refusal> {
    read(&desk, id, |id, folder| pages::page(id, &folder).map_err(Refusal::conflict))
        .await
        .map(Json)
}

#[derive(Debug, Deserialize)]
struct Part {
    after: Option<u32>,
    points: Option<usize>,
    columns: Option<String>,
}

async fn history(
    State(desk): State<Desk>,
    Named(id): Named<String>,
    Query(part): Query<Part>,
) -> Result<Json<Curves>, Refusal> {
    let points = part.points.unwrap_or(USUAL_POINTS);
    if !POINTS.contains(&points) {
        return Err(Refusal::wrong(format!("points is {points}, not 10 to 10000")));
    }
    let columns = part.columns.as_deref().unwrap_or("fitness");
    let wanted = Wanted::named(columns).ok_or_else(|| {
        Refusal::wrong(format!("columns is {columns:?}: choose fitness, diversity, weights or fit"))
    })?;
    let found = read(&desk, id, move |_, folder| Ok(curves(&folder, wanted, part.after, points)));
    found.await.map(Json)
}

async fn strength(
    State(desk): State<Desk>,
    Named(id): Named<String>,
) -> Result<Json<StrengthCurve>, Refusal> {
    let found = read(&desk, id, |_, folder| pages::strength(&folder).map_err(Refusal::conflict));
    found.await.map(Json)
}

async fn cost(
    State(desk): State<Desk>,
    Named(id): Named<String>,
) -> Result<Json<CostCurve>, Refusal> {
    read(&desk, id, |_, folder| Ok(pages::cost(&folder))).await.map(Json)
}

async fn champion(
    State(desk): State<Desk>,
    Named(id): Named<String>,
) -> Result<Json<InspectedWeights>, Refusal> {
    let found =
        read(&desk, id, |id, folder| Ok(InspectedWeights::from(&champion_of(id, &folder)?)));
    found.await.map(Json)
}

async fn presets() -> Json<Presets> {
    Json(pages::all_presets())
}
