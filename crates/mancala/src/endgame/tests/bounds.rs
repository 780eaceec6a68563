//! Compares the bounds with a naive implementation of their definition that makes repeated forward passes over a layer.

use rand::RngExt;

use super::*;
use crate::eval::Certainty;
use crate::game::Pit;
use crate::game::ayo::{Position, Repetition, total};
use crate::random::{Purpose, stream};

/// The lower and upper bounds of all positions in a layer, indexed by position number.
type Swept = Vec<[i8; 2]>;

struct Node {
    quiet: Vec<u32>,
    /// The lower and upper bounds of the best capture, or of the end of the game.
    captures: [Option<i8>; 2],
    /// The payoff to the side to move if the position repeats.
    repeated: i8,
}

/// Positions in which the side to move (index 0) or its opponent (index 1) can force a bound.
type Set = [Vec<bool>; 2];

fn own_rows(rows: Rows) -> i8 {
    let [mine, theirs] = rows.map(|row| total(row) as i8);
    mine - theirs
}

impl Node {
    fn of(rules: Countable, rows: Rows, seeds: u8, smaller: &[Swept]) -> Node {
        let repeated = match rules.rules().repetition {
            Repetition::OwnRows => own_rows(rows),
            Repetition::Split => 0,
        };
        let mut node = Node { quiet: Vec::new(), captures: [None; 2], repeated };
        let successors = rules.successors(rows);
        if successors.is_empty() {
            node.captures = [Some(rules.settlement(rows)); 2];
        }
        for (_, after, taken) in successors.moves() {
            let number = rank(after) as usize;
            if taken == 0 {
                node.quiet.push(number as u32);
                continue;
            }
            let [lower, upper] = smaller[usize::from(seeds - taken)][number];
            let values = [upper, lower].map(|bound| Some(taken as i8 - bound));
            node.captures = [0, 1].map(|at| node.captures[at].max(values[at]));
        }
        node
    }

    /// Returns whether a side can force `bound`, assuming that it can do so in all positions of `set`.
    fn forces(&self, side: usize, bound: i8, set: &Set) -> bool {
        let mut quiet = self.quiet.iter().map(|&after| set[1 - side][after as usize]);
        let [lower, upper] = self.captures;
        match side {
            0 => lower.is_some_and(|value| value >= bound) || quiet.any(|forced| forced),
            _ => upper.is_none_or(|value| -value >= bound) && quiet.all(|forced| forced),
        }
    }
}

/// If `add` is true, adds to `set` the positions in which a side can force `bound`, until nothing changes. Otherwise,
/// removes those in which it can't, except for positions in `fixed`.
fn sweep(nodes: &[Node], bound: i8, set: &mut Set, add: bool, fixed: Option<&Set>) {
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for (number, node) in nodes.iter().enumerate() {
            for side in [0, 1] {
                let is_fixed = fixed.is_some_and(|fixed| fixed[side][number]);
                if set[side][number] != add && !is_fixed && node.forces(side, bound, set) == add {
                    (set[side][number], changes) = (add, true);
                }
            }
        }
    }
}

fn forced(nodes: &[Node], bound: i8) -> Set {
    let mut set = [vec![false; nodes.len()], vec![false; nodes.len()]];
    loop {
        let before = set.clone();
        sweep(nodes, bound, &mut set, true, None);
        // Find the largest set of positions that are worth the bound if repeated and that the opponent can't leave.
        let reached = set.clone();
        for (number, node) in nodes.iter().enumerate() {
            set[0][number] |= node.repeated >= bound;
            set[1][number] |= -node.repeated >= bound;
        }
        sweep(nodes, bound, &mut set, false, Some(&reached));
        if set == before {
            return set;
        }
    }
}

fn layer(rules: Countable, seeds: u8, smaller: &[Swept]) -> Swept {
    let node = |number| Node::of(rules, unrank(seeds, number), seeds, smaller);
    let nodes: Vec<Node> = (0..positions(seeds)).map(node).collect();
    let most = seeds as i8;
    let mut bounds = vec![[-most, most]; nodes.len()];
    for bound in 1 - most..=most {
        let [mover, opponent] = forced(&nodes, bound);
        for (number, [lower, upper]) in bounds.iter_mut().enumerate() {
            *lower = if mover[number] { bound } else { *lower };
            *upper = if opponent[number] { -bound } else { *upper };
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

fn all(seeds: u8) -> impl Iterator<Item = Rows> {
    (0..=seeds).flat_map(|seeds| (0..positions(seeds)).map(move |number| unrank(seeds, number)))
}

fn found(rules: Rules, seeds: u8) -> Bounds {
    Bounds::compute(rules, seeds).unwrap().unwrap()
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
            let [lower, upper] = swept[usize::from(count(rows))][rank(rows) as usize];
            assert_eq!(bounds.of(rows), Some(lower..=upper), "{rules}: {rows:?}");
        }
    }
}

type Choice<'a> = &'a dyn Fn(Rows, &[Pit]) -> Pit;

/// Returns the result for the side to move if `choose` picks its moves and its opponent plays at random.
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
        let moves: Vec<(Pit, Rows, u8)> = successors.moves().collect();
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
        let soonest = |rows, pits: &[Pit]| bounds.best_move(rows, pits).unwrap();
        // This move preserves the bound, but may not bring the side any closer to realising it.
        let any = |rows, pits: &[Pit]| {
            let best = bounds.of(rows).unwrap();
            let keeps = |&&pit: &&Pit| {
                let successors = countable.successors(rows);
                let (_, after, taken) = successors.moves().find(|(its, ..)| *its == pit).unwrap();
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
    tables.compute_bounds().unwrap();
    let mut seen = [0; 2];
    for (number, rows) in all(5).enumerate() {
        let even = position_of(rows);
        let [mine, theirs] = Side::BOTH.map(|side| even.store(side));
        // Move some seeds from one store to the other.
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
