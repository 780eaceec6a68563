//! The game tree of the thesis, built breadth-first and valued bottom-up: the reference that
//! [`gains`](crate::player::gains) is held to.

use std::ops::Range;

use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Pit};

/// A position in the tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// The move into it; none into the root.
    pub pit: Option<Pit>,
    /// The position.
    pub position: Position,
    /// Plies from the root.
    pub ply: u32,
    /// f(n): seeds that the move into it captured. Seeds shared out at the end of a game are none.
    pub captured: i32,
    /// Where its children are; empty at a leaf.
    pub children: Range<usize>,
}

/// Every line of play up to some plies: the root first, then its children, then theirs.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// The tree of a position, `plies` deep (*buildTree*): about six times as many nodes for each ply more.
    pub fn build(game: &Ayo, position: &Position, plies: u32) -> Tree {
        let root = Node { pit: None, position: *position, ply: 0, captured: 0, children: 0..0 };
        let mut nodes = vec![root];
        let mut next = 0;
        while let Some(parent) = nodes.get(next) {
            let (position, ply) = (parent.position, parent.ply + 1);
            let first = nodes.len();
            if ply <= plies && game.ended(&position).is_none() {
                nodes.extend(game.moves(&position).map(|pit| child(game, &position, pit, ply)));
            }
            nodes[next].children = first..nodes.len();
            next += 1;
        }
        Tree { nodes }
    }

    /// The nodes, breadth-first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The Score of every node by eq. (4) (*computeValue*), in the order of [`nodes`](Self::nodes): seeds
    /// that the opponent of the player at the root captures from the move into the node on, less that
    /// player's own. So the least is best for it.
    ///
    /// The root player's moves lead to *max* nodes of the paper, at which its opponent chooses: the Score there is
    /// the largest below, less what the move into the node captured. At a *min* node it is the least below
    /// and what was captured is added.
    pub fn scores(&self) -> Vec<i32> {
        let mut scores = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let below = &scores[node.children.clone()];
            let opponent_chooses = node.ply % 2 == 1;
            scores[index] = if opponent_chooses {
                below.iter().max().unwrap_or(&0) - node.captured
            } else {
                below.iter().min().unwrap_or(&0) + node.captured
            };
        }
        scores
    }

    /// The Score of each move of the player at the root.
    ///
    /// ```
    /// use arena::player::rbh::Tree;
    /// // Fig. 4.2 of the thesis: pits B to F.
    /// let position = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S".parse().unwrap();
    /// let tree = Tree::build(&Default::default(), &position, 4);
    /// let scores: Vec<i32> = tree.move_scores().into_iter().map(|(_, score)| score).collect();
    /// assert_eq!(scores, [-2, 0, 0, -4, -2]);
    /// ```
    pub fn move_scores(&self) -> Vec<(Pit, i32)> {
        let scores = self.scores();
        let moves = self.nodes[0].children.clone();
        moves.filter_map(|index| Some((self.nodes[index].pit?, scores[index]))).collect()
    }
}

fn child(game: &Ayo, position: &Position, pit: Pit, ply: u32) -> Node {
    let after = game.play(position, pit);
    let mover = position.to_move();
    let captured = i32::from(after.store(mover)) - i32::from(position.store(mover));
    Node { pit: Some(pit), position: after, ply, captured, children: 0..0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::player::gains;
    use mancala::game::arbitrary::any_position;
    use mancala::laws;

    #[test]
    fn figure_4_2_has_one_feasible_move_and_its_value_is_that_of_the_game() {
        let position = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S".parse().unwrap();
        let tree = Tree::build(&Ayo::default(), &position, 4);
        assert_eq!(tree.scores()[0], -4);
        let feasible = tree.move_scores().into_iter().filter(|&(_, score)| score == -4);
        assert_eq!(feasible.map(|(pit, _)| pit.index()).collect::<Vec<_>>(), [4]);
        // Breadth first: plies never go down again.
        assert!(tree.nodes().is_sorted_by_key(|node| node.ply));
    }

    #[test]
    fn a_tree_counts_the_lines_of_play() {
        let game = Ayo::default();
        let start = game.start(mancala::game::Side::South);
        let tree = Tree::build(&game, &start, 4);
        let of_ply = |ply| tree.nodes().iter().filter(|node| node.ply == ply).count();
        assert_eq!([1, 2, 3, 4].map(of_ply), [6, 36, 190, 1014]);
    }

    laws! {
        #[test]
        fn gains_are_scores_with_the_sign_turned(position in any_position(), plies in 1u32..=4) {
            let game = Ayo::default();
            prop_assume!(game.ended(&position).is_none());
            let scores = Tree::build(&game, &position, plies).move_scores();
            let turned: Vec<_> = scores.into_iter().map(|(pit, score)| (pit, -score)).collect();
            prop_assert_eq!(gains(&game, &position, plies).0, turned);
        }
    }
}
