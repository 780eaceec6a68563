//! Runs: `/api/runs` and what is below it, and `/api/presets`.

use std::time::Instant;

mod cards;
mod control;
mod files;

pub(super) use cards::{card, cards, is_run, to_play};

use axum::extract::{Extension, State};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use cards::{champion_of, read};

use super::access::{self, Peer, may_control};
use super::answer::{self, Named, Query, Refusal};
use super::desk::Desk;
use super::fingerprint::mark;
use crate::train::curves::{CurveGroup, curves};
use crate::train::inspect::InspectedWeights;
use crate::train::pages;
use crate::train::pages::{Presets, RunCard};

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
) -> Result<Response, Refusal> {
    let control = may_control(&desk, &peer);
    let folder = desk.folders.runs.display().to_string();
    desk.answer(move |desk| Ok(Runs { folder, control, runs: cards(desk) })).await
}

async fn page(State(desk): State<Desk>, Named(id): Named<String>) -> Result<Response, Refusal> {
    cards::answer(desk, id, |id, folder| pages::page(id, &folder).map_err(Refusal::conflict)).await
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
) -> Result<Response, Refusal> {
    let arrived = Instant::now();
    let usual = if part.after.is_some() { *POINTS.end() } else { USUAL_POINTS };
    let points = part.points.unwrap_or(usual);
    if !POINTS.contains(&points) {
        return Err(Refusal::wrong(format!("points is {points}, not 10 to 10000")));
    }
    let columns = part.columns.as_deref().unwrap_or("fitness");
    let group = CurveGroup::named(columns).ok_or_else(|| {
        Refusal::wrong(format!("columns is {columns:?}: choose fitness, diversity, weights or fit"))
    })?;
    let own = desk.clone();
    let found = read(&desk, id, move |id, folder| {
        let name = format!("{id}/{group:?}/{:?}/{points}", part.after);
        let table = folder.join(group.table());
        let make = || own.json(&curves(&folder, group, part.after, points));
        own.curves.get_or(&name, arrived, || mark(&table), make)
    });
    found.await.map(answer::of_json)
}

async fn strength(State(desk): State<Desk>, Named(id): Named<String>) -> Result<Response, Refusal> {
    cards::answer(desk, id, |_, folder| pages::strength(&folder).map_err(Refusal::conflict)).await
}

async fn cost(State(desk): State<Desk>, Named(id): Named<String>) -> Result<Response, Refusal> {
    let (arrived, own) = (Instant::now(), desk.clone());
    let found = read(&desk, id, move |id, folder| {
        let make = || own.json(&pages::cost(&folder));
        own.curves.get_or(&format!("{id}/cost"), arrived, || mark(&folder.join("cost.csv")), make)
    });
    found.await.map(answer::of_json)
}

async fn champion(State(desk): State<Desk>, Named(id): Named<String>) -> Result<Response, Refusal> {
    cards::answer(desk, id, |id, folder| Ok(InspectedWeights::from(&champion_of(id, &folder)?)))
        .await
}

async fn presets() -> Json<Presets> {
    Json(pages::all_presets())
}
