//! Selects the positions to expand.
//!
//! Drop-out expansion (Lincke 2000) always expands the leaf at the end of the cheapest line. The cost of a line is the
//! sum of the costs of its moves. A move costs a fixed amount, plus a penalty that depends on how much worse it is than
//! the best move. If the fixed amount is high, the book becomes broad. If it is low, the book becomes deep along the
//! best lines. The player using the book plays its best moves, but the opponent may play any move, so we weight the
//! penalties of the two players differently. Each line therefore has two costs: one if South uses the book and one if
//! North does. A leaf's cost is the lowest of these over all lines that lead to the leaf.
//!
//! In Lincke's program, each node stores the lowest priority of its successors. We expand several leaves per round in
//! parallel, so we search for the cheapest lines once per round instead.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Book;
use super::graph::{State, Target};
use crate::eval::Score;
use crate::game::{Game, Side};
use crate::progress::Progress;

/// How many leaves to expand per round. This affects the contents of a book, so it must be the same on every machine.
pub const LEAVES_PER_ROUND: usize = 32;

/// The parameters of the cost of a line. Each move costs `ply`, plus a weight times how much value the move gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Priorities {
    /// The cost per ply, in score units.
    pub ply: u32,
    /// The weight of the value that is given up by the player who uses the book.
    pub own: u16,
    /// The weight of the value that is given up by the opponent.
    pub opponent: u16,
}

impl Priorities {
    /// Returns the default priorities. `seed` is the value of a single seed according to the evaluator, in score units.
    pub fn for_seed_value(seed: u32) -> Priorities {
        Priorities { ply: seed, own: 32, opponent: 12 }
    }

    /// Returns the cost of a move that is worse than the best move by `drop`. `holder` is the side that uses the book.
    fn cost(&self, mover: Side, holder: Side, drop: u32) -> u64 {
        let weight = if mover == holder { self.own } else { self.opponent };
        u64::from(self.ply) + u64::from(weight) * u64::from(drop)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Expanded,
    /// No leaves are left to expand.
    Complete,
    /// The round was interrupted. The values found so far are kept for the next call.
    Stopped,
}

impl<G: Game> Book<G> {
    /// Expands the leaves of one round, evaluating new positions in parallel. `value` must evaluate a position for the
    /// side to move, using nothing but the position, or return `None` to stop. `progress` counts leaves.
    pub fn expand_round(
        &mut self,
        value: &(impl Fn(&G::Position) -> Option<Score> + Sync),
        progress: &dyn Progress,
    ) -> Step {
        let leaves = self.next_leaves();
        if leaves.is_empty() {
            return Step::Complete;
        }
        let unknown = self.graph.unknown(&leaves);
        self.interrupted.resize(unknown.len(), None);
        let (done, all) = (AtomicUsize::new(0), unknown.len().max(1));
        let known =
            unknown.par_iter().zip(&self.interrupted).with_max_len(1).map(|(position, known)| {
                let found = known.or_else(|| value(position).filter(|_| !progress.should_stop()));
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.advance((leaves.len() * done / all) as u64, leaves.len() as u64);
                found
            });
        self.interrupted = known.collect();
        let Some(searched) = self.interrupted.iter().copied().collect::<Option<Vec<Score>>>()
        else {
            return Step::Stopped;
        };
        self.interrupted.clear();
        let mut searched = searched.into_iter();
        for leaf in leaves {
            self.graph.expand(leaf, &mut searched).expect("every new position has a value");
        }
        self.graph.back_up();
        Step::Expanded
    }

    /// Returns whether repeating the expansion with the search values in this book would yield the same book.
    pub fn is_reproducible(&self) -> bool {
        let searched = |position: &G::Position| {
            let &place = self.graph.places.get(position)?;
            Some(self.graph.node(place).searched)
        };
        let mut copy = Book::new(*self.game(), self.settings.clone());
        while copy.expanded() < self.expanded()
            && copy.expand_round(&searched, &()) == Step::Expanded
        {}
        copy.graph.expanded == self.graph.expanded && copy.searched().eq(self.searched())
    }

    /// Finds the leaves to expand in the next round, cheapest first. We run Dijkstra's algorithm from the initial
    /// position, for both possible users of the book at once. If two leaves cost the same, then the one that was added
    /// to the book earlier comes first.
    pub(super) fn next_leaves(&self) -> Vec<u32> {
        let (graph, priorities) = (&self.graph, &self.settings.priorities);
        let mut chosen = Vec::new();
        let mut settled = vec![[false; 2]; graph.nodes.len()];
        let mut waiting: BinaryHeap<_> =
            Side::BOTH.map(|side| Reverse((0, 0, side.index()))).into();
        while let Some(Reverse((cost, place, holder))) = waiting.pop() {
            let seen = &mut settled[place as usize];
            if std::mem::replace(&mut seen[holder], true) {
                continue;
            }
            let node = graph.node(place);
            if node.state == State::Leaf && !seen[1 - holder] {
                chosen.push(place);
                if chosen.len() == LEAVES_PER_ROUND {
                    break;
                }
            }
            let mover = graph.game.to_move(&node.position);
            for edge in graph.edges(place) {
                let Target::Node(to) = edge.target else { continue };
                let drop = node.value.0.abs_diff(graph.edge_value(mover, edge).0);
                let more = priorities.cost(mover, Side::BOTH[holder], drop);
                waiting.push(Reverse((cost + more, to, holder)));
            }
        }
        chosen
    }
}
