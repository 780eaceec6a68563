//! Who may ask for what.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{Extension, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::Refusal;
use super::desk::Desk;
use super::hosts::Reach;

/// A connection of a request.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    /// Whoever asks.
    pub(super) there: SocketAddr,
    /// The address that was asked.
    pub(super) here: SocketAddr,
    /// Whether a request on it has shown the token.
    pub(super) is_known: Arc<AtomicBool>,
}

/// Lets a request pass that was meant for this server: a name that was made to lead here is none of its own.
pub(super) async fn addressed(
    State(desk): State<Desk>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let host = host(&request);
    if host.is_some_and(|host| desk.hosts.contain(host, peer.here.ip())) {
        return next.run(request).await;
    }
    let sentence = "this server does not go by that name: open the address that ayo serve printed";
    Refusal::new(StatusCode::MISDIRECTED_REQUEST, sentence).into_response()
}

fn host(request: &Request) -> Option<&str> {
    request.headers().get(HOST)?.to_str().ok()
}

/// How a request shows that it may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The token itself, which a script has.
    Bearer,
    /// The cookie, which a browser sends with whatever asks.
    Cookie,
}

/// Lets a request pass that shows the token and does not come from another page.
pub(super) async fn admitted(
    State(desk): State<Desk>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let Some(shown) = shown(headers, &desk) else {
        let sentence =
            "the token is missing or of another start: open the address that ayo serve printed";
        return Refusal::new(StatusCode::UNAUTHORIZED, sentence).into_response();
    };
    let origin = headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let own = origin.map(|origin| origin.strip_prefix("http://") == host(&request));
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let is_own = own.unwrap_or(reads || shown == Shown::Bearer);
    if is_own {
        peer.is_known.store(true, Ordering::Relaxed);
        return next.run(request).await;
    }
    let sentence = "this request comes from another page than that of ayo serve";
    Refusal::new(StatusCode::FORBIDDEN, sentence).into_response()
}

fn shown(headers: &HeaderMap, desk: &Desk) -> Option<Shown> {
    let text = |name| headers.get(name).and_then(|it| it.to_str().ok());
    let bearer = text(AUTHORIZATION).and_then(|it| it.strip_prefix("Bearer "));
    if bearer.is_some_and(|token| desk.token.is(token.trim())) {
        return Some(Shown::Bearer);
    }
    let name = cookie_name(desk);
    let cookies = text(COOKIE).unwrap_or_default().split(';');
    let mut pairs = cookies.filter_map(|pair| pair.trim().split_once('='));
    let has = pairs.any(|(key, value)| key == name && desk.cookie.is(value));
    has.then_some(Shown::Cookie)
}

/// Cookies are not apart by port, and two servers have two tokens.
fn cookie_name(desk: &Desk) -> String {
    format!("ayo-{}", desk.hosts.port())
}

/// Exchanges the token for a cookie that scripts of the page cannot read. It is worth nothing as a token: a browser
/// shows cookies of this machine to whatever else listens on it.
pub(super) async fn session(State(desk): State<Desk>) -> Response {
    let (name, value) = (cookie_name(&desk), &desk.cookie);
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/");
    (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response()
}

/// Whether someone at the other end of a connection may start, stop and resume.
pub(super) fn may_control(desk: &Desk, peer: &Peer) -> bool {
    peer.there.ip().to_canonical().is_loopback() || desk.reach == (Reach::Lan { control: true })
}

/// Lets a request pass from who may start, stop and resume.
pub(super) async fn controlling(
    State(desk): State<Desk>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if may_control(&desk, &peer) {
        return next.run(request).await;
    }
    let sentence =
        "only this machine may start, stop and resume; ayo serve --lan-control lets others";
    Refusal::new(StatusCode::FORBIDDEN, sentence).into_response()
}
