//! Selects the positions to expand.
//!
//! Drop-out expansion (Lincke 2000) expands the leaf at the end of the cheapest line. Every ply has the same cost, to
//! which a move adds the difference between its value and that of the best move. A high cost per ply makes the book
//! broad, and a low cost makes it deep along the best lines. The player who uses the book plays its best moves, but the
//! opponent may play any move, so the losses of the two are weighted differently. Each line therefore has two costs:
//! one if South uses the book, and one if North does. The leaf with the lowest of all these costs is expanded next.
//!
//! In Lincke's method, every node stores the lowest priority of its successors. Here the cheapest lines are searched
//! once per round instead, because several leaves are evaluated in parallel.

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

/// The number of leaves expanded per round. It affects a book's contents, so it is the same on all machines.
pub const LEAVES_PER_ROUND: usize = 32;

/// The parameters that determine the cost of a line, in the units of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Priorities {
    /// The cost per ply.
    pub ply: u32,
    /// The factor for the value that moves of the player using the book lose.
    pub own: u16,
    /// The factor for the value that moves of the opponent lose.
    pub opponent: u16,
}

impl Priorities {
    /// Returns the default costs for an evaluation that values a seed at `seed`.
    pub fn for_seed_value(seed: u32) -> Priorities {
        Priorities { ply: seed, own: 32, opponent: 12 }
    }

    /// Returns the cost of a move whose value is `drop` below the best. `holder` is the side using the book.
    fn cost(&self, mover: Side, holder: Side, drop: u32) -> u64 {
        let weight = if mover == holder { self.own } else { self.opponent };
        u64::from(self.ply) + u64::from(weight) * u64::from(drop)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The round's leaves were expanded.
    Expanded,
    /// There are no more leaves to expand.
    Complete,
    /// The round was interrupted. Values found so far are kept.
    Stopped,
}

impl<G: Game> Book<G> {
    /// Expands the leaves of one round in parallel. `value`, for the side to move, depends only on the position and is
    /// `None` if stopped. `progress` counts leaves.
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

    /// Returns whether the book is the same if it is expanded again with the recorded search values.
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

    /// Finds the leaves to expand in the next round, cheapest first, with Dijkstra's algorithm from the initial position,
    /// once with each player as the owner. Among equal lines, the one to the older position comes first.
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
