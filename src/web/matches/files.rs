//! The files of matches, by id.

use std::path::{Path, PathBuf};

use crate::web::answer::Refusal;
use crate::web::desk::Desk;
use mancala::store::Log;

/// What the name of a file of games ends with. The id of a match is the name without it.
pub(super) const ENDING: &str = ".games";

/// Whether a path may be a file of games.
pub(in crate::web) fn is_match(path: &Path) -> bool {
    name(path).is_some_and(|name| name.ends_with(ENDING)) && path.is_file()
}

fn name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// The file of a match.
///
/// # Errors
/// If no listing has it.
pub(in crate::web) fn file_of(desk: &Desk, id: &str) -> Result<PathBuf, Refusal> {
    let none = || Refusal::not_found(format!("there is no match {id:?} here"));
    desk.match_files.find(&format!("{id}{ENDING}")).ok_or_else(none)
}

/// The matches with their files, by id.
pub(super) fn all(desk: &Desk) -> Vec<(String, PathBuf)> {
    let files = desk.match_files.list().into_iter();
    let id = |name: &str| name.strip_suffix(ENDING).map(str::to_owned);
    files.filter_map(|(name, path)| Some((id(&name)?, path))).collect()
}

/// What changes whenever the listing does: the matches, the lengths of their files, and whether they are played.
pub(in crate::web) fn marks(desk: &Desk) -> Vec<(String, u64, bool)> {
    let length = |path: &Path| path.metadata().map_or(0, |found| found.len());
    let mark = |(id, path): (String, PathBuf)| (id, length(&path), Log::is_open(&path));
    all(desk).into_iter().map(mark).collect()
}

/// How many games a file has. It costs little to ask again.
pub(in crate::web) fn count(desk: &Desk, path: &Path) -> u64 {
    desk.matches.count(path)
}
