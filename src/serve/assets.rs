//! The files of the web page, which are embedded in the program. Browsers must not cache them, because that could mix
//! files from different versions.

use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use rust_embed::Embed;

use super::{ApiError, ApiResult};

#[derive(Embed)]
#[folder = "src/serve/page"]
struct Page;

pub(super) async fn index() -> ApiResult {
    file(Path("index.html".into())).await
}

pub(super) async fn file(Path(name): Path<String>) -> ApiResult {
    let file = Page::get(&name);
    let file = file.ok_or_else(|| ApiError::not_found("the page has no such file"))?;
    let kind = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Ok(([(CONTENT_TYPE, kind)], file.data).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Our content security policy would block foreign URLs and inline code.
    #[test]
    fn the_page_contains_no_foreign_url_and_no_inline_code() {
        for name in Page::iter().filter(|name| !name.starts_with("vendor/")) {
            let file = Page::get(&name).unwrap();
            let text = String::from_utf8_lossy(&file.data).replace("http://www.w3.org/", "");
            let mut hosts = text.split("://").skip(1);
            assert!(
                !hosts.any(|host| host.starts_with(|it: char| it.is_ascii_alphanumeric())),
                "{name}"
            );
            for word in
                ["innerHTML", "eval(", "document.write", "onclick=", " style=\"", "<script>"]
            {
                assert!(!text.contains(word), "{name} contains {word}");
            }
        }
    }
}
