//! Checking a written game ply by ply.

use super::{Ending, Game, Notated, Pit, Record, Settlement, Side};

/// The result of replaying a written game.
///
/// Sowing and the end of a game are separate. A printed game may go on after it is decided, and it is
/// replayed further where its game allows that.
///
/// ```
/// use mancala::game::kalah::{Kalah, Ply};
/// use mancala::game::{Game, Notated, Side};
/// let game = Kalah::default();
/// let plies = Kalah::read_plies("CAF").unwrap();
/// let found = game.replay(game.start(Side::South), &plies);
/// assert_eq!(found.record.line(), "CA");
/// assert_eq!(found.departure.unwrap().reason.to_string(), "it is North's turn");
/// ```
#[derive(Debug, Clone)]
pub struct Replay<G: Notated> {
    /// The plies that are as written.
    pub record: Record<G>,
    /// The first ply that is not, if there is one.
    pub departure: Option<Departure<G>>,
    /// When the game was decided, if it was.
    pub decided: Option<Decided>,
    /// Printed captures that include what the end of the game awarded.
    pub awards: Vec<Award>,
}

/// Where a written game departs from the rules or from its own numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure<G: Notated> {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The ply as written.
    pub printed: G::Ply,
    /// What is wrong with it.
    pub reason: Mismatch,
    /// The position before it.
    pub position: G::Position,
    /// The legal moves that differ from what is printed in one thing only (side, pit, seeds or
    /// captures), those with which more of the game replays first. None for a move given by its
    /// letter, which says too little to be recognised.
    pub fits: Vec<Fit<G::Ply>>,
}

/// A move that may have been meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit<P> {
    /// The move.
    pub ply: P,
    /// How many plies of the game replay with it.
    pub plies: usize,
    /// Whether the whole game does.
    pub complete: bool,
}

/// Why a ply is not as written. The text is the end of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The game has ended and does not go on.
    #[error("the game is over ({0})")]
    Over(Ending),
    /// The other side is to move.
    #[error("it is {0}'s turn")]
    Turn(Side),
    /// There is no legal move.
    #[error("{0} has no legal move")]
    NoMove(Side),
    /// The pit holds another number of seeds.
    #[error("pit {} holds {holds}", pit.letter(*side))]
    Seeds {
        /// The side of the pit.
        side: Side,
        /// The pit.
        pit: Pit,
        /// The seeds in it.
        holds: u8,
    },
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
    /// Its number, 0 for the opening position.
    pub ply: usize,
    /// How it was decided.
    pub ending: Ending,
    /// The result at that point.
    pub settlement: Settlement,
}

/// A printed capture that is larger than the move's by just what the end awarded to the mover.
///
/// Akinyemi's thesis (2012, figure 4.10) prints one: game 1's `2S2(6)` at ply 97 of 98 captures
/// nothing. After ply 98 South cannot feed the empty row of North, and keeps the six seeds of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Award {
    /// The number of the ply that it is printed at: the last one of its side.
    pub ply: usize,
    /// The side that receives the award.
    pub side: Side,
    /// The seeds awarded.
    pub seeds: u8,
}

/// Plays a game whose plies give only side and pit, up to the first that cannot be played. No ply follows
/// the end of the game.
pub(super) fn plainly<G: Notated>(game: G, opening: G::Position, plies: &[G::Ply]) -> Replay<G> {
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

/// Why a side cannot go on with a game from a pit.
fn mismatch<G: Game>(record: &Record<G>, side: Side, pit: Pit) -> Option<Mismatch> {
    if let Some(ending) = record.ending() {
        return Some(Mismatch::Over(ending));
    }
    if record.to_move() != side {
        return Some(Mismatch::Turn(record.to_move()));
    }
    record.game().objection(record.position(), pit).map(Mismatch::Illegal)
}

/// The first ply that ended a game.
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
