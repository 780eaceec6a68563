//! What a search goes through.

use super::Options;
use crate::eval::{Captures, Evaluator, Quiescence, Score};
use crate::game::{Game, Pit, Side};

/// A game tree: the game, and how its leaves are valued.
#[derive(Debug)]
pub struct Tree<'a, G, E: ?Sized> {
    /// The game and its rules.
    pub game: &'a G,
    /// What values leaves.
    pub evaluator: &'a E,
    /// From whose view, and what is done among equals.
    pub options: Options,
}

impl<G, E: ?Sized> Clone for Tree<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, E: ?Sized> Copy for Tree<'_, G, E> {}

impl<'a, G: Game, E: Evaluator<G>> Tree<'a, G, E> {
    /// A tree with the usual options.
    pub fn new(game: &'a G, evaluator: &'a E) -> Self {
        Tree { game, evaluator, options: Options::default() }
    }

    /// The same tree with other options.
    #[must_use]
    pub fn with(self, options: Options) -> Self {
        Tree { options, ..self }
    }

    /// The value for `root` of the position at the end of a search, `ply` plies from it, that sowing from
    /// `pit` led to. What it enters in looking on is added to `nodes`.
    pub(super) fn leaf(
        self,
        before: &G::Position,
        pit: Pit,
        ply: u32,
        root: Side,
        nodes: &mut u64,
    ) -> Score {
        let Tree { game, evaluator, options } = self;
        let leaf = game.play(before, pit);
        if let Some(ending) = game.ended(&leaf) {
            return evaluator.value_end(game, &leaf, ending, root, ply);
        }
        if let Some(score) = evaluator.known(&leaf, root, ply) {
            return score;
        }
        let (mover, Options { perspective, quiescence, .. }) = (game.to_move(before), options);
        if quiescence == Quiescence::Off {
            return perspective.value(evaluator, &leaf, root, mover);
        }
        let mut captures = Captures { evaluator, game, root, perspective, entered: 0 };
        let value = captures.value(&leaf, mover, ply, Score::LOWEST, Score::HIGHEST);
        *nodes += captures.entered;
        value
    }

    /// The value for `root` of a position in which the game goes on, without a search to any depth, `ply` plies
    /// from the root. What it enters in looking on is added to `nodes`.
    pub(super) fn still(
        self,
        position: &G::Position,
        ply: u32,
        root: Side,
        nodes: &mut u64,
    ) -> Score {
        let Tree { game, evaluator, options } = self;
        // Where a side may move twice it may have been the same one, and the value errs.
        let (mover, Options { perspective, quiescence, .. }) =
            (game.to_move(position).other(), options);
        if quiescence == Quiescence::Off {
            return perspective.value(evaluator, position, root, mover);
        }
        let mut captures = Captures { evaluator, game, root, perspective, entered: 0 };
        let value = captures.value(position, mover, ply, Score::LOWEST, Score::HIGHEST);
        *nodes += captures.entered;
        value
    }
}
