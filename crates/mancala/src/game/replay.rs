//! Replaying a written game against the rules.

use super::{Ending, Game, Notated, Pit, Record, Settlement, Side};

/// The result of replaying a written game.
///
/// A printed game of ayo may continue after it is decided; a game of kalah ends.
///
/// ```
/// use mancala::game::kalah::Kalah;
/// use mancala::game::{Game, Notated, Side};
/// let game = Kalah::default();
/// let plies = Kalah::read_plies("CAF").unwrap();
/// let found = game.replay(game.start(Side::South), &plies);
/// assert_eq!(found.record.line(), "CA");
/// assert_eq!(found.departure.unwrap().reason.to_string(), "it is North's turn");
/// ```
#[derive(Debug, Clone)]
pub struct Replay<G: Notated> {
    /// The game up to the first error.
    pub record: Record<G>,
    /// The first error.
    pub departure: Option<Departure<G>>,
    pub decided: Option<Decided>,
    /// Printed captures that include the seeds awarded at the end of the game.
    pub awards: Vec<Award>,
}

/// The ply at which a written game contradicts the rules or its own numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure<G: Notated> {
    /// The number of the ply, from 1.
    pub ply: usize,
    pub printed: G::Ply,
    pub reason: Mismatch,
    /// The position before the ply.
    pub position: G::Position,
    /// The legal moves that differ from the printed ply in exactly one of side, pit, seeds and captures. Moves with
    /// which more plies of the game replay come first. Empty for a ply printed as a letter, which gives too little to
    /// match.
    pub fits: Vec<Fit<G::Ply>>,
}

/// A possible correction of a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit<P> {
    pub ply: P,
    /// Number of plies that replay with the correction.
    pub plies: usize,
    /// Whether the whole game replays.
    pub complete: bool,
}

/// Errors in a written ply. The text is the end of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The game has ended.
    #[error("the game is over ({0})")]
    Over(Ending),
    /// The other side is to move.
    #[error("it is {0}'s turn")]
    Turn(Side),
    #[error("{0} has no legal move")]
    NoMove(Side),
    /// The pit holds another number of seeds.
    #[error("pit {} holds {holds}", pit.letter(*side))]
    Seeds { side: Side, pit: Pit, holds: u8 },
    /// The rules forbid the move.
    #[error("{0}")]
    Illegal(&'static str),
    /// The move captures another number of seeds.
    #[error("the move captures {0}")]
    Captured(u8),
}

/// The ply after which the game was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The number of the ply, 0 for the opening position.
    pub ply: usize,
    pub ending: Ending,
    pub settlement: Settlement,
}

/// A printed capture that includes the seeds awarded to the mover at the end of the game.
///
/// Akinyemi's thesis (2012, figure 4.10) contains one: `2S2(6)` in game 1, at ply 97 of 98, captures nothing. After ply
/// 98 South cannot feed the empty row of North and keeps the six seeds in its own row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Award {
    /// The number of the ply, which is the last one of its side.
    pub ply: usize,
    pub side: Side,
    pub seeds: u8,
}

/// Replays a game whose plies consist of only side and pit, up to the first ply that cannot be played or follows the
/// end of the game.
pub(super) fn replay_moves<G: Notated>(
    game: G,
    opening: G::Position,
    plies: &[G::Ply],
) -> Replay<G> {
    let mut record = Record::from_position(game, opening);
    let mut departure = None;
    for &printed in plies {
        let (side, pit) = printed.into();
        if let Some(reason) = mismatch(&record, side, pit) {
            let (ply, position) = (record.plies().len() + 1, *record.position());
            departure = Some(Departure { ply, printed, reason, position, fits: Vec::new() });
            break;
        }
        record.play(pit).expect("a legal move");
    }
    Replay { decided: decided(&record), record, departure, awards: Vec::new() }
}

/// Returns why a side cannot play a pit next.
fn mismatch<G: Game>(record: &Record<G>, side: Side, pit: Pit) -> Option<Mismatch> {
    if let Some(ending) = record.ending() {
        return Some(Mismatch::Over(ending));
    }
    if record.to_move() != side {
        return Some(Mismatch::Turn(record.to_move()));
    }
    record.game().objection(record.position(), pit).map(Mismatch::Illegal)
}

/// Returns the first ply that ended a game.
pub(super) fn decided<G: Game>(record: &Record<G>) -> Option<Decided> {
    let mut replayed = Record::from_position(*record.game(), *record.opening());
    let mut plies = record.plies().iter();
    loop {
        if let Some(ending) = replayed.ending() {
            let settlement = record.game().settle(replayed.position(), ending);
            return Some(Decided { ply: replayed.plies().len(), ending, settlement });
        }
        replayed.play(plies.next()?.1).expect("a recorded move is legal");
    }
}
