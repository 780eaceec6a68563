//! All that can be asked for.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};

use super::answer::{self, Refusal};
use super::desk::Desk;
use super::{access, assets, events, games, matches, players, runs};

/// The most bytes of a body.
const LARGEST_BODY: usize = 64 << 10;

/// All that can be asked for.
pub(super) fn routes(desk: Desk) -> Router {
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
