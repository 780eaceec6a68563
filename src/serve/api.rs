//! Routes, request parsing, error responses and response headers.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::time::timeout;

pub(super) use axum::extract::Path as PathParam;

use super::play::Task;
use super::{AppState, access, assets, events, matches, play, players, runs};

const MAX_BODY: usize = 64 << 10;
const BODY_TIMEOUT: Duration = Duration::from_secs(20);
/// The version of the API. We increase it when a field is removed or its meaning changes.
const INTERFACE: u32 = 1;

pub(super) fn routes(state: Arc<AppState>) -> Router {
    let api = Router::new()
        .route("/api/about", get(about))
        .route("/api/session", post(access::session))
        .route("/api/play", post(play::play))
        .route("/api/payoff", post(|state, game| play::search(state, game, Task::Payoffs)))
        .route("/api/judge", post(|state, game| play::search(state, game, Task::Judge)))
        .route("/api/line", post(play::line))
        .route("/api/players", get(players::list))
        .route("/api/events", get(events::stream))
        .merge(runs::routes(&state))
        .merge(matches::routes(&state))
        .fallback(async || ApiError::not_found("unknown path; docs/web.md lists all paths"))
        .method_not_allowed_fallback(async || {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this path does not support the method")
        })
        .layer(from_fn(with_body))
        .layer(from_fn_with_state(Arc::clone(&state), access::authenticate));
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{*file}", get(assets::file))
        .merge(api)
        .layer(from_fn(add_security_headers))
        .layer(from_fn_with_state(Arc::clone(&state), access::check_host))
        .with_state(state)
}

/// Reads a request body within a time limit. Also converts errors from axum's extractors to JSON.
async fn with_body(request: Request, next: Next) -> ApiResult {
    let (parts, body) = request.into_parts();
    let body = timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY)).await;
    let too_slow = "timed out while reading the request body";
    let body = body.map_err(|_| ApiError::new(StatusCode::REQUEST_TIMEOUT, too_slow))?;
    let body = body.map_err(|error| ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, error))?;
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !response.status().is_client_error() || !kind.is_some_and(|it| it.starts_with("text/plain"))
    {
        return Ok(response);
    }
    let status = response.status();
    let message = to_bytes(response.into_body(), MAX_BODY).await.unwrap_or_default();
    Err(ApiError::new(status, String::from_utf8_lossy(&message)))
}

async fn about() -> Json<Value> {
    let version = env!("CARGO_PKG_VERSION");
    Json(json!({ "kind": "about", "program": "ayo", "version": version, "interface": INTERFACE }))
}

async fn add_security_headers(request: Request, next: Next) -> Response {
    const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        // We keep headers that are already set, because reports have their own policy.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

pub(super) type ApiResult<T = Response> = Result<T, ApiError>;
pub(super) type JsonResult = ApiResult<Json<Value>>;

#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, message: impl Display) -> ApiError {
        ApiError { status, message: message.to_string() }
    }

    pub(super) fn bad_request(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    pub(super) fn not_found(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    /// Returns an error for a request that isn't allowed in the current state of a run or match.
    pub(super) fn conflict(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, message)
    }

    /// Returns an error for a request that exceeds a limit of the server. The client may try again later.
    pub(super) fn busy(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    pub(super) fn internal(message: impl Display) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "kind": "error", "error": self.message }));
        let mut response = (self.status, body).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

pub(super) fn check_range<T: PartialOrd + Display>(
    field: &str,
    value: T,
    range: RangeInclusive<T>,
) -> ApiResult<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (min, max) = (range.start(), range.end());
    Err(ApiError::bad_request(format!("{field} is {value}, not {min} to {max}")))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::Bytes;
    use futures_util::{StreamExt, stream};
    use tokio::time::Instant;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_endless_body_times_out() {
        let chunk: Result<_, Infallible> = Ok(Bytes::from_static(b"{\"line\":"));
        let endless = stream::iter([chunk]).chain(stream::pending());
        let request = Request::post("/").header(CONTENT_TYPE, "application/json");
        let request = request.body(Body::from_stream(endless)).unwrap();
        let routes = Router::new().route("/", post(async |_: Json<Value>| ()));
        let begun = Instant::now();
        let response = routes.layer(from_fn(with_body)).oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
        assert_eq!(begun.elapsed(), BODY_TIMEOUT);
    }
}
