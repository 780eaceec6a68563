//! Runs: `/api/runs` and what is below it.

use std::path::Path;

use super::desk::Desk;
use mancala::game::GameKind;

/// Whether a folder holds a run.
pub(super) fn is_run(path: &Path) -> bool {
    path.join("run.toml").is_file()
}

/// Runs whose champions can play a game, with what they are.
pub(super) fn to_play(desk: &Desk, _game: GameKind) -> Vec<(String, String)> {
    desk.runs.list().into_iter().map(|(id, _)| (id, String::new())).collect()
}
