//! The positions of a book and the moves between them.
//!
//! Positions that are reached by several lines are one node. No line leads round: a move back to a position that
//! has led here is no edge but the end of the game by repetition. So the graph has no cycles, and one pass over
//! it backs all values up.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Score;
use crate::game::{Ending, Game, Pit, Side};

#[derive(Debug, Clone)]
pub(super) struct Graph<G: Game> {
    pub(super) game: G,
    /// In the order in which they entered; the start is the first.
    pub(super) nodes: Vec<Node<G::Position>>,
    pub(super) places: FxHashMap<G::Position, u32>,
    /// The nodes whose moves are known, in the order in which they became so.
    pub(super) expanded: Vec<u32>,
}

#[derive(Debug, Clone)]
pub(super) struct Node<P> {
    pub(super) position: P,
    /// What the search said of it, or its end; for the side to move.
    pub(super) searched: Score,
    /// What follows from all that is known; for the side to move.
    pub(super) value: Score,
    /// The plies of the longest line to it. They grow along every move.
    level: u32,
    /// The move by which it entered.
    pub(super) from: Option<(u32, Pit)>,
    pub(super) state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    Leaf,
    Ended,
    Expanded(Vec<Edge>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) pit: Pit,
    pub(super) target: Target,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Node(u32),
    /// The worth of this end to the side that moves.
    Repetition(Score),
}

impl<G: Game> Graph<G> {
    pub(super) fn new(game: G) -> Graph<G> {
        let mut graph =
            Graph { game, nodes: Vec::new(), places: FxHashMap::default(), expanded: Vec::new() };
        let start = game.start(Side::South);
        graph.enter(start, None, Score::DRAW, State::Leaf);
        graph
    }

    pub(super) fn node(&self, place: u32) -> &Node<G::Position> {
        &self.nodes[place as usize]
    }

    /// The moves of a node, none if they are not known.
    pub(super) fn edges(&self, place: u32) -> &[Edge] {
        match &self.node(place).state {
            State::Expanded(edges) => edges,
            State::Leaf | State::Ended => &[],
        }
    }

    /// The positions that would enter with the moves of these leaves and that a search has to value, in the order
    /// in which [`expand`](Self::expand) asks for their values.
    pub(super) fn unknown(&self, leaves: &[u32]) -> Vec<G::Position> {
        let mut seen = FxHashSet::default();
        let children = leaves.iter().flat_map(|&leaf| self.children(leaf));
        let mut unknown: Vec<_> = children.map(|(_, child)| child).collect();
        unknown.retain(|child| {
            !self.places.contains_key(child) && self.end(child).is_none() && seen.insert(*child)
        });
        unknown
    }

    /// Adds the moves of a leaf; `searched` has the values of the [`unknown`](Self::unknown) positions.
    /// Values are not backed up. `None` if it is no leaf or a value is missing.
    pub(super) fn expand(
        &mut self,
        leaf: u32,
        searched: &mut impl Iterator<Item = Score>,
    ) -> Option<()> {
        if self.nodes.get(leaf as usize)?.state != State::Leaf {
            return None;
        }
        let mut edges = Vec::new();
        for (pit, child) in self.children(leaf) {
            let target = match self.places.get(&child) {
                Some(&known) if self.leads_to(known, leaf) => self.repetition(leaf, &child),
                Some(&known) => {
                    self.raise(known, self.node(leaf).level + 1);
                    Target::Node(known)
                }
                None => {
                    let (value, state) = match self.end(&child) {
                        Some(end) => (end, State::Ended),
                        None => (searched.next()?, State::Leaf),
                    };
                    Target::Node(self.enter(child, Some((leaf, pit)), value, state))
                }
            };
            edges.push(Edge { pit, target });
        }
        self.nodes[leaf as usize].state = State::Expanded(edges);
        self.expanded.push(leaf);
        Some(())
    }

    /// Gives every node the value that follows from those behind it.
    pub(super) fn back_up(&mut self) {
        let mut order = self.expanded.clone();
        order.sort_unstable_by_key(|&place| Reverse(self.node(place).level));
        for place in order {
            let mover = self.game.to_move(&self.node(place).position);
            let best = self.edges(place).iter().map(|edge| self.worth(mover, edge)).max();
            self.nodes[place as usize].value = best.expect("a game that goes on has a move");
        }
    }

    /// What a move is worth to the side that makes it.
    pub(super) fn worth(&self, mover: Side, edge: &Edge) -> Score {
        match edge.target {
            Target::Node(to) => self.seen_by(mover, to, |node| node.value),
            Target::Repetition(value) => value,
        }
    }

    /// A value of a node, a ply before it and for some side.
    pub(super) fn seen_by(
        &self,
        side: Side,
        place: u32,
        value: impl Fn(&Node<G::Position>) -> Score,
    ) -> Score {
        let node = self.node(place);
        let Score(value) = value(node);
        let turned = if self.game.to_move(&node.position) == side { value } else { -value };
        // An end is a ply farther away from here.
        let nearer = if Score(value).counts_plies() { turned.signum() } else { 0 };
        Score(turned - nearer)
    }

    fn children(&self, place: u32) -> impl Iterator<Item = (Pit, G::Position)> + use<G> {
        let (game, position) = (self.game, self.node(place).position);
        game.moves(&position).map(move |pit| (pit, game.play(&position, pit)))
    }

    /// The value of a position in which the game has ended.
    fn end(&self, position: &G::Position) -> Option<Score> {
        let ending = self.game.ended(position)?;
        Some(self.settled(position, ending, self.game.to_move(position), 0))
    }

    fn repetition(&self, from: u32, position: &G::Position) -> Target {
        let mover = self.game.to_move(&self.node(from).position);
        Target::Repetition(self.settled(position, Ending::Repetition, mover, 1))
    }

    fn settled(&self, position: &G::Position, ending: Ending, side: Side, plies: u32) -> Score {
        Score::of_end(self.game.settle(position, ending).verdict, side, plies)
    }

    fn enter(
        &mut self,
        position: G::Position,
        from: Option<(u32, Pit)>,
        searched: Score,
        state: State,
    ) -> u32 {
        let place = u32::try_from(self.nodes.len()).expect("fewer positions than memory holds");
        let level = from.map_or(0, |(from, _)| self.node(from).level + 1);
        self.nodes.push(Node { position, searched, value: searched, level, from, state });
        self.places.insert(position, place);
        place
    }

    /// Whether a line leads from one node to another. Only nodes of lower levels can be on it.
    fn leads_to(&self, from: u32, to: u32) -> bool {
        let (mut waiting, mut seen) = (vec![from], FxHashSet::default());
        while let Some(place) = waiting.pop() {
            if place == to {
                return true;
            }
            if self.node(place).level < self.node(to).level && seen.insert(place) {
                waiting.extend(self.successors(place));
            }
        }
        false
    }

    /// Lifts a node to a level, and what lies behind it above it.
    fn raise(&mut self, place: u32, level: u32) {
        let mut waiting = vec![(place, level)];
        while let Some((place, level)) = waiting.pop() {
            if self.node(place).level < level {
                self.nodes[place as usize].level = level;
                waiting.extend(self.successors(place).map(|next| (next, level + 1)));
            }
        }
    }

    fn successors(&self, place: u32) -> impl Iterator<Item = u32> {
        self.edges(place).iter().filter_map(|edge| match edge.target {
            Target::Node(to) => Some(to),
            Target::Repetition(_) => None,
        })
    }
}
