//! What every answer has, and how a request is refused.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::time::timeout;

/// A request that gets no answer, and a sentence why.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    sentence: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, sentence: impl ToString) -> Refusal {
        Refusal { status, sentence: sentence.to_string() }
    }

    /// Something in the request is wrong.
    pub(super) fn wrong(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, sentence)
    }

    pub(super) fn not_found(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    }

    /// What is asked about is not in the state for it.
    pub(super) fn conflict(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, sentence)
    }

    /// Refuses a request that exceeds a limit of the server. The client may repeat it.
    pub(super) fn busy(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }

    /// Something on this side failed.
    pub(super) fn failed(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }

    pub(super) fn method() -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this is not asked for in this way")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Json(json!({ "kind": "error", "error": self.sentence }));
        let mut response = (self.status, body).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// A response of JSON that is serialised already.
pub(super) fn of_json(answer: Bytes) -> Response {
    ([(CONTENT_TYPE, "application/json")], answer).into_response()
}

/// How long a body may take to come.
const BODY: Duration = Duration::from_secs(20);

/// A body in JSON. One that cannot be read is refused as everything is.
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T> FromRequest<S> for Body<T>
where
    Json<T>: FromRequest<S, Rejection = JsonRejection>,
{
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match timeout(BODY, Json::from_request(request, state)).await {
            Ok(Ok(Json(body))) => Ok(Body(body)),
            Ok(Err(refusal)) => Err(Refusal::new(refusal.status(), refusal.body_text())),
            Err(_) => {
                Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time"))
            }
        }
    }
}

/// What of the path names something. What cannot be read is refused as everything is.
pub(super) struct Named<T>(pub(super) T);

impl<S: Send + Sync, T> FromRequestParts<S> for Named<T>
where
    Path<T>: FromRequestParts<S, Rejection = PathRejection>,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(named)) => Ok(Named(named)),
            Err(refusal) => Err(Refusal::new(refusal.status(), refusal.body_text())),
        }
    }
}

/// The fields behind the question mark. What cannot be read is refused as everything is.
pub(super) struct Query<T>(pub(super) T);

impl<S: Send + Sync, T> FromRequestParts<S> for Query<T>
where
    axum::extract::Query<T>: FromRequestParts<S, Rejection = QueryRejection>,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match axum::extract::Query::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(query)) => Ok(Query(query)),
            Err(refusal) => Err(Refusal::new(refusal.status(), refusal.body_text())),
        }
    }
}

/// The version of the interface: another one where a field goes or changes its meaning.
const INTERFACE: u32 = 1;

/// Which program answers, and which interface it has.
pub(super) async fn about() -> Json<Value> {
    let version = env!("CARGO_PKG_VERSION");
    Json(json!({ "kind": "about", "program": "ayo", "version": version, "interface": INTERFACE }))
}

const ISOLATED: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const OWN: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds to an answer what keeps a browser from doing more with it than the page does.
pub(super) async fn guarded(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (ISOLATED, "same-origin"),
        (OWN, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{StreamExt, stream};
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_end_is_not_waited_for_for_long() {
        let begun: Result<_, Infallible> = Ok(Bytes::from_static(b"{\"line\":"));
        let endless = stream::iter([begun]).chain(stream::pending());
        let request = Request::builder().header(CONTENT_TYPE, "application/json");
        let request = request.body(axum::body::Body::from_stream(endless)).unwrap();
        let begun = Instant::now();
        let refused = Body::<Value>::from_request(request, &()).await.err().unwrap();
        assert_eq!((refused.status, begun.elapsed()), (StatusCode::REQUEST_TIMEOUT, BODY));
    }
}
