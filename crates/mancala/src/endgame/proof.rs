//! Proof-number search (L. V. Allis, M. van der Meulen and H. J. van den Herik, Artificial Intelligence 66, 1994) for
//! positions that aren't in the tables. The program Lithidion also combined this search with tables.
//!
//! A line ends when a position is repeated. We assume that neither side gains any more seeds then, since the values in
//! the [tables](super::Tables) are based on the same assumption about endless play.

use super::tables::Tables;
use crate::game::ayo::{Ayo, Position};
use crate::game::{Game, Side, Verdict};
use crate::progress::{Part, Progress};

/// The proven result of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
    AtLeastDraw,
    AtMostDraw,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    pub outcome: Outcome,
    /// The total number of positions in both search trees.
    pub nodes: u64,
}

/// Tries to prove the result of a position by searching two trees, one to prove a win and one to prove at least a draw.
/// The size of each tree is limited to about `nodes` positions, which take 40 bytes each. `progress` counts the
/// positions in both trees. Returns `None` if `progress` stopped the search.
///
/// ```
/// use mancala::endgame::{Outcome, prove};
/// use mancala::game::ayo::{Ayo, Rules};
/// let game = Ayo { rules: Rules::AWARI };
/// // South captures the last two seeds and has 25.
/// let position = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S".parse().unwrap();
/// assert_eq!(prove(&game, &position, None, 1000, &()).unwrap().outcome, Outcome::Win);
/// ```
pub fn prove(
    game: &Ayo,
    position: &Position,
    tables: Option<&Tables>,
    nodes: u64,
    progress: &dyn Progress,
) -> Option<Proof> {
    let me = position.to_move();
    let try_for = |least: i32, before: u64| {
        let mut tree = Tree { game, me, least, tables, nodes: Vec::new() };
        tree.nodes.push(tree.leaf(*position, NONE));
        let proven = tree.search(nodes, &Part { whole: progress, before, of: 2 * nodes })?;
        Some((proven, tree.nodes.len() as u64))
    };
    let (wins, first) = try_for(1, 0)?;
    if wins == Some(true) {
        return Some(Proof { outcome: Outcome::Win, nodes: first });
    }
    let (holds, second) = try_for(0, nodes)?;
    let outcome = match (wins, holds) {
        (_, Some(false)) => Outcome::Loss,
        (Some(false), Some(true)) => Outcome::Draw,
        (None, Some(true)) => Outcome::AtLeastDraw,
        (Some(false), None) => Outcome::AtMostDraw,
        _ => Outcome::Unknown,
    };
    Some(Proof { outcome, nodes: first + second })
}

/// The proof number of a node that has been disproven, and the disproof number of a node that has been proven.
const INFINITE: u32 = u32::MAX / 2;

#[derive(Clone, Copy)]
struct Node {
    position: Position,
    parent: u32,
    /// The index of the first of `count` consecutive children.
    first: u32,
    count: u8,
    proof: u32,
    disproof: u32,
}

/// A search tree for proving that `me` achieves at least the result `least` (1 for a win, 0 for a draw).
struct Tree<'a> {
    game: &'a Ayo,
    me: Side,
    least: i32,
    tables: Option<&'a Tables>,
    nodes: Vec<Node>,
}

const NONE: u32 = u32::MAX;

impl Tree<'_> {
    /// Returns whether this position reaches the goal, or `None` if its result isn't known yet.
    fn reached(&self, position: &Position) -> Option<bool> {
        let moves = self.game.moves(position);
        if let Some(ending) = self.game.ending(position, moves) {
            let sign = match self.game.settle(position, ending).verdict {
                Verdict::Drawn => 0,
                Verdict::Won(side) if side == self.me => 1,
                Verdict::Won(_) => -1,
            };
            return Some(sign >= self.least);
        }
        let difference = self.tables.and_then(|tables| tables.difference(position, self.me))?;
        Some(difference.signum() >= self.least)
    }

    /// Returns whether this position reaches the goal if the game goes on forever without another capture.
    fn reached_without_end(&self, position: &Position) -> bool {
        let store = |side| i32::from(position.store(side));
        (store(self.me) - store(self.me.other())).signum() >= self.least
    }

    fn leaf(&self, position: Position, parent: u32) -> Node {
        let reached = self.reached(&position).or_else(|| {
            self.returns(&position, parent).then(|| self.reached_without_end(&position))
        });
        let (proof, disproof) = match reached {
            Some(true) => (0, INFINITE),
            Some(false) => (INFINITE, 0),
            None => (1, 1),
        };
        Node { position, parent, first: 0, count: 0, proof, disproof }
    }

    /// Returns whether a position occurs on the line from the root to node `at`.
    fn returns(&self, position: &Position, mut at: u32) -> bool {
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.position == *position {
                return true;
            }
            // If the stores differ, there has been a capture since then, after which no earlier position can recur.
            if node.position.stores() != position.stores() {
                return false;
            }
            at = node.parent;
        }
        false
    }

    /// Returns whether the root is proven, `Some(None)` if the tree reaches `most` nodes, or `None` if we are stopped.
    fn search(&mut self, most: u64, progress: &dyn Progress) -> Option<Option<bool>> {
        let mut reported = 0;
        loop {
            let root = self.nodes[0];
            if root.proof == 0 || root.disproof == 0 {
                return Some(Some(root.proof == 0));
            }
            let held = self.nodes.len() as u64;
            if held >= most {
                return Some(None);
            }
            if held - reported >= 1 << 14 {
                if progress.should_stop() {
                    return None;
                }
                progress.advance(held, most);
                reported = held;
            }
            let leaf = self.most_proving();
            self.expand(leaf);
            self.update(leaf);
        }
    }

    fn is_mine(&self, node: &Node) -> bool {
        node.position.to_move() == self.me
    }

    fn children(&self, node: &Node) -> std::ops::Range<usize> {
        node.first as usize..node.first as usize + usize::from(node.count)
    }

    fn most_proving(&self) -> u32 {
        let mut at = 0;
        loop {
            let node = &self.nodes[at as usize];
            if node.count == 0 {
                return at;
            }
            let mine = self.is_mine(node);
            let next = self.children(node).find(|&child| {
                let child = &self.nodes[child];
                if mine { child.proof == node.proof } else { child.disproof == node.disproof }
            });
            at = next.expect("a proof number comes from a child") as u32;
        }
    }

    fn expand(&mut self, at: u32) {
        let position = self.nodes[at as usize].position;
        let first = self.nodes.len() as u32;
        for pit in self.game.moves(&position) {
            let child = self.leaf(self.game.play(&position, pit), at);
            self.nodes.push(child);
        }
        let count = (self.nodes.len() as u32 - first) as u8;
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first, count);
    }

    /// Updates the proof numbers of a node and its ancestors, up to the first one whose numbers do not change.
    fn update(&mut self, mut at: u32) {
        while at != NONE {
            let node = self.nodes[at as usize];
            let children = || self.children(&node).map(|child| &self.nodes[child]);
            let least = |number: fn(&Node) -> u32| children().map(number).min().unwrap_or(INFINITE);
            let sum = |number: fn(&Node) -> u32| {
                children().map(number).fold(0, |sum: u32, n| sum.saturating_add(n).min(INFINITE))
            };
            let (proof, disproof) = if self.is_mine(&node) {
                (least(|child| child.proof), sum(|child| child.disproof))
            } else {
                (sum(|child| child.proof), least(|child| child.disproof))
            };
            if (proof, disproof) == (node.proof, node.disproof) {
                return;
            }
            let node = &mut self.nodes[at as usize];
            (node.proof, node.disproof) = (proof, disproof);
            at = node.parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::{BuildPlan, build, positions, unrank};
    use crate::game::ayo::{PITS, Rules};

    /// Returns a position with `seeds` seeds on the board. South leads by about `2 * ahead` captured seeds.
    fn position(seeds: u8, rank: u64, ahead: u8) -> Position {
        let [mover, other] = unrank(seeds, rank).map(|row| row.to_le_bytes());
        let mut pits = [0; 2 * PITS];
        pits[..PITS].copy_from_slice(&mover[..PITS]);
        pits[PITS..].copy_from_slice(&other[..PITS]);
        let rest = 48 - seeds;
        let mine = (rest / 2 + ahead).min(24);
        Position::new(pits, [mine, rest - mine], Side::South).unwrap()
    }

    #[test]
    fn proofs_agree_with_the_tables() {
        let plan = BuildPlan::in_memory(Rules::AWARI, 5).unwrap();
        let tables = build(&plan, &(), |_| ()).unwrap().unwrap();
        let game = Ayo { rules: Rules::AWARI };
        let mut known = 0;
        for (seeds, step) in [(2, 3), (3, 23), (4, 101), (5, 401)] {
            for rank in (0..positions(seeds)).step_by(step) {
                let position = position(seeds, rank, (rank % 3) as u8);
                if game.ended(&position).is_some() {
                    continue;
                }
                let expected = match tables.difference(&position, Side::South).unwrap().signum() {
                    1 => Outcome::Win,
                    0 => Outcome::Draw,
                    _ => Outcome::Loss,
                };
                let found = prove(&game, &position, None, 3_000, &()).unwrap().outcome;
                let fits = match found {
                    Outcome::Unknown => true,
                    Outcome::AtLeastDraw => expected != Outcome::Loss,
                    Outcome::AtMostDraw => expected != Outcome::Win,
                    decided => {
                        known += 1;
                        decided == expected
                    }
                };
                assert!(fits, "{position}: {found:?}, {expected:?}");
                let at_once = prove(&game, &position, Some(&tables), 10, &()).unwrap();
                assert_eq!((at_once.outcome, at_once.nodes <= 2), (expected, true));
            }
        }
        assert!(known > 30, "{known}");
    }
}
