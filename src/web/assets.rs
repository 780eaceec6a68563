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
    "chart.js",
    "chart/envelope.js",
    "chart/legend.js",
    "chart/pager.js",
    "chart/plot.js",
    "chart/twin.js",
    "events.js",
    "icon.svg",
    "matches/begin.js",
    "matches/figures.js",
    "matches/games.js",
    "matches/list.js",
    "matches/match.js",
    "matches/words.js",
    "play.css",
    "play/board.js",
    "play/choices.js",
    "play/controls.js",
    "play/dialogues.js",
    "play/game.js",
    "play/keys.js",
    "play/link.js",
    "play/moves.js",
    "play/payoff.js",
    "play/players.js",
    "play/seeds.js",
    "play/sowing.js",
    "play/view.js",
    "play/words.js",
    "runs.css",
    "runs/about.js",
    "runs/axis.js",
    "runs/begin.js",
    "runs/compare.js",
    "runs/control.js",
    "runs/curves.js",
    "runs/history.js",
    "runs/list.js",
    "runs/run.js",
    "runs/settings.js",
    "runs/time.js",
    "runs/words.js",
    "style.css",
    "ui.js",
    "vendor/LICENSE",
    "vendor/README.md",
    "vendor/uPlot.iife.min.js",
    "vendor/uPlot.min.css",
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
    let page = on_disk(None)
        .map_or_else(|| INDEX.into(), |text| String::from_utf8_lossy(&text).into_owned());
    let page = page.replace(PLACE, &format!("/assets/{}", hash()));
    ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")], page)
        .into_response()
}

/// A file of the page.
pub(super) async fn file(Path((asked, name)): Path<(String, String)>) -> Response {
    let found = FILES.iter().find(|(known, _)| *known == name).filter(|_| asked == hash());
    let bytes = on_disk(Some(&name)).or_else(|| found.map(|(_, bytes)| bytes.to_vec()));
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
fn on_disk(name: Option<&str>) -> Option<Vec<u8>> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page");
    let name = name.unwrap_or("index.html");
    let is_plain = !name.split('/').any(|part| part.is_empty() || part.starts_with('.'));
    is_plain.then(|| mancala::store::read(&page.join(name)).ok())?
}

#[cfg(not(debug_assertions))]
fn on_disk(_: Option<&str>) -> Option<Vec<u8>> {
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn below(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = |path: PathBuf| if path.is_dir() { below(&path) } else { vec![path] };
        entries.flat_map(files).collect()
    }

    #[test]
    fn every_file_of_the_page_is_compiled_in() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page");
        let name = |path: &PathBuf| path.strip_prefix(&page).unwrap().display().to_string();
        let mut there: BTreeSet<String> = below(&page).iter().map(name).collect();
        assert!(there.remove("index.html"));
        assert_eq!(
            FILES.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>(),
            there
        );
    }

    /// The policy of the page lets a browser run and ask for nothing else.
    #[test]
    fn the_page_asks_for_nothing_elsewhere() {
        for (name, bytes) in FILES.iter().filter(|(name, _)| !name.starts_with("vendor/")) {
            let text = String::from_utf8_lossy(bytes);
            let others = text.replace("http://www.w3.org/", "");
            let begins = |it: &str| it.starts_with(|letter: char| letter.is_ascii_alphanumeric());
            assert!(!others.split("://").skip(1).any(begins), "{name}");
            for word in ["innerHTML", "eval(", "document.write", "onclick="] {
                assert!(!text.contains(word), "{name} has {word}");
            }
        }
        assert!(!INDEX.contains(" style=") && !INDEX.contains("<script>"));
        assert!(INDEX.contains(PLACE));
    }
}
