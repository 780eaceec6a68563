//! Ayo, the West African game also known as Awari, Oware or Awale, under four rule sets.

mod feature;
pub(crate) mod inputs;
mod notation;
mod position;
mod rules;
mod sowing;
mod strategy;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vector;

pub(crate) use feature::DAOUD;
pub use feature::Feature;
pub use position::Position;
use position::store_of;
pub use rules::{Feeding, GrandSlam, Repetition, Rules, Stalemate};
#[cfg(target_arch = "x86_64")]
pub(crate) use sowing::added;
use sowing::is_bare;
pub use sowing::{PITS, SEEDS, Sown, sown};
pub(crate) use sowing::{last_pit_holds, occupied, sow_rows, total};
pub use strategy::{is_odu, strategies};

pub use super::notation::{Ply, Printed};
use super::{Ending, Game, Key, Pit, PitSet, Settlement, Side, Verdict};

/// Ayo, played under one of its rule sets.
///
/// ```
/// use mancala::game::{Game, Pit, Side, ayo::Ayo};
/// let game = Ayo::default();
/// let start = game.start(Side::South);
/// let after = game.play(&start, Pit::new(5).unwrap());
/// assert_eq!(after.to_string(), "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ayo {
    pub rules: Rules,
}

/// Half of all seeds. A side with more seeds than this in its store has won.
const HALF: u8 = SEEDS / 2;

impl Game for Ayo {
    type Position = Position;

    fn start(&self, first: Side) -> Position {
        Position::start(first)
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Side {
        position.to_move()
    }

    #[inline(always)]
    fn moves_again(&self, _: Side, _: &Position) -> bool {
        false
    }

    #[inline]
    fn moves(&self, position: &Position) -> PitSet {
        let holding = sowing::occupied(position.mover);
        match self.rules.feeding {
            Feeding::MustFeed
                if is_bare(position.other) || self.rules.grand_slam == GrandSlam::Illegal =>
            {
                self.leaving_seeds(position, holding)
            }
            Feeding::MustFeed => holding,
            Feeding::MustLeaveSeeds => {
                let leaving = self.leaving_seeds(position, holding);
                if leaving.is_empty() { holding } else { leaving }
            }
        }
    }

    // We have to force inlining because the loop over leaves is compiled with different target features.
    #[inline(always)]
    fn play(&self, position: &Position, pit: Pit) -> Position {
        sowing::sow(position, pit, self.rules.grand_slam)
    }

    #[inline]
    fn ending(&self, position: &Position, moves: PitSet) -> Option<Ending> {
        let no_move = moves.is_empty().then_some(Ending::NoMove);
        // Don't use `map` on an array here, because it isn't inlined without LTO.
        match (store_of(position.mover), store_of(position.other)) {
            (..HALF, ..HALF) => no_move,
            (HALF, HALF) => Some(Ending::Even),
            (..=HALF, ..=HALF) => no_move,
            _ => Some(Ending::Majority),
        }
    }

    #[inline(always)]
    fn ended(&self, position: &Position) -> Option<Ending> {
        let some_move = !is_bare(position.mover)
            && !is_bare(position.other)
            && self.rules.grand_slam != GrandSlam::Illegal;
        // If both rows have seeds, there is always a legal move, unless the rules forbid grand slams.
        let moves = if some_move { PitSet::from_bits(1) } else { self.moves(position) };
        self.ending(position, moves)
    }

    /// Returns the pits whose last seed makes two or three. All of them capture, unless a grand slam captures nothing.
    #[inline]
    fn promising(&self, position: &Position) -> PitSet {
        #[cfg(target_arch = "x86_64")]
        if let Some(bits) = vector::capturing_if_available(position.rows()) {
            return PitSet::from_bits(bits as u8);
        }
        let &Position { mover, other } = position;
        let captures = |pit: &usize| matches!(last_pit_holds(mover, other, *pit), 2 | 3);
        let bits = (0..PITS).filter(captures).fold(0, |bits, pit| bits | 1 << pit);
        PitSet::from_bits(bits)
    }

    #[inline(always)]
    fn may_capture(&self, position: &Position) -> PitSet {
        PitSet::from_bits(self.moves(position).bits() & self.promising(position).bits())
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> Key {
        position.key()
    }

    fn settle(&self, position: &Position, ending: Ending) -> Settlement {
        let rows = Side::BOTH.map(|side| u16::from(position.seeds_in_row(side)));
        let mut stores = position.stores().map(u16::from);
        let mut decreed = None;
        match (ending, self.rules.stalemate, self.rules.repetition) {
            // No seeds are awarded. (`EmptyRow` can't occur here, because it doesn't end a game of ayo.)
            (Ending::Majority | Ending::Even | Ending::EmptyRow, ..) => {}
            (Ending::NoMove, Stalemate::OwnRows, _)
            | (Ending::Repetition, _, Repetition::OwnRows) => {
                for side in Side::BOTH {
                    stores[side.index()] += rows[side.index()];
                }
            }
            (Ending::Repetition, _, Repetition::Split) => {
                let half = (rows[0] + rows[1]) / 2;
                stores = stores.map(|store| store + half);
            }
            (Ending::NoMove, Stalemate::OpponentTakes, _) => {
                stores[position.to_move().other().index()] += rows[0] + rows[1];
            }
            (Ending::NoMove, Stalemate::Void, _) => decreed = Some(Verdict::Drawn),
            (Ending::NoMove, Stalemate::CauserLoses, _) => {
                decreed = Some(Verdict::Won(position.to_move()));
            }
        }
        Settlement { stores, verdict: decreed.unwrap_or(Verdict::by_stores(stores)) }
    }

    #[inline]
    fn store(&self, position: &Position, side: Side) -> u16 {
        position.store(side).into()
    }

    fn seeds(&self, position: &Position, pit: Pit) -> u16 {
        position.row(position.to_move())[pit.index()].into()
    }

    fn objection(&self, position: &Position, pit: Pit) -> Option<&'static str> {
        if pit.index() >= PITS {
            return Some("there is no such pit");
        }
        if self.moves(position).contains(pit) {
            return None;
        }
        Some(if self.seeds(position, pit) == 0 {
            "the pit is empty"
        } else if position.seeds_in_row(position.to_move().other()) == 0 {
            "the opponent has no seeds and must be fed"
        } else {
            "it would leave the opponent without seeds"
        })
    }
}

impl Ayo {
    /// Returns those of `pits` from which a move, including its captures, leaves the opponent with at least one seed.
    fn leaving_seeds(&self, position: &Position, pits: PitSet) -> PitSet {
        // It's the opponent's turn after the move, so `mover` is the opponent's row.
        pits.retain(|pit| !is_bare(self.play(position, pit).mover))
    }
}

#[cfg(test)]
mod tests;
