//! Matches: `/api/matches` and what is below it.

mod control;
mod files;
mod follow;

use std::path::PathBuf;

use axum::Router;
use axum::extract::{Extension, State};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};

use super::access::{self, Peer, may_control};
use super::answer::{Named, Query, Refusal};
use super::desk::Desk;
use crate::matches::saved::ListedMatch;

use files::{all, file_of};
pub(super) use files::{is_match, marks};
pub(super) use follow::FollowedMatch;

/// Games if nothing is said, and how many may be asked for.
const USUAL_GAMES: usize = 100;
const MOST_GAMES: usize = 500;

pub(super) fn routes(desk: &Desk) -> Router<Desk> {
    let controlled = Router::new()
        .route("/api/matches", post(control::begin))
        .route("/api/matches/{id}/stop", post(control::stop))
        .layer(from_fn_with_state(desk.clone(), access::controlling));
    Router::new()
        .route("/api/matches", get(list))
        .route("/api/matches/{id}", get(page))
        .route("/api/matches/{id}/games", get(games))
        .merge(controlled)
}

/// Answers with something of a match.
async fn answer<T: Serialize>(
    desk: Desk,
    id: String,
    work: impl FnOnce(&Desk, &str, PathBuf) -> Result<T, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    desk.answer(move |desk| work(desk, &id, file_of(desk, &id)?)).await
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "matches")]
struct Matches {
    folder: String,
    /// Whether who asks may start and stop.
    control: bool,
    matches: Vec<ListedMatch>,
}

async fn list(
    State(desk): State<Desk>,
    Extension(peer): Extension<Peer>,
) -> Result<Response, Refusal> {
    let control = may_control(&desk, &peer);
    let folder = desk.folders.matches.display().to_string();
    desk.answer(move |desk| Ok(Matches { folder, control, matches: listed(desk) })).await
}

/// All matches, the last that was written first.
fn listed(desk: &Desk) -> Vec<ListedMatch> {
    let files = all(desk);
    let paths: Vec<PathBuf> = files.iter().map(|(_, path)| path.clone()).collect();
    desk.matches.retain(&paths);
    let mut found: Vec<ListedMatch> =
        files.iter().map(|(id, path)| desk.matches.listed(id, path)).collect();
    found.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
    found
}

async fn page(State(desk): State<Desk>, Named(id): Named<String>) -> Result<Response, Refusal> {
    answer(desk, id, |desk, id, path| Ok(desk.matches.saved(id, &path))).await
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

async fn games(
    State(desk): State<Desk>,
    Named(id): Named<String>,
    Query(part): Query<Part>,
) -> Result<Response, Refusal> {
    let limit = part.limit.unwrap_or(USUAL_GAMES);
    if !(1..=MOST_GAMES).contains(&limit) {
        return Err(Refusal::wrong(format!("limit is {limit}, not 1 to {MOST_GAMES}")));
    }
    let found = answer(desk, id, move |desk, _, path| {
        desk.matches.games(&path, part.offset, limit).map_err(Refusal::conflict)
    });
    found.await
}
