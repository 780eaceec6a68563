//! What of the values is proven where a repetition pays other than 0: bounds that hold whatever a game comes to
//! by repetition, and how often the values of the tables are outside.
//!
//! A side is sure of v if it can bring the game, in ever fewer plies, to an end or a capture worth that much or
//! into a set of positions, each of which would pay it v if it were repeated, and in which it can keep the
//! opponent until that lets it out. No position occurs twice on the way, so it does not matter how the set was
//! come to. The position at the root must be the first one since a capture, as it is where a search enters the
//! tables by a capture.

use rand::RngExt;

use super::*;
use crate::game::ayo::{Repetition, total};
use crate::random::{Purpose, stream};

/// The bounds of all positions of a layer, by number: what the side to move is sure of, and the most that its
/// opponent must allow it.
pub(crate) struct Bounds {
    pub(crate) lower: Vec<i8>,
    pub(crate) upper: Vec<i8>,
}

/// A position seen from one side.
struct Node {
    rows: Rows,
    quiet: Vec<u32>,
    /// The best capture or the end, by what the side to move is then sure of.
    surely: Option<i8>,
    /// The same by the most that it can then get.
    perhaps: Option<i8>,
}

/// For which positions something holds: with the side to move as the one that is to get something, or its
/// opponent.
#[derive(Clone, PartialEq)]
struct Set {
    mover: Vec<bool>,
    other: Vec<bool>,
}

fn own_rows(rows: Rows) -> i8 {
    let [mine, theirs] = rows.map(|row| total(row) as i8);
    mine - theirs
}

impl Node {
    fn of(rules: Countable, rows: Rows, seeds: u8, smaller: &[Bounds]) -> Node {
        let outlook = rules.outlook(rows);
        if outlook.is_over() {
            let end = Some(rules.settlement(rows));
            return Node { rows, quiet: Vec::new(), surely: end, perhaps: end };
        }
        let mut node = Node { rows, quiet: Vec::new(), surely: None, perhaps: None };
        for (after, taken) in outlook.moves() {
            let number = rank(after) as usize;
            if taken == 0 {
                node.quiet.push(number as u32);
                continue;
            }
            let layer = &smaller[usize::from(seeds - taken)];
            node.surely = node.surely.max(Some(taken as i8 - layer.upper[number]));
            node.perhaps = node.perhaps.max(Some(taken as i8 - layer.lower[number]));
        }
        node
    }

    /// What the side to move gets if the position is repeated.
    fn repeated(&self, rules: Countable) -> i8 {
        match rules.rules().repetition() {
            Repetition::OwnRows => own_rows(self.rows),
            Repetition::Split => 0,
        }
    }

    /// Whether the side to move can get `bound` by one move, if that is sure in the positions of `set`.
    fn gets(&self, bound: i8, set: &Set) -> bool {
        self.surely.is_some_and(|value| value >= bound)
            || self.quiet.iter().any(|&after| set.other[after as usize])
    }

    /// Whether its opponent gets `bound` whatever the move, if that is sure in the positions of `set`.
    fn gives(&self, bound: i8, set: &Set) -> bool {
        self.perhaps.is_none_or(|value| -value >= bound)
            && self.quiet.iter().all(|&after| set.mover[after as usize])
    }
}

/// Adds to a set what one step leads into it from, until nothing is added.
fn grow(nodes: &[Node], bound: i8, set: &mut Set) {
    let mut grew = true;
    while grew {
        grew = false;
        for (number, node) in nodes.iter().enumerate() {
            if !set.mover[number] && node.gets(bound, set) {
                (set.mover[number], grew) = (true, true);
            }
            if !set.other[number] && node.gives(bound, set) {
                (set.other[number], grew) = (true, true);
            }
        }
    }
}

/// The positions worth `bound` if repeated in which a side can be kept until it comes into the set, and the set.
fn confined(nodes: &[Node], rules: Countable, bound: i8, set: &Set) -> Set {
    let pays = |sign: i8| nodes.iter().map(move |node| sign * node.repeated(rules) >= bound);
    let united = |all: &[bool], pays: Vec<bool>| -> Vec<bool> {
        all.iter().zip(pays).map(|(&is_in, pays)| is_in || pays).collect()
    };
    let mut kept = Set {
        mover: united(&set.mover, pays(1).collect()),
        other: united(&set.other, pays(-1).collect()),
    };
    let mut shrank = true;
    while shrank {
        shrank = false;
        for (number, node) in nodes.iter().enumerate() {
            if kept.mover[number] && !set.mover[number] && !node.gets(bound, &kept) {
                (kept.mover[number], shrank) = (false, true);
            }
            if kept.other[number] && !set.other[number] && !node.gives(bound, &kept) {
                (kept.other[number], shrank) = (false, true);
            }
        }
    }
    kept
}

/// The positions in which a side is sure of `bound`.
fn sure(nodes: &[Node], rules: Countable, bound: i8) -> Set {
    let none = vec![false; nodes.len()];
    let mut set = Set { mover: none.clone(), other: none };
    loop {
        let before = set.clone();
        grow(nodes, bound, &mut set);
        set = confined(nodes, rules, bound, &set);
        if set == before {
            return set;
        }
    }
}

fn layer(rules: Countable, seeds: u8, smaller: &[Bounds]) -> Bounds {
    let all = 0..positions(seeds);
    let node = |number| Node::of(rules, unrank(seeds, number), seeds, smaller);
    let nodes: Vec<Node> = all.map(node).collect();
    let most = seeds as i8;
    let mut bounds = Bounds { lower: vec![-most; nodes.len()], upper: vec![most; nodes.len()] };
    for bound in 1 - most..=most {
        let set = sure(&nodes, rules, bound);
        for number in 0..nodes.len() {
            if set.mover[number] {
                bounds.lower[number] = bound;
            }
            if set.other[number] {
                bounds.upper[number] = -bound;
            }
        }
    }
    bounds
}

pub(crate) fn bounds(rules: Rules, seeds: u8) -> Vec<Bounds> {
    let rules = Countable::new(rules).unwrap();
    let mut layers = Vec::new();
    for seeds in 0..=seeds {
        layers.push(layer(rules, seeds, &layers));
    }
    layers
}

/// Of some positions, by number: those whose bounds differ, and those whose value in the tables is outside their
/// bounds; of these, those where the winner of the seeds left is another.
fn census_of(bounds: &Bounds, values: &[i8], numbers: impl Iterator<Item = usize>) -> [usize; 3] {
    let mut found = [0; 3];
    for number in numbers {
        let (lower, upper, value) = (bounds.lower[number], bounds.upper[number], values[number]);
        assert!(lower <= upper);
        let is_outside = value < lower || upper < value;
        let is_other = value.signum() < lower.signum() || upper.signum() < value.signum();
        for (count, is_one) in found.iter_mut().zip([lower < upper, is_outside, is_other]) {
            *count += usize::from(is_one);
        }
    }
    found
}

/// Positions with so many seeds at most that captures lead to, in games in which both sides take the most that
/// they can get at once, or else move by chance.
fn entered(rules: Rules, seeds: u8, games: u64) -> Vec<Rows> {
    let game = Ayo { rules };
    let mut found = Vec::new();
    for number in 0..games {
        let mut dice = stream(1, Purpose::Player, 0, number);
        let mut position = game.start(Side::South);
        // A game without an end is left.
        for _ in 0..300 {
            if game.ended(&position).is_some() {
                break;
            }
            let mover = position.to_move();
            let after: Vec<_> =
                game.moves(&position).map(|pit| game.play(&position, pit)).collect();
            let most = after.iter().map(|after| after.store(mover)).max();
            let best: Vec<_> =
                after.iter().filter(|after| Some(after.store(mover)) == most).collect();
            let next = *best[dice.random_range(0..best.len() as u32) as usize];
            let rows = next.rows();
            if next.store(mover) > position.store(mover) && count(rows) <= seeds {
                found.push(rows);
            }
            position = next;
        }
    }
    found
}

pub(crate) fn count(rows: Rows) -> u8 {
    rows.map(total).iter().sum()
}

#[test]
fn where_a_repetition_pays_0_the_bounds_are_the_values() {
    let (_folder, tables) = built(Rules::AWARI, 6);
    for (bounds, values) in bounds(Rules::AWARI, 6).iter().zip(tables.values()) {
        assert!(bounds.lower == values && bounds.upper == values);
    }
}

#[test]
fn what_the_game_comes_to_is_within_the_bounds() {
    for rules in [Rules::AYO, Rules::WIPE_OUT] {
        let layers = bounds(rules, 3);
        let rules = Countable::new(rules).unwrap();
        for seeds in 0..=3 {
            let Bounds { lower, upper } = &layers[usize::from(seeds)];
            for number in 0..positions(seeds) {
                let rows = unrank(seeds, number);
                let value = searched(rules, rows, &mut Vec::new(), (-100, 100), own_rows);
                let number = number as usize;
                assert!((lower[number]..=upper[number]).contains(&value), "{rows:?}");
            }
        }
    }
}

/// Of the layers from three seeds up under `ayo`: what [`census_of`] finds in all positions, and in those of games.
const FOUND: [([usize; 3], usize, [usize; 3], usize); 8] = [
    ([64, 64, 64], 364, [502, 502, 502], 2676),
    ([371, 0, 0], 1365, [1037, 0, 0], 3269),
    ([278, 265, 0], 4368, [271, 263, 0], 3719),
    ([2182, 63, 0], 12376, [857, 16, 0], 3964),
    ([5694, 4714, 4409], 31824, [825, 684, 644], 4351),
    ([28555, 378, 125], 75582, [1799, 5, 4], 4559),
    ([57304, 31611, 17860], 167960, [1721, 953, 549], 4950),
    ([216148, 6126, 93], 352716, [3171, 60, 1], 4935),
];

#[test]
#[ignore = "measures: ten seconds of processor time"]
fn so_often_values_are_not_proven() {
    let seeds = 2 + FOUND.len() as u8;
    let (_folder, tables) = built(Rules::AYO, seeds);
    let entered = entered(Rules::AYO, seeds, 20_000);
    let found = |(seeds, bounds): (u8, &Bounds)| {
        let values = tables.values()[usize::from(seeds)];
        let of_games = entered.iter().filter(|rows| count(**rows) == seeds);
        let numbers: Vec<usize> = of_games.map(|rows| rank(*rows) as usize).collect();
        let all = census_of(bounds, values, 0..values.len());
        let of_games = census_of(bounds, values, numbers.iter().copied());
        (all, values.len(), of_games, numbers.len())
    };
    let found: Vec<_> = (0..=seeds).zip(&bounds(Rules::AYO, seeds)).skip(3).map(found).collect();
    assert_eq!(found, FOUND);
}
