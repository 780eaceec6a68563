//! What of a run can be taken away: files of its folder, pictures, weights for other programs.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde::Deserialize;
use tokio::io::AsyncReadExt;

use super::cards::{champion_of, read};
use crate::plot::{self, What};
use crate::train::pages::FILES;
use crate::web::answer::{Named, Query, Refusal};
use crate::web::desk::{DOWNLOADS, Desk};
use mancala::eval::{Format, export_standalone};
use mancala::store;

/// Bytes of a file that are read at a time.
const CHUNK: usize = 16 << 10;

/// A file of the run folder, read as the client takes it.
pub(super) async fn file(
    State(desk): State<Desk>,
    Named((id, name)): Named<(String, String)>,
) -> Result<Response, Refusal> {
    let none = || Refusal::not_found(format!("a run has no file {name:?} to be had here"));
    let known = FILES.into_iter().find(|it| *it == name).ok_or_else(none)?;
    let place = Arc::clone(&desk.downloads).try_acquire_owned();
    let place =
        place.map_err(|_| Refusal::busy(format!("{DOWNLOADS} downloads are under way already")))?;
    let open = read(&desk, id, move |id, folder| {
        let path = folder.join(known);
        let is_plain = path.symlink_metadata().is_ok_and(|it| it.is_file());
        let file = is_plain.then(|| store::open(&path).ok()).flatten();
        let file = file.and_then(|file| Some((file.metadata().ok()?.len(), file)));
        file.ok_or_else(|| Refusal::not_found(format!("run {id:?} has no {known}")))
    });
    let (length, file) = open.await?;
    // Rows that are added meanwhile do not count.
    let file = tokio::fs::File::from_std(file).take(length);
    let chunks = unfold((file, place), async |(mut file, place)| {
        let mut chunk = Vec::with_capacity(CHUNK);
        let read = file.read_buf(&mut chunk).await;
        let chunk = read.map(|_| Bytes::from(chunk));
        (!chunk.as_ref().is_ok_and(Bytes::is_empty)).then_some((chunk, (file, place)))
    });
    let body = Body::from_stream(chunks);
    Ok(([(CONTENT_LENGTH, length)], download(known, body)).into_response())
}

#[derive(Debug, Deserialize)]
pub(super) struct Drawn {
    what: Option<String>,
}

/// A picture of the run.
pub(super) async fn picture(
    State(desk): State<Desk>,
    Named(id): Named<String>,
    Query(drawn): Query<Drawn>,
) -> Result<Response, Refusal> {
    let what = drawn.what.as_deref().unwrap_or("fitness");
    let Ok(What::Panel(panel)) = what.parse() else {
        return Err(Refusal::wrong(format!("what is {what:?}: no picture of a run has that name")));
    };
    let own = desk.clone();
    let svg = read(&desk, id, move |_, folder| {
        let svg = plot::svg(&[folder], panel).map_err(Refusal::not_found)?;
        own.hold(svg.into())
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?).into_response())
}

#[derive(Debug, Deserialize)]
pub(super) struct Exported {
    format: Option<String>,
}

/// The champion's weights for another program, with all that they need.
pub(super) async fn export(
    State(desk): State<Desk>,
    Named(id): Named<String>,
    Query(exported): Query<Exported>,
) -> Result<Response, Refusal> {
    let name = exported.format.unwrap_or_else(|| "json".into());
    let format: Format = name.parse().map_err(Refusal::wrong)?;
    let own = desk.clone();
    let text = read(&desk, id, move |id, folder| {
        let weights = champion_of(id, &folder)?;
        format.check(&weights).map_err(Refusal::conflict)?;
        let text = own.hold(export_standalone(&weights, format).into())?;
        Ok((format!("{id}.{}", format.ending()), text))
    });
    let (name, text) = text.await?;
    Ok(download(&name, text))
}

/// Something to be saved. What kind of file it is, is for nobody to guess.
fn download(name: &str, body: impl Into<Body>) -> Response {
    let plain: String = name
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() || "._-".contains(it) { it } else { '_' })
        .collect();
    let disposition = format!("attachment; filename=\"{plain}\"");
    let kind = "application/octet-stream".to_owned();
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, disposition)], body.into()).into_response()
}
