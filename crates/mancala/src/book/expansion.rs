//! Which positions a book expands.
//!
//! Drop-out expansion (Lincke 2000) goes on where a line costs least: a ply costs something, and a move costs what it
//! gives away against the best one. With a dear ply a book grows broad, with a cheap one it grows deep along the
//! best lines. A book is asked by one of the players, who plays its best moves, while the other may play anything.
//! So there are two costs of a line, one for a book in South's hands and one in North's, and its own moves
//! may weigh otherwise than the opponent's. The cheapest leaf of both is next.
//!
//! Lincke keeps a priority in every node, the least of those behind it. The cheapest line from the start
//! ends in the same leaf. It is searched for once a round, as the next several leaves are valued at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Book;
use super::graph::{Graph, State, Target};
use crate::eval::Score;
use crate::game::{Game, Side};
use crate::progress::Progress;

/// Leaves that are chosen before any of them is valued. It decides the bytes of a book, so it does not depend on
/// the machine.
pub const ROUND: usize = 32;

/// What a line costs, in units of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Priorities {
    /// A ply, which is the worth of a seed.
    pub ply: u32,
    /// So much times what a move of the player with the book gives away.
    pub own: u16,
    /// So much times what a move of its opponent gives away.
    pub opponent: u16,
}

impl Priorities {
    /// Those of a book for which none are named, where a seed is worth so much.
    pub fn usual(seed: u32) -> Priorities {
        Priorities { ply: seed, own: 32, opponent: 12 }
    }

    /// Of a move of `mover` that gives away so much, in a line for a book in the hands of `holder`.
    fn cost(&self, mover: Side, holder: Side, drop: u32) -> u64 {
        let weight = if mover == holder { self.own } else { self.opponent };
        u64::from(self.ply) + u64::from(weight) * u64::from(drop)
    }
}

/// How a step of growing has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The positions of a round were expanded.
    Grown,
    /// There is none left to expand.
    Complete,
    /// It was stopped in the middle of a round. What was valued is kept.
    Stopped,
}

impl<G: Game> Book<G> {
    /// Expands the positions of one round, on all threads. `value` says what a position is worth to the side
    /// to move, which must depend on nothing else, or `None` if it was stopped. `progress` hears how many of the
    /// round are done.
    pub fn grow(
        &mut self,
        value: &(impl Fn(&G::Position) -> Option<Score> + Sync),
        progress: &dyn Progress,
    ) -> Step {
        let leaves = self.next();
        if leaves.is_empty() {
            return Step::Complete;
        }
        let unknown = self.graph.unknown(&leaves);
        self.begun.resize(unknown.len(), None);
        let (done, all) = (AtomicUsize::new(0), unknown.len().max(1));
        let known = unknown.par_iter().zip(&self.begun).with_max_len(1).map(|(position, known)| {
            let found = known.or_else(|| value(position).filter(|_| !progress.should_stop()));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.advance((leaves.len() * done / all) as u64, leaves.len() as u64);
            found
        });
        self.begun = known.collect();
        let Some(searched) = self.begun.iter().copied().collect::<Option<Vec<Score>>>() else {
            return Step::Stopped;
        };
        self.begun.clear();
        let mut searched = searched.into_iter();
        for leaf in leaves {
            self.graph.expand(leaf, &mut searched).expect("a value for each position of a leaf");
        }
        self.graph.back_up();
        Step::Grown
    }

    /// Whether a book that grows by these terms, from what the searches said, comes to hold the same.
    pub fn follows_from_its_searches(&self) -> bool {
        let told = |position: &G::Position| {
            let &place = self.graph.places.get(position)?;
            Some(self.graph.node(place).searched)
        };
        let mut again = Book::new(*self.game(), self.terms.clone());
        while again.expanded() < self.expanded() && again.grow(&told, &()) == Step::Grown {}
        again.graph.expanded == self.graph.expanded && again.searched().eq(self.searched())
    }

    /// The leaves of the next round, the cheapest first.
    pub(super) fn next(&self) -> Vec<u32> {
        cheapest(&self.graph, &self.terms.priorities, ROUND)
    }
}

/// Dijkstra's algorithm from the start, once for each player that may have the book. Of lines of equal
/// cost the one to the older position is the cheaper.
fn cheapest<G: Game>(graph: &Graph<G>, priorities: &Priorities, count: usize) -> Vec<u32> {
    let mut chosen = Vec::new();
    let mut settled = vec![[false; 2]; graph.nodes.len()];
    let mut waiting: BinaryHeap<_> = Side::BOTH.map(|it| Reverse((0, 0, it.index()))).into();
    while let Some(Reverse((cost, place, holder))) = waiting.pop() {
        let seen = &mut settled[place as usize];
        if std::mem::replace(&mut seen[holder], true) {
            continue;
        }
        let node = graph.node(place);
        if node.state == State::Leaf && !seen[1 - holder] {
            chosen.push(place);
            if chosen.len() == count {
                break;
            }
        }
        let mover = graph.game.to_move(&node.position);
        for edge in graph.edges(place) {
            let Target::Node(to) = edge.target else { continue };
            let drop = node.value.0.abs_diff(graph.worth(mover, edge).0);
            let more = priorities.cost(mover, Side::BOTH[holder], drop);
            waiting.push(Reverse((cost + more, to, holder)));
        }
    }
    chosen
}
