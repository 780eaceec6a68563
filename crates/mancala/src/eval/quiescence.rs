//! Leaves at which something can be captured.

use super::score::Score;
use super::{Evaluator, Perspective};
use crate::game::{Game, Side};

/// Values leaves at which the side to move may capture: it captures, the other side may capture in its
/// turn, and so on, and each may leave a position as it is instead. Every capture takes seeds off the
/// board, so that has an end.
pub(crate) struct Captures<'a, G, E: ?Sized> {
    pub(crate) evaluator: &'a E,
    pub(crate) game: &'a G,
    /// The player at the root, for which positions are valued.
    pub(crate) root: Side,
    pub(crate) perspective: Perspective,
    /// Positions that were entered.
    pub(crate) entered: u64,
}

impl<G: Game, E: Evaluator<G> + ?Sized> Captures<'_, G, E> {
    /// The value of a position in which the game goes on, `ply` plies from the root and after a move of
    /// `mover`, if it is between `alpha` and `beta`; else a bound on it on the same side. It is none that
    /// the evaluator knows.
    pub(crate) fn value(
        &mut self,
        position: &G::Position,
        mover: Side,
        ply: u32,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
        let (game, captor) = (self.game, self.game.to_move(position));
        let maximises = captor == self.root;
        let mut best = self.perspective.value(self.evaluator, position, self.root, mover);
        for pit in game.may_capture(position) {
            if maximises {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
            let after = game.play(position, pit);
            if game.captured(position, pit, &after) {
                self.entered += 1;
                let value = self.after_capture(&after, captor, ply + 1, alpha, beta);
                best = if maximises { best.max(value) } else { best.min(value) };
            }
        }
        best
    }

    /// The same of a position in which the game may have ended, or which may be known.
    fn after_capture(
        &mut self,
        position: &G::Position,
        captor: Side,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        match self.game.ended(position) {
            Some(ending) => self.evaluator.value_end(self.game, position, ending, self.root, ply),
            None => match self.evaluator.known(position, self.root, ply) {
                Some(known) => known,
                None => self.value(position, captor, ply, alpha, beta),
            },
        }
    }
}
