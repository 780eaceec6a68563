//! The graph of positions and moves.
//!
//! Each position has a single node, even if several lines lead to it. A move back to an ancestor ends the game by
//! repetition, so it doesn't lead to a node. This keeps the graph acyclic, so we can back up all values in one pass.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Score;
use crate::game::{Ending, Game, Pit, Side};

#[derive(Debug, Clone)]
pub(super) struct Graph<G: Game> {
    pub(super) game: G,
    /// Nodes in the order in which they were added to the book, starting with the initial position.
    pub(super) nodes: Vec<Node<G::Position>>,
    pub(super) places: FxHashMap<G::Position, u32>,
    pub(super) expanded: Vec<u32>,
}

#[derive(Debug, Clone)]
pub(super) struct Node<P> {
    pub(super) position: P,
    /// The value for the side to move, which is a search value, or the result if the game has ended.
    pub(super) searched: Score,
    /// Like `searched`, but backed up from the node's successors once the node has been expanded.
    pub(super) value: Score,
    /// The number of plies in the longest line to this node. Sorting the nodes by level gives a topological order.
    level: u32,
    /// The parent and move through which the node was first reached, or `None` for the initial position.
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
    /// The move repeats a position, so it ends the game. The score is for the side making the move.
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

    /// Returns the moves from a node. The slice is empty if the node hasn't been expanded.
    pub(super) fn edges(&self, place: u32) -> &[Edge] {
        match &self.node(place).state {
            State::Expanded(edges) => edges,
            State::Leaf | State::Ended => &[],
        }
    }

    /// Returns the positions to search before [expanding](Self::expand) these leaves, in the order `expand` expects.
    pub(super) fn unknown(&self, leaves: &[u32]) -> Vec<G::Position> {
        let mut seen = FxHashSet::default();
        let children = leaves.iter().flat_map(|&leaf| self.children(leaf));
        let mut unknown: Vec<_> = children.map(|(_, child)| child).collect();
        unknown.retain(|child| {
            !self.places.contains_key(child) && self.end(child).is_none() && seen.insert(*child)
        });
        unknown
    }

    /// Expands a leaf, but doesn't back up any values. `searched` must yield the values of the
    /// [`unknown`](Self::unknown) positions. Returns `None` if the node isn't a leaf or if a value is missing.
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

    /// Recomputes the values of all expanded nodes, starting with the deepest.
    pub(super) fn back_up(&mut self) {
        let mut order = self.expanded.clone();
        order.sort_unstable_by_key(|&place| Reverse(self.node(place).level));
        for place in order {
            let mover = self.game.to_move(&self.node(place).position);
            let best = self.edges(place).iter().map(|edge| self.edge_value(mover, edge)).max();
            self.nodes[place as usize].value = best.expect("an expanded position has a move");
        }
    }

    pub(super) fn edge_value(&self, mover: Side, edge: &Edge) -> Score {
        match edge.target {
            Target::Node(to) => self.value_for(mover, to, |node| node.value),
            Target::Repetition(value) => value,
        }
    }

    /// Returns a node's value for `side`, from the perspective of the position before the move that leads to the node.
    pub(super) fn value_for(
        &self,
        side: Side,
        place: u32,
        value: impl Fn(&Node<G::Position>) -> Score,
    ) -> Score {
        let node = self.node(place);
        let Score(value) = value(node);
        let value_for_side = if self.game.to_move(&node.position) == side { value } else { -value };
        // From the position before the move, the end of the game is one ply further away.
        let ply = if Score(value).counts_plies() { value_for_side.signum() } else { 0 };
        Score(value_for_side - ply)
    }

    fn children(&self, place: u32) -> impl Iterator<Item = (Pit, G::Position)> + use<G> {
        let (game, position) = (self.game, self.node(place).position);
        game.moves(&position).map(move |pit| (pit, game.play(&position, pit)))
    }

    fn end(&self, position: &G::Position) -> Option<Score> {
        let verdict = self.game.settle(position, self.game.ended(position)?).verdict;
        Some(Score::from_end(verdict, self.game.to_move(position), 0))
    }

    fn repetition(&self, from: u32, position: &G::Position) -> Target {
        let mover = self.game.to_move(&self.node(from).position);
        let verdict = self.game.settle(position, Ending::Repetition).verdict;
        Target::Repetition(Score::from_end(verdict, mover, 1))
    }

    fn enter(
        &mut self,
        position: G::Position,
        from: Option<(u32, Pit)>,
        searched: Score,
        state: State,
    ) -> u32 {
        let place =
            u32::try_from(self.nodes.len()).expect("the number of positions fits in 32 bits");
        let level = from.map_or(0, |(from, _)| self.node(from).level + 1);
        self.nodes.push(Node { position, searched, value: searched, level, from, state });
        self.places.insert(position, place);
        place
    }

    /// Returns whether a line leads from node `from` to node `to`. Levels increase along every line, so there is no
    /// need to search beyond the level of `to`.
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

    /// Raises the level of a node to at least `level`, and the levels of all nodes that follow it as needed.
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
