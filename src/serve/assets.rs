//! The files of the web page, which are embedded in the program. Browsers must not cache them, because that could mix
//! files from different versions.

use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use include_dir::{Dir, include_dir};

use super::{ApiError, ApiResult};

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/serve/page");

pub(super) async fn index() -> ApiResult {
    file(Path("index.html".into())).await
}

pub(super) async fn file(Path(name): Path<String>) -> ApiResult {
    let file = PAGE.get_file(&name);
    let file = file.ok_or_else(|| ApiError::not_found("the page has no such file"))?;
    let kind = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Ok(([(CONTENT_TYPE, kind)], file.contents()).into_response())
}

#[cfg(test)]
mod tests {
    use include_dir::File;

    use super::*;

    /// Our content security policy would block foreign URLs and inline code.
    #[test]
    fn the_page_contains_no_foreign_url_and_no_inline_code() {
        fn files(folder: &'static Dir) -> Vec<&'static File<'static>> {
            folder.files().chain(folder.dirs().flat_map(files)).collect()
        }
        for file in files(&PAGE).iter().filter(|file| !file.path().starts_with("vendor")) {
            let name = file.path().display();
            let text = file.contents_utf8().unwrap().replace("http://www.w3.org/", "");
            let mut hosts = text.split("://").skip(1);
            assert!(!hosts.any(|host| host.starts_with(char::is_alphanumeric)), "{name}");
            let words =
                ["innerHTML", "eval(", "document.write", "onclick=", " style=\"", "<script>"];
            assert_eq!(words.iter().find(|word| text.contains(**word)), None, "{name}");
        }
    }
}
