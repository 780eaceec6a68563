//! The runs of the folder, their cards, and reading what they hold.

use std::convert::Infallible;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use axum::response::Response;
use serde::Serialize;

use crate::train::pages;
use crate::train::pages::RunCard;
use crate::web::answer::Refusal;
use crate::web::desk::Desk;
use crate::web::fingerprint::Fingerprint;
use evolve::run::Summary;
use mancala::game::GameKind;

/// Whether a folder holds a run, and nothing in it that would lead elsewhere or be waited for: links, pipes.
pub(in crate::web) fn is_run(path: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(path) else { return false };
    let kinds = entries.map(|entry| entry.and_then(|entry| entry.file_type()));
    let is_plain =
        |kind: std::io::Result<FileType>| kind.is_ok_and(|it| it.is_file() || it.is_dir());
    path.join("run.toml").is_file() && kinds.into_iter().all(is_plain)
}

/// How old a card may be. A run changes often.
const FRESH: Duration = Duration::from_millis(250);

/// Reads something of a run on a thread that may block.
pub(super) async fn read<T: Send + 'static>(
    desk: &Desk,
    id: String,
    work: impl FnOnce(&str, PathBuf) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let own = desk.clone();
    desk.reads.run(move |_| work(&id, own.run_folder(&id)?)).await?
}

/// Answers with something of a run.
pub(super) async fn answer<T: Serialize>(
    desk: Desk,
    id: String,
    work: impl FnOnce(&str, PathBuf) -> Result<T, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    desk.answer(move |desk| work(&id, desk.run_folder(&id)?)).await
}

/// The cards of all runs, the newest first.
pub(in crate::web) fn cards(desk: &Desk) -> Vec<RunCard> {
    let known = desk.runs.list().into_iter().map(|(id, path)| card(desk, &id, &path));
    let mut cards: Vec<RunCard> = known.collect();
    cards.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
    cards
}

/// The card of a run. As long as no file of the run changes, it is not read again; and not more than a few times a
/// second.
pub(in crate::web) fn card(desk: &Desk, id: &str, folder: &Path) -> RunCard {
    let make = || Ok::<_, Infallible>(pages::card(id, folder));
    let since = Instant::now() - FRESH;
    let Ok(card) = desk.cards.get_or(id, since, || Fingerprint::of(folder), make);
    card
}

/// The champion of a run as it is on disk.
pub(super) fn champion_of(id: &str, folder: &Path) -> Result<mancala::eval::Weights, Refusal> {
    let summary = Summary::of(folder).map_err(Refusal::conflict)?;
    summary.champion.ok_or_else(|| Refusal::not_found(format!("run {id:?} has no champion yet")))
}

/// Runs whose champions can play a game, with what they are.
pub(in crate::web) fn to_play(desk: &Desk, game: GameKind) -> Vec<(String, String)> {
    let is_of = |card: &RunCard| pages::game_of(card).is_some_and(|it| it.kind() == game);
    let plays =
        |card: &RunCard| card.champion.is_some() && card.preset.as_deref() != Some("engine");
    let about = |card: RunCard| {
        let strength = card.strength;
        let strength = strength
            .map(|it| format!(", strength {:.2} in generation {}", it.score.score, it.generation));
        let preset = card.preset.unwrap_or_default();
        (
            card.id,
            format!("{preset}, generation {}{}", card.generation, strength.unwrap_or_default()),
        )
    };
    let cards = cards(desk).into_iter().filter(|card| is_of(card) && plays(card));
    cards.map(about).collect()
}
