//! Evaluators as a search wants them: nothing to look up, nothing to dispatch on.

use super::score::Score;
use super::{Captures, Perspective, Quiescence};
use crate::game::{Ending, Game, PitSet, Side};

/// Values a position for one player, whichever side is to move there.
///
/// It need not be antisymmetric: my value and the opponent's of one position need not add up to 0.
pub trait Evaluator<G: Game>: Sync {
    /// The value of `position` for `me`; below half of [`Score::WIN`] in size.
    fn evaluate(&self, position: &G::Position, me: Side) -> Score;

    /// The value for `me` of a game that ended in `end`, `ply` plies from the root. By default a win, a loss
    /// or a draw counts as such, whatever the position.
    #[inline(always)]
    fn value_end(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        Score::of_end(game.settle(end, ending).verdict, me, ply)
    }

    /// The known value of a position in which the game goes on, `ply` plies from the root. A search ends
    /// there. `None` unless the evaluator has tables.
    #[inline(always)]
    fn known(&self, _position: &G::Position, _me: Side, _ply: u32) -> Option<Score> {
        None
    }

    /// The loop over the leaves below `position`, in which the game goes on. Evaluators that can value
    /// leaves together override it; what is found must be the same. Adds the leaves that it enters to `nodes`.
    fn best_leaf(
        &self,
        game: &G,
        position: &G::Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        best_leaf(self, game, position, &leaves, nodes)
    }
}

/// The leaves below a node.
#[derive(Debug, Clone, Copy)]
pub struct Leaves {
    /// The moves that lead to them: all of the node's.
    pub moves: PitSet,
    /// The move to visit first, or the empty set.
    pub first: PitSet,
    /// The player at the root of the search, for which they are valued.
    pub me: Side,
    /// From whose view they are valued. The side to move at the node is the one that moves to them.
    pub perspective: Perspective,
    /// Which of them are searched on.
    pub quiescence: Quiescence,
    /// Their distance from the root in plies.
    pub ply: u32,
    /// A value up to this one is as good as any lower one.
    pub alpha: Score,
    /// A value from this one on is as good as any higher one.
    pub beta: Score,
}

/// What was found among the leaves below a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestLeaf {
    /// The best value, or one that is beyond the window.
    pub value: Score,
    /// The move that caused a cutoff, or the empty set.
    pub cutting: PitSet,
}

/// The loop over leaves, one at a time.
#[inline(never)]
pub(crate) fn best_leaf<G: Game, E: Evaluator<G> + ?Sized>(
    evaluator: &E,
    game: &G,
    position: &G::Position,
    leaves: &Leaves,
    nodes: &mut u64,
) -> BestLeaf {
    let &Leaves { moves, first, me, perspective, quiescence, ply, mut alpha, mut beta } = leaves;
    let mover = game.to_move(position);
    let maximises = mover == me;
    let mut best = if maximises { Score::LOWEST } else { Score::HIGHEST };
    // So near the leaves, finding the promising moves costs more than they save.
    for pit in moves.ordered(first) {
        let leaf = game.play(position, pit);
        *nodes += 1;
        let value = match game.ended(&leaf) {
            Some(ending) => evaluator.value_end(game, &leaf, ending, me, ply),
            None => match evaluator.known(&leaf, me, ply) {
                Some(known) => known,
                None if quiescence == Quiescence::Off => {
                    perspective.value(evaluator, &leaf, me, mover)
                }
                None => {
                    let mut captures =
                        Captures { evaluator, game, root: me, perspective, entered: 0 };
                    let value = captures.value(&leaf, mover, ply, alpha, beta);
                    *nodes += captures.entered;
                    value
                }
            },
        };
        if maximises {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            return BestLeaf { value: best, cutting: PitSet::of(pit) };
        }
    }
    BestLeaf { value: best, cutting: PitSet::default() }
}
