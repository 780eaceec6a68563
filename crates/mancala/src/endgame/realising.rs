//! Which of the best moves makes progress: a table holds values, not distances.

use rustc_hash::FxHashMap;

use super::index::Rows;
use super::moves::Countable;
use super::tables::Tables;
use crate::game::Pit;

/// Positions looked at before the search for a way is given up. Sound tables need far fewer.
const PATIENCE: u64 = 4_000_000;

impl Tables {
    /// The move that leads to the value in the fewest plies, the lowest pit among equals, for the side to
    /// move in a position with these rows. `None` outside the tables and where there is no move.
    ///
    /// A positive value is *realised* by a capture, by the end of the game, or by a move of the opponent
    /// that makes the value larger. The move returned realises it in the fewest plies that the opponent
    /// cannot prolong. So from turn to turn there are fewer seeds, or a larger value, or fewer plies to
    /// go. Each of these has a limit, and no position comes twice. A value of 0 or less needs no such care:
    /// the lowest of the best moves is returned.
    pub fn realising(&self, rows: Rows) -> Option<Pit> {
        let value = self.value(rows)?;
        let rules = Countable::new(self.rules()).expect("rules that tables were built for");
        let best = |&(_, after, taken): &(Pit, Rows, u8)| self.brought(after, taken) == Some(value);
        let outlook = rules.outlook(rows);
        let best: Vec<_> = outlook.pits().filter(best).collect();
        let &(lowest, ..) = best.first()?;
        let capture = best.iter().find(|(_, _, taken)| *taken > 0);
        if value <= 0 || best.len() == 1 {
            return Some(lowest);
        }
        if let Some(&(pit, ..)) = capture {
            return Some(pit);
        }
        let mut way = Way { tables: self, rules, known: FxHashMap::default(), left: PATIENCE };
        for plies in (1..).step_by(2) {
            let found = best.iter().find(|&&(_, after, _)| way.is_forced(after, plies));
            if let Some(&(pit, ..)) = found {
                return Some(pit);
            }
            if way.left == 0 {
                break;
            }
        }
        Some(lowest)
    }

    /// The worth of a move that captures `taken` seeds and leaves these rows to the opponent.
    fn brought(&self, after: Rows, taken: u8) -> Option<i8> {
        Some(taken as i8 - self.value(after)?)
    }
}

/// A search for the shortest way: one side plays its best moves, the other tries everything.
struct Way<'a> {
    tables: &'a Tables,
    rules: Countable,
    known: FxHashMap<Rows, Known>,
    left: u64,
}

/// Bounds on the plies in which the value of a position is realised: within the one, not within the other.
#[derive(Debug, Clone, Copy)]
struct Known {
    within: u32,
    not_within: u32,
}

impl Way<'_> {
    fn value(&self, rows: Rows) -> i8 {
        self.tables.value(rows).expect("no move adds seeds to the board")
    }

    /// Whether the value, negative for the side to move, is realised within so many plies.
    fn is_forced(&mut self, rows: Rows, plies: u32) -> bool {
        self.remembered(rows, plies, |way| {
            let value = way.value(rows);
            let outlook = way.rules.outlook(rows);
            // A capture ends the way, and so does a move that gives more than it had to.
            outlook.moves().all(|(after, taken)| {
                taken > 0 || way.value(after) > -value || way.is_found(after, plies - 1)
            })
        })
    }

    /// Whether the value, positive for the side to move, is realised within so many plies.
    fn is_found(&mut self, rows: Rows, plies: u32) -> bool {
        self.remembered(rows, plies, |way| {
            let value = way.value(rows);
            let outlook = way.rules.outlook(rows);
            let is_best =
                |way: &Self, (after, taken)| way.tables.brought(after, taken) == Some(value);
            outlook.is_over()
                || outlook.moves().any(|(after, taken)| taken > 0 && is_best(way, (after, taken)))
                || outlook.moves().any(|(after, taken)| {
                    taken == 0 && is_best(way, (after, taken)) && way.is_forced(after, plies - 1)
                })
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
    use super::super::index::{positions, unrank};
    use super::super::{BuildPlan, build};
    use super::*;
    use crate::game::ayo::Rules;

    fn tables(rules: Rules, seeds: u8) -> (tempfile::TempDir, Tables) {
        let folder = tempfile::tempdir().unwrap();
        let plan = BuildPlan::new(rules, seeds, folder.path()).unwrap();
        let tables = build(&plan, &(), |_| ()).unwrap().unwrap();
        (folder, tables)
    }

    type Move = (Pit, Rows, u8);

    fn best(tables: &Tables, rows: Rows) -> Vec<Move> {
        let rules = Countable::new(tables.rules()).unwrap();
        let value = tables.value(rows).unwrap();
        let outlook = rules.outlook(rows);
        let keeps = |&(_, after, taken): &Move| tables.brought(after, taken) == Some(value);
        outlook.pits().filter(keeps).collect()
    }

    /// Plies until a capture, the end, or a gift; `None` if a position comes twice before.
    fn plies(
        tables: &Tables,
        rows: Rows,
        choose: impl Fn(&[Move], Rows) -> Move,
        mut noise: u64,
    ) -> Option<u32> {
        let mut seen = vec![rows];
        let mut rows = rows;
        for plies in 1.. {
            let moves = best(tables, rows);
            let drawn = |of: usize| (noise % of.max(1) as u64) as usize;
            let Some(&any) = moves.get(drawn(moves.len())) else { return Some(plies) };
            // The loser avoids captures where it can, and shuffles.
            let quiet: Vec<&Move> = moves.iter().filter(|(_, _, taken)| *taken == 0).collect();
            let (_, after, taken) = match (plies % 2, quiet.as_slice()) {
                (1, _) => choose(&moves, rows),
                (_, []) => any,
                (_, quiet) => *quiet[drawn(quiet.len())],
            };
            if taken > 0 {
                return Some(plies);
            }
            if plies % 2 == 0 && seen.contains(&after) {
                return None;
            }
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 3;
            rows = after;
            if plies % 2 == 0 {
                seen.push(rows);
            }
        }
        unreachable!("a layer has an end")
    }

    #[test]
    fn a_value_is_reached_without_a_position_coming_twice() {
        for rules in [Rules::AWARI, Rules::AYO] {
            let (_folder, tables) = tables(rules, 7);
            let (mut longest, mut lost_on_the_way) = (0, 0);
            for number in (0..positions(7)).step_by(30) {
                let rows = unrank(7, number);
                if tables.value(rows) <= Some(0) {
                    continue;
                }
                let getting_on = |moves: &[Move], rows: Rows| {
                    let pit = tables.realising(rows).expect("a move");
                    *moves.iter().find(|(sown, ..)| *sown == pit).expect("one of the best")
                };
                let lowest = |moves: &[Move], _: Rows| moves[0];
                let found = plies(&tables, rows, getting_on, number);
                longest = longest.max(found.unwrap_or_else(|| panic!("{rules}: {rows:?}")));
                let astray = plies(&tables, rows, lowest, number).is_none();
                lost_on_the_way += u32::from(astray);
            }
            // The law would not hold of the lowest of the best moves.
            assert!(lost_on_the_way > 0 && longest > 10, "{rules}: {lost_on_the_way}, {longest}");
        }
    }
}
