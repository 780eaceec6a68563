//! The files of the page, compiled into the program. Browsers request them again with each page, so that they never mix
//! files of two versions.

use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::{ApiError, ApiResult};

/// Embeds the files of `page/`, listed by folder.
macro_rules! files {
    ($($folder:literal: $($name:literal)*;)*) => {
        const FILES: &[(&str, &[u8])] = &[$($(
            (concat!($folder, $name), include_bytes!(concat!("page/", $folder, $name))),
        )*)*];
    };
}

files! {
    "": "api.js" "app.js" "chart.js" "events.js" "icon.svg" "play.css" "runs.css" "style.css" "ui.js";
    "chart/": "envelope.js" "legend.js" "pager.js" "plot.js" "twin.js";
    "matches/": "begin.js" "figures.js" "games.js" "list.js" "match.js" "words.js";
    "play/": "board.js" "choices.js" "controls.js" "dialogues.js" "game.js" "keys.js" "link.js" "moves.js"
        "payoff.js" "players.js" "seeds.js" "sowing.js" "view.js" "words.js";
    "runs/": "about.js" "axis.js" "begin.js" "compare.js" "control.js" "curves.js" "history.js" "list.js"
        "run.js" "settings.js" "time.js" "words.js";
    "vendor/": "LICENSE" "README.md" "uPlot.iife.min.js" "uPlot.min.css";
}

const INDEX: &str = include_str!("page/index.html");

pub(super) async fn index() -> Response {
    let page = on_disk("index.html").unwrap_or_else(|| INDEX.into());
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

pub(super) async fn file(Path(name): Path<String>) -> ApiResult {
    let compiled = || FILES.iter().find(|file| file.0 == name).map(|file| file.1.to_vec());
    let bytes = on_disk(&name).or_else(compiled);
    let bytes = bytes.ok_or_else(|| ApiError::not_found("the page has no such file"))?;
    let kind = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Ok(([(CONTENT_TYPE, kind)], bytes).into_response())
}

/// Reads a file from disk in a development build, so that changes to the page appear without a rebuild.
fn on_disk(name: &str) -> Option<Vec<u8>> {
    let is_plain = !name.split('/').any(|part| part.is_empty() || part.starts_with('.'));
    if !cfg!(debug_assertions) || !is_plain {
        return None;
    }
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/page");
    mancala::store::read(&page.join(name)).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn files_in(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = |path: PathBuf| if path.is_dir() { files_in(&path) } else { vec![path] };
        entries.flat_map(files).collect()
    }

    #[test]
    fn every_file_of_the_page_is_compiled_in() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/page");
        let name = |path: &PathBuf| path.strip_prefix(&page).unwrap().display().to_string();
        let mut on_disk: BTreeSet<String> = files_in(&page).iter().map(name).collect();
        assert!(on_disk.remove("index.html"));
        let compiled: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).into()).collect();
        assert_eq!(compiled, on_disk);
    }

    /// The content security policy allows no other sources and no inline code.
    #[test]
    fn the_page_contains_no_foreign_url_and_no_inline_code() {
        for (name, bytes) in FILES.iter().filter(|(name, _)| !name.starts_with("vendor/")) {
            let text = String::from_utf8_lossy(bytes).replace("http://www.w3.org/", "");
            let mut hosts = text.split("://").skip(1);
            assert!(
                !hosts.any(|host| host.starts_with(|it: char| it.is_ascii_alphanumeric())),
                "{name}"
            );
            for word in ["innerHTML", "eval(", "document.write", "onclick="] {
                assert!(!text.contains(word), "{name} contains {word}");
            }
        }
        assert!(!INDEX.contains(" style=") && !INDEX.contains("<script>"));
    }
}
