//! Generates forward and backward moves on rows without stores.

use super::index::Rows;
use crate::game::ayo::{Feeding, GrandSlam, PITS, Rules, Stalemate, occupied, sow_rows, total};
use crate::game::{Pit, PitSet};

/// Rules under which every game is scored by counting seeds. Tables can only be built for such rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Countable(Rules);

pub(super) struct Successors {
    legal: PitSet,
    after: [(Rows, u8); PITS],
}

impl Successors {
    /// Iterates over the legal moves, the rows after each move (opponent's first), and the number of captured seeds.
    #[inline]
    pub(super) fn moves(&self) -> impl Iterator<Item = (Pit, Rows, u8)> {
        self.legal.map(|pit| (pit, self.after[pit.index()].0, self.after[pit.index()].1))
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.legal.is_empty()
    }
}

impl Countable {
    pub(super) fn new(rules: Rules) -> Option<Countable> {
        let counted = matches!(rules.stalemate(), Stalemate::OwnRows | Stalemate::OpponentTakes);
        counted.then_some(Countable(rules))
    }

    pub(super) fn rules(self) -> Rules {
        self.0
    }

    #[inline]
    pub(super) fn successors(self, rows: Rows) -> Successors {
        let slam = self.0.grand_slam();
        let mut after = [([0; 2], 0); PITS];
        let holding = occupied(rows[0]);
        let (mut leaving, mut bit) = (0, 1);
        for (index, after) in after.iter_mut().enumerate() {
            if rows[0] >> (8 * index) & 0xFF != 0 {
                *after = sow_rows(rows, pit(index), slam);
                leaving |= if after.0[0] == 0 { 0 } else { bit };
            }
            bit <<= 1;
        }
        let leaving = PitSet::from_bits(leaving);
        let legal = match self.0.feeding {
            Feeding::MustFeed if rows[1] == 0 || slam == GrandSlam::Illegal => leaving,
            Feeding::MustLeaveSeeds if !leaving.is_empty() => leaving,
            Feeding::MustFeed | Feeding::MustLeaveSeeds => holding,
        };
        Successors { legal, after }
    }

    pub(super) fn settlement(self, rows: Rows) -> i8 {
        let [mine, theirs] = rows.map(|row| total(row) as i8);
        match self.0.stalemate() {
            Stalemate::OpponentTakes => -mine - theirs,
            _ => mine - theirs,
        }
    }

    /// Calls `found` with each predecessor of this position by a non-capturing move.
    #[inline]
    pub(super) fn unmoves(self, [now, before]: Rows, mut found: impl FnMut(Rows)) {
        for origin in 0..PITS {
            // Sowing always leaves the origin pit empty, so a pit with seeds cannot be the origin.
            if before >> (8 * origin) & 0xFF != 0 {
                continue;
            }
            let (mut mine, mut theirs, mut held) = (before, now, 0u64);
            let mut at = origin;
            loop {
                at = if at == 2 * PITS - 1 { 0 } else { at + 1 };
                if at < PITS {
                    if at == origin {
                        continue;
                    }
                    if mine >> (8 * at) & 0xFF == 0 {
                        break;
                    }
                    mine -= 1 << (8 * at);
                } else {
                    let place = 8 * (at - PITS);
                    if theirs >> place & 0xFF == 0 {
                        break;
                    }
                    theirs -= 1 << place;
                }
                held += 1;
                let rows = [mine | held << (8 * origin), theirs];
                let takes = at >= PITS && now >> (8 * (at - PITS)) & 0xFE == 2;
                // `takes_nothing` and `successors` are slow, but we rarely call them.
                if (!takes || self.takes_nothing(rows, origin))
                    && (now != 0 || self.successors(rows).legal.contains(pit(origin)))
                {
                    found(rows);
                }
            }
        }
    }

    /// Returns whether a move that would otherwise capture takes nothing because it's a grand slam.
    fn takes_nothing(self, rows: Rows, origin: usize) -> bool {
        let slam = self.0.grand_slam();
        slam == GrandSlam::CapturesNothing && sow_rows(rows, pit(origin), slam).1 == 0
    }
}

#[inline]
fn pit(index: usize) -> Pit {
    Pit::new(index as u8).expect("a row has six pits")
}

#[cfg(test)]
mod tests {
    use super::super::index::{next, positions, rank, unrank};
    use super::*;
    use crate::game::Game;
    use crate::game::Side;
    use crate::game::ayo::{Ayo, Position};
    use crate::laws::prelude::*;

    fn countable() -> impl Iterator<Item = Countable> {
        let settled = ["ayo", "awari", "wipe-out", "no-slam:stalemate=own-rows"];
        settled.into_iter().map(|rules| Countable::new(rules.parse().unwrap()).unwrap())
    }

    #[test]
    fn rules_that_decree_a_result_are_not_countable() {
        assert_eq!(Countable::new(Rules::NO_SLAM), None);
        assert_eq!(Countable::new("ayo:stalemate=causer-loses".parse().unwrap()), None);
    }

    #[test]
    fn backwards_is_the_inverse_of_forwards() {
        for rules in countable() {
            for seeds in 0..=6 {
                let size = positions(seeds) as usize;
                let mut forwards = vec![Vec::new(); size];
                let mut backwards = vec![Vec::new(); size];
                let mut rows = unrank(seeds, 0);
                for number in 0..size as u64 {
                    for (_, after, taken) in rules.successors(rows).moves() {
                        if taken == 0 {
                            forwards[rank(after) as usize].push(number);
                        }
                    }
                    rules.unmoves(rows, |before| backwards[number as usize].push(rank(before)));
                    rows = next(rows);
                }
                for list in forwards.iter_mut().chain(&mut backwards) {
                    list.sort_unstable();
                }
                assert_eq!(forwards, backwards, "{} with {seeds} seeds", rules.rules());
            }
        }
    }

    laws! {
        #[test]
        fn moves_are_those_of_the_game(seeds in 0u8..=48, number: u64) {
            let rows = unrank(seeds, number % positions(seeds));
            let bytes = rows.map(u64::to_le_bytes);
            let pits = std::array::from_fn(|i| bytes[i / PITS][i % PITS]);
            let position = Position::new(pits, [48 - seeds, 0], Side::South).unwrap();
            for rules in countable() {
                let game = Ayo { rules: rules.rules() };
                let successors = rules.successors(rows);
                prop_assert_eq!(successors.legal, game.moves(&position));
                for pit in successors.legal {
                    let after = game.play(&position, pit);
                    let taken = after.store(Side::South) - position.store(Side::South);
                    prop_assert_eq!(successors.after[pit.index()], (after.rows(), taken));
                }
            }
        }
    }
}
