//! Comparison of the bounds with a direct implementation of their definition, by repeated forward sweeps over a layer.

use rand::RngExt;

use super::*;
use crate::eval::Certainty;
use crate::game::Pit;
use crate::game::ayo::{Position, Repetition, total};
use crate::random::{Purpose, stream};

/// The bounds of all positions of a layer, by number.
struct Swept {
    lower: Vec<i8>,
    upper: Vec<i8>,
}

/// A position with the moves of the side to move.
struct Node {
    rows: Rows,
    quiet: Vec<u32>,
    /// The lower bound of the best capture or of the end of the game.
    surely: Option<i8>,
    /// The upper bound of the best capture or of the end of the game.
    perhaps: Option<i8>,
}

/// The positions in which the side to move, or its opponent, can force a bound.
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
    fn of(rules: Countable, rows: Rows, seeds: u8, smaller: &[Swept]) -> Node {
        let successors = rules.successors(rows);
        if successors.is_empty() {
            let end = Some(rules.settlement(rows));
            return Node { rows, quiet: Vec::new(), surely: end, perhaps: end };
        }
        let mut node = Node { rows, quiet: Vec::new(), surely: None, perhaps: None };
        for (after, taken) in successors.moves() {
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

    /// Returns the payoff of a repetition to the side to move.
    fn repeated(&self, rules: Countable) -> i8 {
        match rules.rules().repetition() {
            Repetition::OwnRows => own_rows(self.rows),
            Repetition::Split => 0,
        }
    }

    /// Returns whether a move of the side to move gains `bound`, given the positions of `set`.
    fn gets(&self, bound: i8, set: &Set) -> bool {
        self.surely.is_some_and(|value| value >= bound)
            || self.quiet.iter().any(|&after| set.other[after as usize])
    }

    /// Returns whether every move gives `bound` to the opponent, given the positions of `set`.
    fn gives(&self, bound: i8, set: &Set) -> bool {
        self.perhaps.is_none_or(|value| -value >= bound)
            && self.quiet.iter().all(|&after| set.mover[after as usize])
    }
}

/// Adds the positions that lead into the set, until nothing is added.
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

/// Adds the positions that pay `bound` on repetition and in which a side can be confined until it enters the set.
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

/// Returns the positions in which a side can force `bound`.
fn forced(nodes: &[Node], rules: Countable, bound: i8) -> Set {
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

fn layer(rules: Countable, seeds: u8, smaller: &[Swept]) -> Swept {
    let all = 0..positions(seeds);
    let node = |number| Node::of(rules, unrank(seeds, number), seeds, smaller);
    let nodes: Vec<Node> = all.map(node).collect();
    let most = seeds as i8;
    let mut bounds = Swept { lower: vec![-most; nodes.len()], upper: vec![most; nodes.len()] };
    for bound in 1 - most..=most {
        let set = forced(&nodes, rules, bound);
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

fn swept(rules: Rules, seeds: u8) -> Vec<Swept> {
    let rules = Countable::new(rules).unwrap();
    let mut layers = Vec::new();
    for seeds in 0..=seeds {
        layers.push(layer(rules, seeds, &layers));
    }
    layers
}

pub(crate) fn count(rows: Rows) -> u8 {
    rows.map(total).iter().sum()
}

/// Returns all positions with at most `seeds` seeds.
fn all(seeds: u8) -> impl Iterator<Item = Rows> {
    (0..=seeds).flat_map(|seeds| (0..positions(seeds)).map(move |number| unrank(seeds, number)))
}

fn found(rules: Rules, seeds: u8) -> Bounds {
    Bounds::find(rules, seeds).unwrap().unwrap()
}

#[test]
fn bounds_equal_values_if_a_repetition_pays_0() {
    let (_folder, tables) = built(Rules::AWARI, 7);
    let bounds = found(Rules::AWARI, 7);
    for rows in all(7) {
        let value = tables.value(rows).unwrap();
        assert_eq!(bounds.of(rows), Some(value..=value), "{rows:?}");
    }
}

#[test]
fn retrograde_analysis_agrees_with_sweeps() {
    for rules in [Rules::AYO, Rules::WIPE_OUT] {
        let (bounds, swept) = (found(rules, 5), swept(rules, 5));
        for rows in all(5) {
            let (number, Swept { lower, upper }) =
                (rank(rows) as usize, &swept[usize::from(count(rows))]);
            assert_eq!(bounds.of(rows), Some(lower[number]..=upper[number]), "{rules}: {rows:?}");
        }
    }
}

#[test]
fn search_to_the_end_is_within_the_bounds() {
    for rules in [Rules::AYO, Rules::WIPE_OUT] {
        let bounds = found(rules, 3);
        let rules = Countable::new(rules).unwrap();
        for rows in all(3) {
            let value = searched(rules, rows, &mut Vec::new(), (-100, 100), own_rows);
            assert!(bounds.of(rows).unwrap().contains(&value), "{rows:?}");
        }
    }
}

/// The choice of a move.
type Choice<'a> = &'a dyn Fn(Rows, &[Pit]) -> Pit;

/// Returns the result of the side to move if it plays the chosen moves and its opponent plays random moves.
fn played(rules: Countable, start: Rows, choose: Choice, chance: u64) -> i8 {
    let mut rng = stream(3, Purpose::Player, 0, chance);
    let (mut rows, mut ahead, mut sign, mut since) = (start, 0, 1, Vec::new());
    loop {
        let successors = rules.successors(rows);
        if successors.is_empty() {
            return ahead + sign * rules.settlement(rows);
        }
        if since.contains(&(sign, rows)) {
            return ahead + sign * own_rows(rows);
        }
        since.push((sign, rows));
        let moves: Vec<(Pit, Rows, u8)> = successors.pits().collect();
        let pits: Vec<Pit> = moves.iter().map(|&(pit, ..)| pit).collect();
        let chosen = match sign {
            1 => choose(rows, &pits),
            _ => pits[rng.random_range(0..pits.len() as u32) as usize],
        };
        let &(_, after, taken) = moves.iter().find(|(pit, ..)| *pit == chosen).unwrap();
        if taken > 0 {
            since.clear();
        }
        ahead += sign * taken as i8;
        (rows, sign) = (after, -sign);
    }
}

#[test]
fn securing_moves_realise_the_lower_bound() {
    for rules in [Rules::AYO, Rules::WIPE_OUT] {
        let bounds = found(rules, 6);
        let countable = Countable::new(rules).unwrap();
        let soonest = |rows, pits: &[Pit]| bounds.securing(rows, pits).unwrap();
        // A move that keeps the bound without approaching it.
        let any = |rows, pits: &[Pit]| {
            let best = bounds.of(rows).unwrap();
            let keeps = |&&pit: &&Pit| {
                let successors = countable.successors(rows);
                let (_, after, taken) = successors.pits().find(|(its, ..)| *its == pit).unwrap();
                taken as i8 - bounds.of(after).unwrap().end() == *best.start()
            };
            *pits.iter().find(keeps).unwrap()
        };
        let mut missed = 0;
        for number in (0..positions(6)).step_by(5) {
            let rows = unrank(6, number);
            let forced = *bounds.of(rows).unwrap().start();
            let gets = |choose: Choice| played(countable, rows, choose, number);
            assert!(gets(&soonest) >= forced, "{rules}: {rows:?}");
            missed += usize::from(gets(&any) < forced);
        }
        assert!(missed > 0, "any move that keeps the bound would suffice");
    }
}

#[test]
fn a_result_is_proven_if_bounds_and_stores_decide_it() {
    let (_folder, mut tables) = built(Rules::AYO, 5);
    let value_alone = tables.outcome(&position_of([1, 1]), Side::South).unwrap();
    assert_eq!(value_alone.1, Certainty::Heuristic);
    tables.find_bounds().unwrap();
    let mut seen = [0; 2];
    for (number, rows) in all(5).enumerate() {
        let even = position_of(rows);
        let [mine, theirs] = Side::BOTH.map(|side| even.store(side));
        // Moves seeds between the stores.
        let shift = (number % 4) as u8;
        let bytes = rows.map(u64::to_le_bytes);
        let pits = std::array::from_fn(|pit| bytes[pit / 6][pit % 6]);
        let position = Position::new(pits, [mine - shift, theirs + shift], Side::South).unwrap();
        let (difference, certainty) = tables.outcome(&position, Side::South).unwrap();
        assert_eq!(tables.outcome(&position, Side::North), Some((-difference, certainty)));
        let ahead = i32::from(mine) - i32::from(theirs) - 2 * i32::from(shift);
        let (least, most) = tables.bounds().unwrap().of(rows).unwrap().into_inner();
        let [least, most] = [least, most].map(|bound| ahead + i32::from(bound));
        assert!((least..=most).contains(&difference), "{position}");
        let is_decided = least.signum() == most.signum();
        assert_eq!(certainty == Certainty::Proven, is_decided, "{position}");
        assert!(!is_decided || difference.abs() == least.abs().min(most.abs()), "{position}");
        seen[usize::from(is_decided)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}
