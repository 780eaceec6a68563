//! The shortest way to realise a value. Tables contain values but no distances.

use rustc_hash::FxHashMap;

use super::index::Rows;
use super::moves::Countable;
use super::tables::Tables;
use crate::game::Pit;

/// The most positions of a search. Verified tables need far fewer.
const MAX_NODES: u64 = 4_000_000;

impl Tables {
    /// Returns the best move that realises the value in the fewest plies, the lowest pit among equals. `None` outside
    /// the tables and without a legal move.
    ///
    /// A positive value is *realised* by a capture, by the end of the game, or by a mistake of the opponent. With these
    /// moves the seeds, the value or the remaining plies improve from turn to turn, so no position occurs twice. For a
    /// value of 0 or less the lowest of the best moves is returned.
    pub fn realising(&self, rows: Rows) -> Option<Pit> {
        let value = self.value(rows)?;
        let rules = Countable::new(self.rules()).expect("rules that tables were built for");
        let best =
            |&(_, after, taken): &(Pit, Rows, u8)| self.move_value(after, taken) == Some(value);
        let successors = rules.successors(rows);
        let best: Vec<_> = successors.pits().filter(best).collect();
        let &(lowest, ..) = best.first()?;
        if value <= 0 || best.len() == 1 {
            return Some(lowest);
        }
        if let Some(&(pit, ..)) = best.iter().find(|(.., taken)| *taken > 0) {
            return Some(pit);
        }
        let known = FxHashMap::default();
        let mut search = Search { tables: self, rules, known, left: MAX_NODES };
        let mut depths = (1..).step_by(2);
        while search.left > 0 {
            let plies = depths.next()?;
            let shortest = best.iter().find(|&&(_, after, _)| search.is_forced(after, plies));
            if let Some(&(pit, ..)) = shortest {
                return Some(pit);
            }
        }
        Some(lowest)
    }

    /// Returns the value of a move that captures `taken` seeds and leads to `after`.
    fn move_value(&self, after: Rows, taken: u8) -> Option<i8> {
        Some(taken as i8 - self.value(after)?)
    }
}

/// A search in which one side plays its best moves and the other plays all moves.
struct Search<'a> {
    tables: &'a Tables,
    rules: Countable,
    known: FxHashMap<Rows, Known>,
    left: u64,
}

/// Bounds on the number of plies in which the value of a position is realised.
#[derive(Debug, Clone, Copy)]
struct Known {
    within: u32,
    not_within: u32,
}

impl Search<'_> {
    fn value(&self, rows: Rows) -> i8 {
        self.tables.value(rows).expect("no move adds seeds to the board")
    }

    /// Returns whether a value that is negative for the side to move is realised within `plies` plies.
    fn is_forced(&mut self, rows: Rows, plies: u32) -> bool {
        self.remembered(rows, plies, |search| {
            let value = search.value(rows);
            let successors = search.rules.successors(rows);
            // A capture or a mistake ends the search.
            successors.moves().all(|(after, taken)| {
                taken > 0 || search.value(after) > -value || search.is_found(after, plies - 1)
            })
        })
    }

    /// Returns whether a value that is positive for the side to move is realised within `plies` plies.
    fn is_found(&mut self, rows: Rows, plies: u32) -> bool {
        self.remembered(rows, plies, |search| {
            let value = search.value(rows);
            let successors = search.rules.successors(rows);
            let move_value = |(after, taken)| search.tables.move_value(after, taken);
            let best = successors.moves().filter(|&best| move_value(best) == Some(value));
            let best: Vec<(Rows, u8)> = best.collect();
            successors.is_empty()
                || best.iter().any(|(_, taken)| *taken > 0)
                || best.iter().any(|&(after, _)| search.is_forced(after, plies - 1))
        })
    }

    fn remembered(&mut self, rows: Rows, plies: u32, look: impl FnOnce(&mut Self) -> bool) -> bool {
        let known = self.known.get(&rows).copied();
        let mut known = known.unwrap_or(Known { within: u32::MAX, not_within: 0 });
        if known.within <= plies {
            return true;
        }
        if plies <= known.not_within || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let found = look(self);
        if found {
            known.within = plies;
        } else {
            known.not_within = plies;
        }
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

    /// Plays until a capture, the end of the game or a mistake of the opponent, and returns the number of plies. `None`
    /// if a position is repeated. The opponent avoids captures if it can and otherwise chooses at random.
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
            let is_best = |&(_, after, taken): &_| tables.move_value(after, taken) == value;
            let moves: Vec<(Pit, Rows, u8)> = successors.pits().filter(is_best).collect();
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
                let shortest = plies(&tables, rows, |rows| tables.realising(rows), number);
                longest = longest.max(shortest.unwrap_or_else(|| panic!("{rules}: {rows:?}")));
                repetitions += u32::from(plies(&tables, rows, |_| None, number).is_none());
            }
            // The lowest of the best moves does not suffice.
            assert!(repetitions > 0 && longest > 10, "{rules}: {repetitions}, {longest}");
        }
    }
}
