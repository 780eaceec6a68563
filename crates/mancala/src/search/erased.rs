//! Evaluators behind one type, for those that few games are played with.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;

use crate::eval::{BestLeaf, Evaluator, Leaves, Score};
use crate::game::{Ending, Game, Side};

/// An evaluator that can be shown.
trait Shown<G: Game>: Evaluator<G> + Debug + Display + Send {}

impl<G: Game, E: Evaluator<G> + Debug + Display + Send> Shown<G> for E {}

/// Some evaluator, called through a table of its functions, of which the dearest is the loop over all leaves below a
/// node.
///
/// Searches are compiled for each type of evaluator, which takes long, so the rarer ones share this type.
#[derive(Debug, Clone)]
pub(super) struct Erased<G: Game>(Arc<dyn Shown<G>>);

impl<G: Game> Erased<G> {
    pub(super) fn new(evaluator: impl Evaluator<G> + Debug + Display + Send + 'static) -> Self {
        Erased(Arc::new(evaluator))
    }
}

impl<G: Game> Evaluator<G> for Erased<G> {
    #[inline]
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        self.0.evaluate(position, me)
    }

    #[inline]
    fn value_end(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        self.0.value_end(game, end, ending, me, ply)
    }

    #[inline]
    fn known(&self, position: &G::Position, me: Side, ply: u32) -> Option<Score> {
        self.0.known(position, me, ply)
    }

    #[inline]
    fn best_leaf(
        &self,
        game: &G,
        position: &G::Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        self.0.best_leaf(game, position, leaves, nodes)
    }
}

impl<G: Game> Display for Erased<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}
