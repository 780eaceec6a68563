//! Who may ask for what.

use std::fmt;
use std::net::SocketAddr;

use axum::extract::{Extension, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::address::Reach;
use super::answer::Refusal;
use super::desk::Desk;

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) SocketAddr);

/// 128 bits that only who was shown the address of the page knows.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// If the system has no randomness.
    pub(super) fn new() -> Result<Token, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether a text is the token. How long that takes does not tell how much of it is right.
    fn is(&self, text: &str) -> bool {
        let differing = self.0.bytes().zip(text.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        text.len() == self.0.len() && differing == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Lets a request pass that was meant for this server: a name that was made to lead here is none of its own.
pub(super) async fn addressed(State(desk): State<Desk>, request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    if host.is_some_and(|host| desk.hosts.contain(host)) {
        return next.run(request).await;
    }
    let sentence = "this server does not go by that name: open the address that ayo serve printed";
    Refusal::new(StatusCode::MISDIRECTED_REQUEST, sentence).into_response()
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
pub(super) async fn admitted(State(desk): State<Desk>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let Some(shown) = shown(headers, &desk) else {
        let sentence =
            "the token is missing or of another start: open the address that ayo serve printed";
        return Refusal::new(StatusCode::UNAUTHORIZED, sentence).into_response();
    };
    let origin = headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let own = origin
        .map(|origin| origin.strip_prefix("http://").is_some_and(|host| desk.hosts.contain(host)));
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let is_own = own.unwrap_or(reads || shown == Shown::Bearer);
    if is_own {
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
    let has = pairs.any(|(key, value)| key == name && desk.token.is(value));
    has.then_some(Shown::Cookie)
}

/// Cookies are not apart by port, and two servers have two tokens.
fn cookie_name(desk: &Desk) -> String {
    format!("ayo-{}", desk.hosts.port())
}

/// Exchanges the token for a cookie that scripts of the page cannot read.
pub(super) async fn session(State(desk): State<Desk>) -> Response {
    let (name, token) = (cookie_name(&desk), &desk.token);
    let cookie = format!("{name}={token}; HttpOnly; SameSite=Strict; Path=/");
    (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response()
}

/// Whether someone at the other end of a connection may start, stop and resume.
pub(super) fn may_control(desk: &Desk, Peer(peer): Peer) -> bool {
    peer.ip().to_canonical().is_loopback() || desk.reach == (Reach::Lan { control: true })
}

/// Lets a request pass from who may start, stop and resume.
pub(super) async fn controlling(
    State(desk): State<Desk>,
    Extension(peer): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if may_control(&desk, peer) {
        return next.run(request).await;
    }
    let sentence =
        "only this machine may start, stop and resume; ayo serve --lan-control lets others";
    Refusal::new(StatusCode::FORBIDDEN, sentence).into_response()
}
