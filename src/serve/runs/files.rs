//! Downloads: files of a run folder, pictures, and exported weights.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::header::{
    CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde::Deserialize;
use tokio::io::AsyncReadExt;

use super::champion_of;
use crate::plot::{self, What};
use crate::report::page_of;
use crate::serve::{ApiError, ApiResult, MAX_DOWNLOADS, PathParam, Shared};
use crate::train::pages::FILES;
use mancala::eval::{Format, export_standalone};
use mancala::store;

const CHUNK: usize = 16 << 10;

/// Streams a file from the run folder.
pub(super) async fn file(
    State(state): Shared,
    PathParam((id, name)): PathParam<(String, String)>,
) -> ApiResult {
    let not_found = || ApiError::not_found(format!("run {id:?} has no file {name:?} to download"));
    let known = FILES.into_iter().find(|known| *known == name).ok_or_else(not_found)?;
    let permit = Arc::clone(&state.downloads).try_acquire_owned();
    let permit = permit
        .map_err(|_| ApiError::busy(format!("{MAX_DOWNLOADS} downloads are already running")))?;
    let open = state.read(move |state| {
        let path = state.run_folder(&id)?.join(known);
        let is_plain = path.symlink_metadata().is_ok_and(|data| data.is_file());
        let file = is_plain.then(|| store::open(&path).ok()).flatten();
        let file = file.and_then(|file| Some((file.metadata().ok()?.len(), file)));
        file.ok_or_else(|| ApiError::not_found(format!("run {id:?} has no {known}")))
    });
    let (length, file) = open.await?;
    // Do not send rows that were written after the length was determined.
    let file = tokio::fs::File::from_std(file).take(length);
    let chunks = unfold((file, permit), async |(mut file, permit)| {
        let mut chunk = Vec::with_capacity(CHUNK);
        let read = file.read_buf(&mut chunk).await;
        let chunk = read.map(|_| Bytes::from(chunk));
        (!chunk.as_ref().is_ok_and(Bytes::is_empty)).then_some((chunk, (file, permit)))
    });
    let response = download(known, Body::from_stream(chunks));
    Ok(([(CONTENT_LENGTH, length)], response).into_response())
}

#[derive(Debug, Deserialize)]
pub(super) struct PictureOptions {
    what: Option<String>,
}

pub(super) async fn picture(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Query(options): Query<PictureOptions>,
) -> ApiResult {
    let what = options.what.as_deref().unwrap_or("fitness");
    let Some(panel) = What::panels().find(|panel| panel.name() == what) else {
        let message = format!("what is {what:?}, which is not the name of a picture");
        return Err(ApiError::bad_request(message));
    };
    let svg = state.read(move |state| {
        let svg = plot::svg(&[state.run_folder(&id)?], panel).map_err(ApiError::not_found)?;
        state.hold(svg.into())
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?).into_response())
}

/// A content security policy that allows the style sheet of a report, and nothing else.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Responds with the report of a run, which is made from its current files.
pub(super) async fn report(State(state): Shared, PathParam(id): PathParam<String>) -> ApiResult {
    let page = state.read(move |state| {
        let page = page_of(&state.run_folder(&id)?).map_err(ApiError::conflict)?;
        state.hold(page.into())
    });
    let headers =
        [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, REPORT_POLICY)];
    Ok((headers, page.await?).into_response())
}

#[derive(Debug, Deserialize)]
pub(super) struct ExportOptions {
    format: Option<String>,
}

pub(super) async fn export(
    State(state): Shared,
    PathParam(id): PathParam<String>,
    Query(options): Query<ExportOptions>,
) -> ApiResult {
    let format = options.format.as_deref().unwrap_or("json");
    let format: Format = format.parse().map_err(ApiError::bad_request)?;
    let exported = state.read(move |state| {
        let weights = champion_of(state, &id)?;
        format.check(&weights).map_err(ApiError::conflict)?;
        let text = state.hold(export_standalone(&weights, format).into())?;
        Ok((format!("{id}.{}", format.extension()), text))
    });
    let (name, text) = exported.await?;
    Ok(download(&name, text))
}

/// Creates a response that the browser saves under a name. Its generic content type keeps the browser from opening it.
fn download(name: &str, body: impl Into<Body>) -> Response {
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let name: String = name.chars().map(|it| if is_safe(it) { it } else { '_' }).collect();
    let disposition = format!("attachment; filename=\"{name}\"");
    let kind = "application/octet-stream".to_owned();
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, disposition)], body.into()).into_response()
}
