//! `/api/matches` and the paths below it. A match's ID is its file name without the extension.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena::Suite;
use arena::player::Spec;
use axum::extract::{Extension, Query, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Json, Router};
use mancala::game::AnyGame;
use mancala::store::{self, Log};
use serde::Deserialize;
use serde_json::json;

use super::play::game;
use super::{
    ApiError, ApiResult, AppState, JsonResult, PathParam, Peer, PlayerOptions, Shared, check_name,
    check_range, job_response, may_control, require_control,
};
use crate::matches::saved::{self, ListedMatch};

const EXTENSION: &str = ".games";
const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 500;
const DEFAULT_OPENINGS: &str = "plies:4";
/// The maximum number of letters of each player's name in the default name of a match.
const MAX_NICKNAME: usize = 28;

pub(super) fn routes(state: &Arc<AppState>) -> Router<Arc<AppState>> {
    let control = Router::new()
        .route("/api/matches", post(start))
        .route("/api/matches/{id}/stop", post(stop))
        .layer(from_fn_with_state(Arc::clone(state), require_control));
    Router::new()
        .route("/api/matches", get(list))
        .route("/api/matches/{id}", get(page))
        .route("/api/matches/{id}/games", get(games))
        .merge(control)
}

/// Returns whether a path is an existing file whose name ends with [`EXTENSION`].
pub(super) fn is_match(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with(EXTENSION)) && path.is_file()
}

pub(super) fn match_file(state: &AppState, id: &str) -> ApiResult<PathBuf> {
    let file = state.match_files.find(&format!("{id}{EXTENSION}"));
    file.ok_or_else(|| ApiError::not_found(format!("no match with ID {id:?} in this folder")))
}

fn match_files(state: &AppState) -> Vec<(String, PathBuf)> {
    let files = state.match_files.list().into_iter();
    files.filter_map(|(name, path)| Some((name.strip_suffix(EXTENSION)?.into(), path))).collect()
}

/// Returns the ID, file length and running state of each match. We use this to detect changes.
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchOptions {
    a: PlayerOptions,
    b: PlayerOptions,
    game: Option<String>,
    rules: Option<String>,
    openings: Option<String>,
    games: Option<usize>,
    sprt: Option<String>,
    threads: Option<u32>,
    name: Option<String>,
}

async fn start(State(state): Shared, Json(options): Json<MatchOptions>) -> JsonResult {
    let game = game(options.game.as_deref(), options.rules.as_deref())?;
    let players = [options.a.spec(&state, game)?, options.b.spec(&state, game)?];
    let folder = &state.match_files.folder;
    let _starting = state.jobs.starting().await?;
    let (id, path) = free_name(folder, &players, options.name.as_deref())?;
    let arguments = arguments(&options, game, &players, &path)?;
    store::create_folder(folder).map_err(ApiError::internal)?;
    let is_running = || path.metadata().is_ok_and(|data| data.len() > 0) && Log::is_open(&path);
    state.jobs.start("match", &id, &arguments, is_running).await?;
    Ok(job_response("begun", &id))
}

/// Returns the arguments of the command that plays the match. Fails if the players or the openings aren't allowed.
fn arguments(
    options: &MatchOptions,
    game: AnyGame,
    players: &[Spec; 2],
    path: &Path,
) -> ApiResult<Vec<String>> {
    let [a, b] = players.each_ref().map(spec_argument);
    let mut arguments = vec!["match".into(), a?, b?, format!("--game={game}")];
    if let ("rules", rules) = game.description() {
        arguments.push(format!("--rules={rules}"));
    }
    let openings = check_openings(options.openings.as_deref().unwrap_or(DEFAULT_OPENINGS))?;
    arguments.push(format!("--openings={openings}"));
    arguments.extend(options.games.map(|games| format!("--games={games}")));
    arguments.extend(options.sprt.as_ref().map(|sprt| format!("--sprt={sprt}")));
    arguments.extend(options.threads.map(|threads| format!("--threads={threads}")));
    let path =
        path.to_str().ok_or_else(|| ApiError::internal("the matches folder is not UTF-8"))?;
    arguments.extend(["--quiet".into(), format!("--games-out={path}")]);
    Ok(arguments)
}

async fn stop(State(state): Shared, PathParam(id): PathParam<String>) -> JsonResult {
    match saved::stop(&match_file(&state, &id)?) {
        Ok(true) => Ok(job_response("stopping", &id)),
        Ok(false) => Err(ApiError::conflict("no process is playing this match")),
        Err(error) => Err(ApiError::internal(error)),
    }
}

/// Parses openings. Files are rejected, because only command-line users may name files.
fn check_openings(text: &str) -> ApiResult<Suite> {
    match text.parse::<Suite>() {
        Ok(Suite::File(_)) => {
            let forms = "write plies:K or random:N,plies=K,seed=S";
            Err(ApiError::bad_request(format!("openings is {text:?}: {forms}")))
        }
        Ok(suite) => Ok(suite),
        Err(error) => Err(ApiError::bad_request(format!("openings: {error}"))),
    }
}

/// Formats a specification as an argument. Fails if it wouldn't parse back to the same specification.
fn spec_argument(spec: &Spec) -> ApiResult<String> {
    let text = spec.to_string();
    match text.parse::<Spec>() {
        Ok(parsed) if parsed == *spec => Ok(text),
        _ => Err(ApiError::bad_request("player: the name of the run contains a double quote")),
    }
}

/// Chooses an unused name for the match. Also returns the path of its file.
fn free_name(
    folder: &Path,
    players: &[Spec; 2],
    name: Option<&str>,
) -> ApiResult<(String, PathBuf)> {
    let path = |name: &str| folder.join(format!("{name}{EXTENSION}"));
    // A name may also be taken by a folder or a link.
    let is_free = |name: &str| path(name).symlink_metadata().is_err();
    let name = match name {
        Some(name) => {
            check_name("name", name)?;
            if !is_free(name) {
                let message = format!("name is {name:?}: a match with this name already exists");
                return Err(ApiError::conflict(message));
            }
            name.to_owned()
        }
        None => {
            let [a, b] = players.each_ref().map(nickname);
            let numbered = (2..).map(|number| format!("{a}-{b}-{number}"));
            let mut names = std::iter::once(format!("{a}-{b}")).chain(numbered);
            names.find(|name| is_free(name)).expect("there is always another number")
        }
    };
    Ok((name.clone(), path(&name)))
}

/// Returns a short name for a player: the name of its weights or run, or else its kind.
fn nickname(spec: &Spec) -> String {
    let weights = spec.text("weights").and_then(|path| Path::new(path).file_name()?.to_str());
    let letters = weights.unwrap_or(&spec.kind).chars().take(MAX_NICKNAME);
    let is_valid = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let name: String = letters.map(|it| if is_valid(it) { it } else { '-' }).collect();
    let name = name.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
    if name.is_empty() { "player".into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nicknames_are_valid_names() {
        for (spec, name) in [
            ("amateur", "amateur"),
            ("minimax:weights=learned,depth=9", "learned"),
            ("engine:weights=\"populations/a, b=c\",movetime=1s", "a--b-c"),
            ("minimax:weights=runs/ö", "player"),
        ] {
            assert_eq!(nickname(&spec.parse().unwrap()), name);
            assert!(check_name("name", name).is_ok());
        }
    }

    #[test]
    fn only_specifications_that_are_read_back_unchanged_are_arguments() {
        let spec = |folder: &str| Spec {
            kind: "minimax".into(),
            options: vec![("weights".into(), folder.into()), ("depth".into(), "9".into())],
        };
        for folder in ["runs/a", "my runs/a, b=c", "runs/it's <b>", "-x", "", "a:b"] {
            assert_eq!(
                spec_argument(&spec(folder)).unwrap().parse::<Spec>().unwrap(),
                spec(folder)
            );
        }
        for folder in ["a\"b", "\"a\"", "a\",depth=1,cmd=\"x"] {
            assert!(spec_argument(&spec(folder)).is_err(), "{folder}");
        }
    }
}
