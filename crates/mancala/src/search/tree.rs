//! The search tree and the state of a search.

use super::table::Bound;
use super::{MAX_DEPTH, Options};
use crate::eval::{Captures, Evaluator, Leaves, Quiescence, Score};
use crate::game::{Game, Pit, PitSet, Side};

/// A game and a leaf evaluator, which together define a game tree.
#[derive(Debug)]
pub struct Tree<'a, G, E: ?Sized> {
    pub game: &'a G,
    pub evaluator: &'a E,
    pub options: Options,
}

impl<G, E: ?Sized> Clone for Tree<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, E: ?Sized> Copy for Tree<'_, G, E> {}

impl<'a, G: Game, E: Evaluator<G>> Tree<'a, G, E> {
    /// Creates a tree with the default options.
    pub fn new(game: &'a G, evaluator: &'a E) -> Self {
        Tree { game, evaluator, options: Options::default() }
    }

    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Tree { options, ..self }
    }

    /// Plays `pit` and returns the value of the leaf for the mover. Counts quiescence positions in `nodes`.
    pub(super) fn leaf(
        self,
        before: &G::Position,
        pit: Pit,
        ply: u32,
        root: Side,
        nodes: &mut u64,
    ) -> Score {
        let leaf = self.game.play(before, pit);
        let (mover, ending) = (self.game.to_move(before), self.game.ended(&leaf));
        match self.evaluator.known_value(self.game, &leaf, ending, root, ply) {
            Some(score) => score.signed(mover == root),
            None => self.evaluate(&leaf, mover, ply, root, nodes),
        }
    }

    /// Returns the static value of an unfinished position for the side to move. Counts quiescence positions in `nodes`.
    pub(super) fn static_value(
        self,
        position: &G::Position,
        ply: u32,
        root: Side,
        nodes: &mut u64,
    ) -> Score {
        // We assume that the other side moved last. If the same side has moved twice, the value is inexact.
        let mover = self.game.to_move(position).other();
        -self.evaluate(position, mover, ply, root, nodes)
    }

    /// Returns the value of an unfinished position for `mover`, who moved last.
    #[inline(always)]
    fn evaluate(
        self,
        position: &G::Position,
        mover: Side,
        ply: u32,
        root: Side,
        nodes: &mut u64,
    ) -> Score {
        let Tree { game, evaluator, options } = self;
        let Options { perspective, quiescence, .. } = options;
        if quiescence == Quiescence::Off {
            return perspective.value(evaluator, position, root, mover);
        }
        let mut captures = Captures { evaluator, game, root, perspective, nodes };
        captures.value(position, mover, ply, [Score::LOWEST, Score::HIGHEST])
    }
}

/// An alpha-beta window. Values outside the window don't have to be exact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: Score::LOWEST, beta: Score::HIGHEST };

    /// Negates the window to match the other player's perspective, unless the player stays the same.
    #[inline(always)]
    pub(super) fn signed(self, is_same: bool) -> Window {
        if is_same { self } else { Window { alpha: -self.beta, beta: -self.alpha } }
    }

    /// Returns the window that contains only the given score.
    pub(super) fn around(Score(value): Score) -> Window {
        Window { alpha: Score(value - 1), beta: Score(value + 1) }
    }

    /// Returns the null window that tests whether a value is greater than the given score.
    pub(super) fn above(Score(value): Score) -> Window {
        Window { alpha: Score(value), beta: Score(value + 1) }
    }

    /// Returns the null window that tests whether a value is less than the given score.
    pub(super) fn below(Score(value): Score) -> Window {
        Window { alpha: Score(value - 1), beta: Score(value) }
    }

    pub(super) fn is_null_window(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }

    /// Returns whether a value found with this window is exact or just a bound.
    #[inline(always)]
    pub(super) fn bound(self, value: Score) -> Bound {
        match value {
            value if value >= self.beta => Bound::Lower,
            value if value <= self.alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    /// Returns whether we can use this value or bound instead of searching a node with this window.
    #[inline(always)]
    pub(super) fn is_decided_by(self, bound: Bound, value: Score) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.beta,
            Bound::Upper => value <= self.alpha,
        }
    }
}

/// A node's remaining search depth and its distance from the root.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) depth: u32,
    pub(super) ply: u32,
}

impl Level {
    pub(super) fn child(self) -> Level {
        Level { depth: self.depth - 1, ply: self.ply + 1 }
    }
}

pub(super) struct SearchState {
    pub(super) nodes: u64,
    /// For each ply, the move that last caused a cutoff.
    pub(super) killers: [PitSet; MAX_DEPTH as usize + 1],
}

impl SearchState {
    pub(super) fn new() -> SearchState {
        SearchState { nodes: 0, killers: [PitSet::default(); MAX_DEPTH as usize + 1] }
    }

    /// Returns the value (or a bound) of an unfinished position one ply above the leaves, for the side to move.
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
        let best = tree.evaluator.best_leaf(tree.game, position, leaves, &mut self.nodes);
        if !best.cutting.is_empty() {
            *killer = best.cutting;
        }
        best.value
    }
}
