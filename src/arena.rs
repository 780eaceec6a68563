//! Games between players.

mod crosstable;
mod elo;
mod likelihood;
mod normal;
mod pentanomial;
mod rating;
#[cfg(test)]
mod simulation;
mod sprt;

pub use crosstable::{Crosstable, Triple};
pub use elo::{elo_of_score, score_of_elo};
pub use pentanomial::{Estimate, Outcome, PairScore, Pentanomial};
pub use rating::{Disconnected, Rating, Ratings, Reference};
pub use sprt::{Decision, Judgement, Sprt, SprtError};

use crate::game::{Ending, Game, Record, Settlement};
use crate::player::Player;
use crate::search::Monitor;

/// A game played to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// How it ended.
    pub ending: Ending,
    /// What it came to.
    pub settlement: Settlement,
    /// Positions that South's player and North's player looked at.
    pub nodes: [u64; 2],
}

/// Plays a game to its end from where `record` stands, South's player first in `players`. `None` if
/// the monitor stopped it.
pub fn play_game<G: Game>(
    record: &mut Record<G>,
    players: [&mut dyn Player<G>; 2],
    monitor: &dyn Monitor,
) -> Option<Played> {
    let mut nodes = [0; 2];
    loop {
        if let (Some(ending), Some(settlement)) = (record.ending(), record.settlement()) {
            return Some(Played { ending, settlement, nodes });
        }
        let side = record.to_move().index();
        let choice = players[side].choose(record, monitor)?;
        nodes[side] += choice.nodes;
        record.play(choice.pit).expect("players choose legal moves");
    }
}
