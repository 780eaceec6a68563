//! The page of `ayo serve`, and the interface that it is written to: `docs/web.md`.
//!
//! Architecture invariant: the server keeps no game and no run. A request has all of a game, and a run is a
//! process of its own in its own folder. Nothing here prints.

mod access;
mod address;
mod answer;
mod assets;
mod connections;
mod desk;
mod events;
mod games;
mod jobs;
mod kept;
mod matches;
mod players;
mod runs;
mod searches;
mod shelf;

pub use address::{Reach, Server, ServerError};
pub use desk::Folders;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};

use answer::Refusal;
use desk::Desk;

/// The most bytes of a body.
const LARGEST_BODY: usize = 64 << 10;

/// All that can be asked for.
fn routes(desk: Desk) -> Router {
    let interface = Router::new()
        .route("/api/about", get(answer::about))
        .route("/api/session", post(access::session))
        .route("/api/play", post(games::play))
        .route("/api/payoff", post(games::payoff))
        .route("/api/judge", post(games::judge))
        .route("/api/line", post(games::line))
        .route("/api/players", get(players::list))
        .route("/api/events", get(events::stream))
        .merge(runs::routes(&desk))
        .merge(matches::routes(&desk))
        .fallback(async || {
            Refusal::not_found("there is nothing of this name; docs/web.md lists what there is")
        })
        .method_not_allowed_fallback(async || Refusal::method())
        .layer(from_fn_with_state(desk.clone(), access::admitted));
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{hash}/{*file}", get(assets::file))
        .merge(interface)
        .layer(from_fn(answer::guarded))
        .layer(from_fn_with_state(desk.clone(), access::addressed))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(desk)
}
