//! Access control: tokens, host names, origins, and the permission to start and stop processes.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{Extension, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, HeaderName, ORIGIN, SET_COOKIE};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{ApiError, ApiResult, AppState, Shared};

/// A random secret of 128 bits.
pub(super) struct Token(pub(super) String);

impl Token {
    pub(super) fn new() -> anyhow::Result<Token> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| anyhow::anyhow!("cannot generate a token: {error}"))?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Compares a string with the token in constant time.
    fn matches(&self, text: &str) -> bool {
        let difference = self.0.bytes().zip(text.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        text.len() == self.0.len() && difference == 0
    }
}

#[derive(Debug, Clone)]
pub(super) struct Peer {
    pub(super) remote: SocketAddr,
    pub(super) local: SocketAddr,
    /// Whether any request on this connection has been authenticated.
    pub(super) is_authenticated: Arc<AtomicBool>,
}

/// Rejects requests for other host names. This prevents DNS rebinding attacks.
pub(super) async fn check_host(
    State(state): Shared,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> ApiResult {
    let host = header(&request, HOST);
    if host.is_some_and(|host| is_own_host(host, state.port, peer.local.ip())) {
        return Ok(next.run(request).await);
    }
    let message = "wrong host name: open the address printed by ayo serve";
    Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message))
}

/// Returns whether a `Host` header is `localhost`, a loopback address, or the address that the client connected to.
fn is_own_host(host: &str, port: u16, local: IpAddr) -> bool {
    let (name, host_port) = host.rsplit_once(':').unwrap_or((host, "80"));
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_own_name = match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || address == local.to_canonical(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    is_own_name && host_port.parse() == Ok(port)
}

/// Rejects requests without credentials, and requests from other origins.
pub(super) async fn authenticate(
    State(state): Shared,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> ApiResult {
    // Scripts send the token itself. Browsers send the cookie instead, even with requests from other sites.
    let token = header(&request, AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let has_token = token.is_some_and(|token| state.token.matches(token.trim()));
    let name = cookie_name(&state);
    let cookies = header(&request, COOKIE).unwrap_or_default().split(';');
    let mut cookies = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    if !has_token && !cookies.any(|(key, value)| key == name && state.cookie.matches(value)) {
        let message = "the token is missing or expired: open the address printed by ayo serve";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, message));
    }
    let is_own_page = match request.headers().get(ORIGIN) {
        Some(origin) => {
            let origin = origin.to_str().unwrap_or_default();
            origin.strip_prefix("http://") == header(&request, HOST)
        }
        // Browsers leave out the origin only in GET and HEAD requests.
        None => has_token || [Method::GET, Method::HEAD].contains(request.method()),
    };
    if !is_own_page {
        let message = "cross-origin requests are not allowed";
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    peer.is_authenticated.store(true, Ordering::Relaxed);
    Ok(next.run(request).await)
}

fn header(request: &Request, name: HeaderName) -> Option<&str> {
    request.headers().get(name)?.to_str().ok()
}

/// Returns the cookie's name. It contains the port, because browsers share cookies between ports.
fn cookie_name(state: &AppState) -> String {
    format!("ayo-{}", state.port)
}

/// Exchanges the token for a cookie that scripts in a page can't read. We don't accept the cookie's value in place of
/// the token, because browsers send it to every server on this machine.
pub(super) async fn session(State(state): Shared) -> Response {
    let (name, value) = (cookie_name(&state), &state.cookie.0);
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/");
    (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response()
}

pub(super) fn may_control(state: &AppState, peer: &Peer) -> bool {
    peer.remote.ip().to_canonical().is_loopback() || state.lan_control
}

pub(super) async fn require_control(
    State(state): Shared,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> ApiResult {
    if may_control(&state, &peer) {
        return Ok(next.run(request).await);
    }
    let message = "other machines cannot start, stop or resume runs, unless ayo serve was started with --lan-control";
    Err(ApiError::new(StatusCode::FORBIDDEN, message))
}
