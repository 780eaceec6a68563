//! One input among the others of a picture.

use super::input::Run;
use super::stroke::Look;
use mancala::eval::Weights;
use mancala::game::GameKind;

/// One input, told apart from the others.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) look: Look,
    pub(super) run: Option<Run>,
    pub(super) champion: Option<Weights>,
}

impl Entry {
    /// The game that it is of.
    pub(super) fn game(&self) -> Option<GameKind> {
        let of_run = self.run.as_ref().map(|run| run.settings.features.game());
        of_run.or_else(|| Some(self.champion.as_ref()?.features().game()))
    }
}
