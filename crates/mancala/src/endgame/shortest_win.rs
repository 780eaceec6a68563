//! Finds the shortest way to realise a value. This needs a search, because the tables store values but no distances.

use rustc_hash::FxHashMap;

use super::index::{Rows, rank};
use super::layer::Layer;
use super::moves::Countable;
use super::solver::move_value;
use super::tables::Tables;
use crate::game::Pit;
use crate::game::ayo::total;

/// The maximum number of positions that a search visits. It needs far fewer if the tables are correct.
const MAX_NODES: u64 = 4_000_000;

impl Tables {
    /// Returns the move that realises the position's value in the fewest plies. On a tie, returns the move from the
    /// lowest pit. Returns `None` if there is no table for the position or no legal move.
    ///
    /// A positive value is *realised* by a capture, the end of the game, or a mistake by the opponent. If so, then each
    /// move that this returns reduces the number of seeds on the board, raises the value, or reduces the number of plies
    /// left, so no position recurs. If the value is 0 or less, this returns the best move from the lowest pit.
    pub fn shortest_win(&self, rows: Rows) -> Option<Pit> {
        let value = self.value(rows)?;
        let seeds = rows.map(total).iter().sum();
        let rules = Countable::new(self.rules()).expect("rules that tables were built for");
        let best = |&(_, after, taken): &(Pit, Rows, u8)| {
            move_value(after, taken, seeds, &self.layers) == value
        };
        let successors = rules.successors(rows);
        let best: Vec<_> = successors.moves().filter(best).collect();
        let &(lowest, ..) = best.first()?;
        if value <= 0 || best.len() == 1 {
            return Some(lowest);
        }
        if let Some(&(pit, ..)) = best.iter().find(|(.., taken)| *taken > 0) {
            return Some(pit);
        }
        let mut search = Realisation::new(rules, &self.layers, true, MAX_NODES);
        let mut depths = (1..).step_by(2);
        while search.left > 0 {
            let plies = depths.next()?;
            let shortest = best.iter().find(|&&(_, after, _)| search.is_within(after, plies));
            if let Some(&(pit, ..)) = shortest {
                return Some(pit);
            }
        }
        Some(lowest)
    }
}

/// A forward search that checks whether a side can realise a value by playing only its best moves.
pub(super) struct Realisation<'a> {
    rules: Countable,
    layers: &'a [Layer],
    /// Whether to look for the fewest plies. If so, we trust the tables and stop at a mistake by the opponent.
    is_shortest: bool,
    known: FxHashMap<Rows, Known>,
    left: u64,
}

/// Bounds on the number of plies that it takes to realise the value of a position.
#[derive(Debug, Clone, Copy)]
struct Known {
    within: u32,
    not_within: u32,
}

impl<'a> Realisation<'a> {
    pub(super) fn new(rules: Countable, layers: &'a [Layer], is_shortest: bool, left: u64) -> Self {
        Realisation { rules, layers, is_shortest, known: FxHashMap::default(), left }
    }

    fn value(&self, rows: Rows) -> i8 {
        let seeds = rows.map(total).iter().sum::<u8>();
        self.layers[usize::from(seeds)].value(rank(rows))
    }

    /// Returns true if we can show that the value of a position is realised within `plies` plies.
    pub(super) fn is_within(&mut self, rows: Rows, plies: u32) -> bool {
        let value = self.value(rows);
        let known = self.known.get(&rows).copied();
        let mut known = known.unwrap_or(Known { within: u32::MAX, not_within: 0 });
        // If we don't need the fewest plies, then a proof of any length will do.
        let most = if self.is_shortest { plies } else { u32::MAX - 1 };
        if value == 0 || known.within <= most {
            return true;
        }
        if plies <= known.not_within || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let successors = self.rules.successors(rows);
        let mut moves = successors.moves();
        let found = if value < 0 {
            moves.all(|(_, after, taken)| {
                let ends = taken > 0 || self.is_shortest && self.value(after) > -value;
                ends || self.is_within(after, plies - 1)
            })
        } else {
            let is_best = |&(_, after, taken): &(Pit, Rows, u8)| {
                (taken as i8).wrapping_sub(self.value(after)) == value
            };
            let best: Vec<_> = moves.filter(is_best).collect();
            successors.is_empty()
                || best.iter().any(|(.., taken)| *taken > 0)
                || best.iter().any(|&(_, after, _)| self.is_within(after, plies - 1))
        };
        *(if found { &mut known.within } else { &mut known.not_within }) = plies;
        self.known.insert(rows, known);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::tests::built;
    use crate::endgame::{positions, unrank};
    use crate::game::ayo::Rules;

    /// Plays until a capture or the end of the game, and returns the number of plies, or `None` if a position is
    /// repeated. The opponent chooses randomly among its best moves that capture nothing.
    fn plies(
        tables: &Tables,
        mut rows: Rows,
        choose: impl Fn(Rows) -> Option<Pit>,
        mut noise: u64,
    ) -> Option<u32> {
        let rules = Countable::new(tables.rules()).unwrap();
        let mut seen = vec![rows];
        for plies in 1.. {
            let value = tables.value(rows);
            let successors = rules.successors(rows);
            let of_move = |after, taken: u8| Some(taken as i8 - tables.value(after)?);
            let is_best = |&(_, after, taken): &_| of_move(after, taken) == value;
            let moves: Vec<(Pit, Rows, u8)> = successors.moves().filter(is_best).collect();
            let is_quiet = |&&(.., taken): &&(Pit, Rows, u8)| taken == 0;
            let quiet: Vec<_> = moves.iter().filter(is_quiet).collect();
            if moves.is_empty() || plies % 2 == 0 && quiet.is_empty() {
                return Some(plies);
            }
            let &(_, after, taken) = match plies % 2 {
                1 => {
                    let pit = choose(rows).unwrap_or(moves[0].0);
                    moves.iter().find(|(sown, ..)| *sown == pit).expect("a best move")
                }
                _ => quiet[noise as usize % quiet.len()],
            };
            if taken > 0 {
                return Some(plies);
            }
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 3;
            rows = after;
            if plies % 2 == 0 {
                if seen.contains(&rows) {
                    return None;
                }
                seen.push(rows);
            }
        }
        unreachable!("a layer is finite")
    }

    #[test]
    fn a_value_is_realised_without_repetition() {
        for rules in [Rules::AWARI, Rules::AYO] {
            let (_folder, tables) = built(rules, 7);
            let (mut longest, mut repetitions) = (0, 0);
            for number in (0..positions(7)).step_by(30) {
                let rows = unrank(7, number);
                if tables.value(rows) <= Some(0) {
                    continue;
                }
                let shortest = plies(&tables, rows, |rows| tables.shortest_win(rows), number);
                longest = longest.max(shortest.unwrap_or_else(|| panic!("{rules}: {rows:?}")));
                repetitions += u32::from(plies(&tables, rows, |_| None, number).is_none());
            }
            // If we always play the lowest of the best moves instead, then some games repeat a position.
            assert!(repetitions > 0 && longest > 10, "{rules}: {repetitions}, {longest}");
        }
    }
}
