//! The files of the page, compiled in. Their address has a checksum of them all in it, so that a browser keeps
//! them for good, and asks for others when they change.

use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::answer::Refusal;

/// Lists the files of `page/`.
macro_rules! files {
    ($($name:literal,)*) => {
        const FILES: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("page/", $name)))),*];
    };
}

files! {
    "api.js",
    "app.js",
    "icon.svg",
    "play.css",
    "play/view.js",
    "style.css",
    "ui.js",
}

const INDEX: &str = include_str!("page/index.html");
/// What stands in the page for the address of its files.
const PLACE: &str = "{{assets}}";

/// The first digits of the checksum of all files.
fn hash() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| {
        let mut digest = Sha256::new_with_prefix(INDEX);
        for (name, bytes) in FILES {
            digest.update(name);
            digest.update(bytes);
        }
        digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    })
}

/// The page.
pub(super) async fn index() -> Response {
    let page =
        said(None).map_or_else(|| INDEX.into(), |text| String::from_utf8_lossy(&text).into_owned());
    let page = page.replace(PLACE, &format!("/assets/{}", hash()));
    ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")], page)
        .into_response()
}

/// A file of the page.
pub(super) async fn file(Path((asked, name)): Path<(String, String)>) -> Response {
    let found = FILES.iter().find(|(known, _)| *known == name).filter(|_| asked == hash());
    let bytes = said(Some(&name)).or_else(|| found.map(|(_, bytes)| bytes.to_vec()));
    let Some(bytes) = bytes else {
        return Refusal::not_found("there is no such file of the page; load it again")
            .into_response();
    };
    (StatusCode::OK, headers(&name), bytes).into_response()
}

fn headers(name: &str) -> [(HeaderName, &'static str); 2] {
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    let kept =
        if cfg!(debug_assertions) { "no-store" } else { "public, max-age=31536000, immutable" };
    [(CONTENT_TYPE, kind), (CACHE_CONTROL, kept)]
}

/// A file as it is on disk now, in a build for development, so that a change of the page is seen at once.
#[cfg(debug_assertions)]
fn said(name: Option<&str>) -> Option<Vec<u8>> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page");
    let name = name.unwrap_or("index.html");
    let is_plain = !name.split('/').any(|part| part.is_empty() || part.starts_with('.'));
    is_plain.then(|| std::fs::read(page.join(name)).ok())?
}

#[cfg(not(debug_assertions))]
fn said(_: Option<&str>) -> Option<Vec<u8>> {
    None
}
