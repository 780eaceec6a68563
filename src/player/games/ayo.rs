//! Ayo for players.

use std::sync::Arc;

use super::{PANEL_SIZE, PlayableGame};
use crate::player::settings;
use crate::player::spec::{Spec, SpecError};
use crate::player::tables::Provided;
use mancala::endgame::Tables;
use mancala::eval;
use mancala::game::ayo::{Ayo, Position};

impl PlayableGame for Ayo {
    const WEIGHTS: &str = eval::LEARNED;
    const SHOWN: &str = eval::REFERENCE;
    const PANEL: [(&str, u32); PANEL_SIZE] =
        [("seeds", 7), ("seeds", 9), ("daoud2004-depth5", 5), ("aalina4", 5)];
    const OWN_SETTINGS: &[&str] = &["tables"];

    /// A single seed goes round.
    fn shallow(&self) -> Position {
        "0-0-0-0-0-1-0-0-0-0-0-0-23-24-S".parse().expect("a valid position")
    }

    fn tables(&self, spec: &Spec) -> Result<Option<Arc<Tables>>, SpecError> {
        settings::tables(spec, self.rules)
    }

    fn provided(&self, spec: &Spec) -> Result<Option<Provided>, SpecError> {
        settings::provided(spec, self.rules)
    }
}
