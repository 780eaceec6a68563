//! Runs: `/api/runs` and what is below it, and `/api/presets`.

mod control;
mod files;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use axum::extract::{Extension, Path as Named, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::access::{self, Peer, may_control};
use super::answer::{Query, Refusal};
use super::desk::Desk;
use crate::app::curves::{Wanted, curves};
use crate::app::pages;
use crate::results::{Curves, InspectedWeights, Presets, RunCard, RunPage, StrengthCurve};
use crate::run::Summary;
use mancala::game::GameKind;

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
        .route("/api/runs/{id}/champion", get(champion))
        .route("/api/runs/{id}/plot.svg", get(files::picture))
        .route("/api/runs/{id}/export", get(files::export))
        .route("/api/runs/{id}/files/{name}", get(files::file))
        .merge(controlled)
}

/// Whether a folder holds a run.
pub(super) fn is_run(path: &Path) -> bool {
    path.join("run.toml").is_file()
}

/// Reads something of a run on a thread that may wait for the disk.
async fn read<T: Send + 'static>(
    desk: &Desk,
    id: String,
    work: impl FnOnce(&str, PathBuf) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let desk = desk.clone();
    let read = spawn_blocking(move || work(&id, desk.run_folder(&id)?));
    read.await.map_err(|_| Refusal::failed("the run could not be read; this is a defect of ayo"))?
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

/// The cards of all runs, the newest first.
pub(super) fn cards(desk: &Desk) -> Vec<RunCard> {
    let known = desk.runs.list().into_iter().map(|(id, path)| card(desk, &id, &path));
    let mut cards: Vec<RunCard> = known.collect();
    cards.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
    cards
}

/// The card of a run. As long as no file of the run changes, it is not read again.
pub(super) fn card(desk: &Desk, id: &str, folder: &Path) -> RunCard {
    desk.cards.get_or(id, fingerprint(folder), || pages::card(id, folder))
}

/// What changes whenever a file of a run does, or a process begins or ends to train in it.
fn fingerprint(folder: &Path) -> Fingerprint {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |entry: std::fs::DirEntry| {
        let data = entry.metadata().ok()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((name, data.len(), data.modified().unwrap_or(SystemTime::UNIX_EPOCH)))
    };
    let mut files: Vec<_> = files.filter_map(file).collect();
    files.sort();
    Fingerprint { files, running: mancala::store::Lock::is_held(folder) }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fingerprint {
    files: Vec<(String, u64, SystemTime)>,
    running: bool,
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

async fn champion(
    State(desk): State<Desk>,
    Named(id): Named<String>,
) -> Result<Json<InspectedWeights>, Refusal> {
    let found =
        read(&desk, id, |id, folder| Ok(InspectedWeights::from(&champion_of(id, &folder)?)));
    found.await.map(Json)
}

/// The champion of a run as it is on disk.
fn champion_of(id: &str, folder: &Path) -> Result<mancala::eval::Weights, Refusal> {
    let summary = Summary::of(folder).map_err(Refusal::conflict)?;
    summary.champion.ok_or_else(|| Refusal::not_found(format!("run {id:?} has no champion yet")))
}

async fn presets() -> Json<Presets> {
    Json(pages::all_presets())
}

/// Runs whose champions can play a game, with what they are.
pub(super) fn to_play(desk: &Desk, game: GameKind) -> Vec<(String, String)> {
    let is_of = |card: &RunCard| pages::game_of(card).is_some_and(|it| it.kind() == game);
    let plays =
        |card: &RunCard| card.champion.is_some() && card.preset.as_deref() != Some("engine");
    let about = |card: RunCard| {
        let strength = card.strength.map(|it| format!(", strength {:.2}", it.score));
        let preset = card.preset.unwrap_or_default();
        (
            card.id,
            format!("{preset}, generation {}{}", card.generation, strength.unwrap_or_default()),
        )
    };
    let cards = cards(desk).into_iter().filter(|card| is_of(card) && plays(card));
    cards.map(about).collect()
}

/// How long a run may take, in seconds.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);
