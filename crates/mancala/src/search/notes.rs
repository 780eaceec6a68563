//! What a search notes on its way.

use super::window::Window;
use super::{MAX_DEPTH, Options, Tree};
use crate::eval::{Evaluator, Leaves, Score};
use crate::game::{Game, PitSet, Side};

/// What a search counts, and what it remembers by ply.
pub(super) struct Notes {
    /// Positions entered.
    pub(super) nodes: u64,
    /// By ply, the move that last cut a node short: it often does so in its neighbours too.
    pub(super) killers: [PitSet; MAX_DEPTH as usize + 1],
}

impl Notes {
    pub(super) fn new() -> Notes {
        Notes { nodes: 0, killers: [PitSet::default(); MAX_DEPTH as usize + 1] }
    }

    /// The value for `root` of a position one ply above the leaves, `ply` plies from the root, in which the game
    /// goes on with `moves`; or a bound on it, if it is outside the window.
    #[inline(always)]
    pub(super) fn best_leaf<G: Game, E: Evaluator<G>>(
        &mut self,
        tree: Tree<'_, G, E>,
        position: &G::Position,
        moves: PitSet,
        (root, ply): (Side, u32),
        Window { alpha, beta }: Window,
    ) -> Score {
        let killer = &mut self.killers[ply as usize];
        let Options { perspective, quiescence, .. } = tree.options;
        let (first, me, ply) = (*killer, root, ply + 1);
        let leaves = Leaves { moves, first, me, perspective, quiescence, ply, alpha, beta };
        let found = tree.evaluator.best_leaf(tree.game, position, leaves, &mut self.nodes);
        if !found.cutting.is_empty() {
            *killer = found.cutting;
        }
        found.value
    }
}
