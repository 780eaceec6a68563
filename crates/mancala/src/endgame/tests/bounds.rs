//! Bounds that hold whatever a repetition pays, by sweeping forwards over layers again and again, which is a hundred
//! times slower than looking backwards and as plain as what they mean; and how often values are outside of them.

use rand::RngExt;

use super::*;
use crate::eval::Certainty;
use crate::game::Pit;
use crate::game::ayo::{Position, Repetition, total};
use crate::random::{Purpose, stream};

/// The bounds of all positions of a layer, by number: what the side to move is sure of, and the most that its
/// opponent must allow it.
struct Swept {
    lower: Vec<i8>,
    upper: Vec<i8>,
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

fn layer(rules: Countable, seeds: u8, smaller: &[Swept]) -> Swept {
    let all = 0..positions(seeds);
    let node = |number| Node::of(rules, unrank(seeds, number), seeds, smaller);
    let nodes: Vec<Node> = all.map(node).collect();
    let most = seeds as i8;
    let mut bounds = Swept { lower: vec![-most; nodes.len()], upper: vec![most; nodes.len()] };
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

fn swept(rules: Rules, seeds: u8) -> Vec<Swept> {
    let rules = Countable::new(rules).unwrap();
    let mut layers = Vec::new();
    for seeds in 0..=seeds {
        layers.push(layer(rules, seeds, &layers));
    }
    layers
}

/// Of some positions: those whose bounds differ, and those whose value in the tables is outside their bounds; of
/// these, those where the winner of the seeds left is another.
fn census_of(bounds: &Bounds, tables: &Tables, all: impl Iterator<Item = Rows>) -> [usize; 3] {
    let mut found = [0; 3];
    for rows in all {
        let (lower, upper) = bounds.of(rows).unwrap().into_inner();
        let value = tables.value(rows).unwrap();
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

/// All positions with so many seeds at most.
fn all(seeds: u8) -> impl Iterator<Item = Rows> {
    (0..=seeds).flat_map(|seeds| (0..positions(seeds)).map(move |number| unrank(seeds, number)))
}

fn found(rules: Rules, seeds: u8) -> Bounds {
    Bounds::find(rules, seeds).unwrap().unwrap()
}

#[test]
fn where_a_repetition_pays_0_the_bounds_are_the_values() {
    let (_folder, tables) = built(Rules::AWARI, 7);
    let bounds = found(Rules::AWARI, 7);
    for rows in all(7) {
        let value = tables.value(rows).unwrap();
        assert_eq!(bounds.of(rows), Some(value..=value), "{rows:?}");
    }
}

#[test]
fn looking_backwards_finds_what_sweeps_find() {
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
fn what_the_game_comes_to_is_within_the_bounds() {
    for rules in [Rules::AYO, Rules::WIPE_OUT] {
        let bounds = found(rules, 3);
        let rules = Countable::new(rules).unwrap();
        for rows in all(3) {
            let value = searched(rules, rows, &mut Vec::new(), (-100, 100), own_rows);
            assert!(bounds.of(rows).unwrap().contains(&value), "{rows:?}");
        }
    }
}

/// Which of the moves of a position a side plays.
type Choice<'a> = &'a dyn Fn(Rows, &[Pit]) -> Pit;

/// What the side to move gets if it chooses in this way and its opponent moves by chance, by the rule of repetition.
fn played(rules: Countable, start: Rows, choose: Choice, chance: u64) -> i8 {
    let mut dice = stream(3, Purpose::Player, 0, chance);
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
            _ => pits[dice.random_range(0..pits.len() as u32) as usize],
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
fn who_secures_what_it_is_sure_of_gets_it() {
    for rules in [Rules::AYO, Rules::WIPE_OUT] {
        let bounds = found(rules, 6);
        let countable = Countable::new(rules).unwrap();
        let soonest = |rows, pits: &[Pit]| bounds.securing(rows, pits).unwrap();
        // As sure, and not nearer to it.
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
            let sure = *bounds.of(rows).unwrap().start();
            let gets = |choose: Choice| played(countable, rows, choose, number);
            assert!(gets(&soonest) >= sure, "{rules}: {rows:?}");
            missed += usize::from(gets(&any) < sure);
        }
        assert!(missed > 0, "the law would hold of any move that keeps the bound");
    }
}

#[test]
fn a_result_is_proven_where_bounds_and_stores_decide_it() {
    let (_folder, mut tables) = built(Rules::AYO, 5);
    let value_alone = tables.outcome(&position_of([1, 1]), Side::South).unwrap();
    assert_eq!(value_alone.1, Certainty::Heuristic);
    tables.find_bounds().unwrap();
    let mut seen = [0; 2];
    for (number, rows) in all(5).enumerate() {
        let even = position_of(rows);
        let [mine, theirs] = Side::BOTH.map(|side| even.store(side));
        // As many seeds less for the one as more for the other.
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

/// Of the layers from three seeds up under `ayo`: what [`census_of`] finds in all positions, and in those of games.
const FOUND: [([usize; 3], usize, [usize; 3], usize); 10] = [
    ([64, 64, 64], 364, [502, 502, 502], 2676),
    ([371, 0, 0], 1365, [1037, 0, 0], 3269),
    ([278, 265, 0], 4368, [271, 263, 0], 3719),
    ([2182, 63, 0], 12376, [857, 16, 0], 3964),
    ([5694, 4714, 4409], 31824, [825, 684, 644], 4351),
    ([28555, 378, 125], 75582, [1799, 5, 4], 4559),
    ([57304, 31611, 17860], 167960, [1721, 953, 549], 4950),
    ([216148, 6126, 93], 352716, [3171, 60, 1], 4935),
    ([439309, 91828, 8423], 705432, [3386, 665, 64], 5248),
    ([1044862, 45442, 4541], 1352078, [4226, 211, 21], 5296),
];

#[test]
#[ignore = "measures: ten seconds of processor time"]
fn so_often_values_are_not_proven() {
    let seeds = 2 + FOUND.len() as u8;
    let (_folder, tables) = built(Rules::AYO, seeds);
    let (entered, bounds) = (entered(Rules::AYO, seeds, 20_000), found(Rules::AYO, seeds));
    let found = |seeds: u8| {
        let all = (0..positions(seeds)).map(|number| unrank(seeds, number));
        let all = census_of(&bounds, &tables, all);
        let of_games = || entered.iter().copied().filter(|&rows| count(rows) == seeds);
        let found = census_of(&bounds, &tables, of_games());
        (all, positions(seeds) as usize, found, of_games().count())
    };
    let found: Vec<_> = (3..=seeds).map(found).collect();
    assert_eq!(found, FOUND);
}
