//! What of a run can be taken away: files of its folder, pictures, weights for other programs.

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::cards::{champion_of, read};
use crate::app::pages::FILES;
use crate::report::{self, What};
use crate::web::answer::{Named, Query, Refusal};
use crate::web::desk::Desk;
use mancala::eval::{Format, export_standalone};
use mancala::store;

/// A file of the run folder.
pub(super) async fn file(
    State(desk): State<Desk>,
    Named((id, name)): Named<(String, String)>,
) -> Result<Response, Refusal> {
    let none = || Refusal::not_found(format!("a run has no file {name:?} to be had here"));
    let known = FILES.into_iter().find(|it| *it == name).ok_or_else(none)?;
    let read = read(&desk, id, move |id, folder| {
        let path = folder.join(known);
        let is_plain = path.symlink_metadata().is_ok_and(|it| it.is_file());
        let bytes = is_plain.then(|| store::read(&path).ok()).flatten();
        bytes.ok_or_else(|| Refusal::not_found(format!("run {id:?} has no {known}")))
    });
    Ok(download(known, read.await?))
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
    let svg =
        read(&desk, id, move |_, folder| report::svg(&[folder], panel).map_err(Refusal::not_found));
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
    let text = read(&desk, id, move |id, folder| {
        let weights = champion_of(id, &folder)?;
        format.check(&weights).map_err(Refusal::conflict)?;
        Ok((format!("{id}.{}", format.ending()), export_standalone(&weights, format)))
    });
    let (name, text) = text.await?;
    Ok(download(&name, text.into_bytes()))
}

/// Something to be saved. What kind of file it is, is for nobody to guess.
fn download(name: &str, bytes: Vec<u8>) -> Response {
    let plain: String = name
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() || "._-".contains(it) { it } else { '_' })
        .collect();
    let disposition = format!("attachment; filename=\"{plain}\"");
    let kind = "application/octet-stream".to_owned();
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, disposition)], bytes).into_response()
}
