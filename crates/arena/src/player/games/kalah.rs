//! Kalah for players.

use super::{PANEL_SIZE, PlayableGame};
use mancala::game::kalah::{Kalah, Position};
use mancala::search::Limits;

impl PlayableGame for Kalah {
    const WEIGHTS: &str = "stores";
    const PANEL: [(&str, u32); PANEL_SIZE] =
        [("stores", 6), ("stores", 8), ("h1+h2+h3+h4+h5", 4), ("h1+h2", 4)];
    const PANEL_2: &[(&str, Limits)] = &[
        ("stores", Limits::depth(8)),
        ("h1+h2", Limits::depth(4)),
        ("h1+h2+h3+h4+h5", Limits::depth(4)),
        ("h1+h2+h3+h4+h5", Limits::depth(6)),
        ("h1+h2", Limits::depth(6)),
        ("h1+h2", Limits::depth(8)),
    ];

    /// The only move brings the mover's last seed home.
    fn shallow(&self) -> Position {
        let (empty, store) = ("0-".repeat(self.pits() - 1), self.total() / 2 - 1);
        let side = format!("{empty}1-{store}");
        self.position(&format!("{side}-{side}-1")).expect("a valid position")
    }
}
