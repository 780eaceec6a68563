//! Kalah, in which players also sow into their own store, and move again if their last seed lands there.

mod feature;
mod inputs;
mod position;
mod row;
mod setup;
pub mod solver;

pub use feature::Feature;
pub use position::Position;
pub use setup::{EmptyCapture, Kalah, RemainingSeeds};

use super::notation::{Ply, read_letters, round};
use super::{Ending, Game, Hole, Key, Notated, Pit, PitSet, Settlement, Side, Verdict};
use crate::text::Result;

impl Game for Kalah {
    type Position = Position;

    fn start(&self, first: Side) -> Position {
        Position::start(self, first)
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    #[inline]
    fn key(&self, position: &Position) -> Key {
        position.key()
    }

    #[inline]
    fn moves(&self, position: &Position) -> PitSet {
        position.occupied(position.to_move)
    }

    #[inline]
    fn play(&self, position: &Position, pit: Pit) -> Position {
        let mut after = *position;
        let mover = position.to_move;
        let last = after.sow(pit);
        if last == Slot::Home {
            return after;
        }
        if let Slot::Own(pit) = last {
            after.capture(pit, self.empty_capture);
        }
        after.to_move = mover.other();
        after
    }

    #[inline]
    fn ending(&self, position: &Position, _moves: PitSet) -> Option<Ending> {
        Side::BOTH.iter().any(|&side| position.is_bare(side)).then_some(Ending::EmptyRow)
    }

    #[inline]
    fn promising(&self, position: &Position) -> PitSet {
        position.ending_in_store(position.to_move)
    }

    #[inline]
    fn settle(&self, position: &Position, _ending: Ending) -> Settlement {
        let mut stores = Side::BOTH.map(|side| position.store(side));
        for side in Side::BOTH {
            let taker = match self.remaining_seeds {
                RemainingSeeds::Owner => side,
                RemainingSeeds::Emptier => side.other(),
            };
            stores[taker.index()] += position.seeds_in_row(side);
        }
        Settlement { stores, verdict: Verdict::by_stores(stores) }
    }

    #[inline]
    fn store(&self, position: &Position, side: Side) -> u16 {
        position.store(side)
    }

    fn seeds(&self, position: &Position, pit: Pit) -> u16 {
        position.row(position.to_move)[pit.index()]
    }

    fn sown_home(&self, position: &Position, pit: Pit) -> u16 {
        let (mover, mut sown) = (position.to_move, *position);
        sown.sow(pit);
        sown.store(mover) - position.store(mover)
    }

    fn objection(&self, position: &Position, pit: Pit) -> Option<&'static str> {
        match pit.index() {
            index if index >= self.pits() => Some("there is no such pit"),
            index if position.row(position.to_move)[index] == 0 => Some("the pit is empty"),
            _ => None,
        }
    }
}

/// Where the last seed of a move lands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// The mover's store.
    Home,
    Own(usize),
    Theirs,
}

impl Notated for Kalah {
    const NAME: &'static str = "kalah";

    fn description(&self) -> (&'static str, String) {
        ("game", self.to_string())
    }

    fn read_position(&self, text: &str) -> Result<Position> {
        self.position(text)
    }

    fn position_of(&self, seeds: &[impl Copy + Into<u16>], to_move: Side) -> Result<Position> {
        self.position_from(seeds, to_move)
    }

    // Each letter is a ply, so if a side moves again, it has several letters in a row.
    fn read_plies(text: &str) -> Result<Vec<Ply>> {
        read_letters(text, Pit::MAX.into(), "write a pit as A–H or a–h")
    }

    fn rows(&self, position: &Position) -> [Vec<u16>; 2] {
        Side::BOTH.map(|side| position.row(side)[..self.pits()].to_vec())
    }

    /// Seeds are also sown into the mover's store and, after a full lap, into the origin pit.
    fn sowing(&self, position: &Position, pit: Pit) -> Vec<Hole> {
        let holes = round(position.to_move(), self.pits()).cycle().skip(pit.index() + 1);
        holes.take(self.seeds(position, pit).into()).collect()
    }
}

#[cfg(test)]
mod tests;
