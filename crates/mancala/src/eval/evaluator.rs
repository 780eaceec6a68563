//! The evaluator interface and leaf evaluation.

use serde::{Deserialize, Serialize};

use super::score::Score;
use crate::game::{Ending, Game, GameKind, PitSet, Side};

/// Evaluates positions from one player's point of view, regardless of the side to move.
///
/// An evaluation needn't be antisymmetric, i.e. a position's values for the two players needn't add up to 0.
pub trait Evaluator<G: Game>: Sync {
    /// Returns the value of `position` for `me`. Its absolute value must be below half of [`Score::WIN`].
    fn evaluate(&self, position: &G::Position, me: Side) -> Score;

    /// Returns the value for `me` of a game that ended in the position `end`, which is `ply` plies from the root.
    #[inline(always)]
    fn end_value(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        Score::from_end(game.settle(end, ending).verdict, me, ply)
    }

    /// Returns the exact value of a non-terminal position `ply` plies from the root, or `None` if it's unknown.
    #[inline(always)]
    fn exact_value(&self, _position: &G::Position, _me: Side, _ply: u32) -> Option<Score> {
        None
    }

    /// Returns the value for `me` if the game has ended or if the position has an [exact value](Self::exact_value).
    #[inline(always)]
    fn known_value(
        &self,
        game: &G,
        position: &G::Position,
        ending: Option<Ending>,
        me: Side,
        ply: u32,
    ) -> Option<Score> {
        match ending {
            Some(ending) => Some(self.end_value(game, position, ending, me, ply)),
            None => self.exact_value(position, me, ply),
        }
    }

    /// Finds the best leaf below an unfinished position and adds the number of visited leaves to `nodes`. Evaluators
    /// that can evaluate several leaves at once override this method.
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

/// The leaves below a node, and how to evaluate them.
#[derive(Debug, Clone, Copy)]
pub struct Leaves {
    pub moves: PitSet,
    /// The move to visit first, or the empty set if there is none.
    pub first: PitSet,
    /// The player at the root of the search.
    pub me: Side,
    pub perspective: Perspective,
    pub quiescence: Quiescence,
    /// The number of plies from the root to the leaves.
    pub ply: u32,
    /// The search window, from the perspective of the side to move above the leaves.
    pub alpha: Score,
    pub beta: Score,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestLeaf {
    /// The best value for the side to move above the leaves, or a bound if the value is outside the window.
    pub value: Score,
    /// The move that caused a cutoff, or the empty set if there was none.
    pub cutting: PitSet,
}

/// Finds the best leaf by evaluating one leaf at a time.
#[inline(never)]
pub(crate) fn best_leaf<G: Game, E: Evaluator<G> + ?Sized>(
    evaluator: &E,
    game: &G,
    position: &G::Position,
    leaves: &Leaves,
    nodes: &mut u64,
) -> BestLeaf {
    let &Leaves { moves, first, me, perspective, quiescence, ply, alpha, beta } = leaves;
    let mover = game.to_move(position);
    let mut best = Score::LOWEST;
    // Looking for promising moves would cost more than it saves this close to the leaves.
    for pit in moves.ordered(first) {
        let leaf = game.play(position, pit);
        *nodes += 1;
        let value = match evaluator.known_value(game, &leaf, game.ended(&leaf), me, ply) {
            Some(value) => value.signed(mover == me),
            None if quiescence == Quiescence::Off => perspective.value(evaluator, &leaf, me, mover),
            None => Captures { evaluator, game, root: me, perspective, nodes }.value(
                &leaf,
                mover,
                ply,
                [alpha.max(best), beta],
            ),
        };
        best = best.max(value);
        if best >= beta {
            return BestLeaf { value: best, cutting: PitSet::of(pit) };
        }
    }
    BestLeaf { value: best, cutting: PitSet::default() }
}

/// A quiescence search in which each side may capture or stand pat. It terminates because captures remove seeds.
pub(crate) struct Captures<'a, G, E: ?Sized> {
    pub(crate) evaluator: &'a E,
    pub(crate) game: &'a G,
    pub(crate) root: Side,
    pub(crate) perspective: Perspective,
    pub(crate) nodes: &'a mut u64,
}

impl<G: Game, E: Evaluator<G> + ?Sized> Captures<'_, G, E> {
    /// Returns the value for `mover`, who must have made the last move. If the value is outside the window, it is only
    /// a bound. The position must be unfinished and must not have an [exact value](Evaluator::exact_value).
    pub(crate) fn value(
        &mut self,
        position: &G::Position,
        mover: Side,
        ply: u32,
        [alpha, beta]: [Score; 2],
    ) -> Score {
        let (game, captor) = (self.game, self.game.to_move(position));
        let moves_again = game.moves_again(mover, position);
        let [mut alpha, beta] = if moves_again { [alpha, beta] } else { [-beta, -alpha] };
        let best = self.perspective.value(self.evaluator, position, self.root, mover);
        let mut best = best.signed(moves_again);
        for pit in game.may_capture(position) {
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
            let after = game.play(position, pit);
            if game.captured(position, pit, &after) {
                *self.nodes += 1;
                let (ending, ply) = (game.ended(&after), ply + 1);
                let known = self.evaluator.known_value(game, &after, ending, self.root, ply);
                best = best.max(match known {
                    Some(value) => value.signed(captor == self.root),
                    None => self.value(&after, captor, ply, [alpha, beta]),
                });
            }
        }
        best.signed(moves_again)
    }
}

/// The player for whom leaves are evaluated. This matters because an evaluation needn't be antisymmetric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Perspective {
    /// The side that made the last move. This way, weights have the same meaning at any depth.
    #[default]
    Mover,
    /// The player at the root of the search.
    Root,
}

/// Which quiescence search to run at the leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quiescence {
    #[default]
    Off,
    /// Follow captures by both sides. Captures don't count towards the depth.
    Captures,
}

impl Perspective {
    /// Returns the default for a game. See [`Options::of`](crate::search::Options::of).
    pub fn of(game: GameKind) -> Perspective {
        match game {
            GameKind::Ayo => Perspective::Mover,
            GameKind::Kalah => Perspective::Root,
        }
    }

    /// Returns the value of an unfinished position for `mover`, who must have made the last move.
    #[inline(always)]
    pub fn value<G: Game, E: Evaluator<G> + ?Sized>(
        self,
        evaluator: &E,
        position: &G::Position,
        root: Side,
        mover: Side,
    ) -> Score {
        match self {
            Perspective::Mover => evaluator.evaluate(position, mover),
            Perspective::Root => evaluator.evaluate(position, root).signed(mover == root),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct OptionError {
    pub expected: &'static str,
}

/// Implements `Display` and `FromStr` (with [`OptionError`](crate::eval::OptionError)) for an enum with named values.
#[macro_export]
macro_rules! option_words {
    ($option:ident, $expected:literal, { $($value:ident: $word:literal),+ $(,)? }) => {
        impl std::fmt::Display for $option {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $($option::$value => $word,)+
                })
            }
        }

        impl std::str::FromStr for $option {
            type Err = $crate::eval::OptionError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok($option::$value),)+
                    _ => Err($crate::eval::OptionError { expected: $expected }),
                }
            }
        }
    };
}

option_words!(Perspective, "mover or root", { Mover: "mover", Root: "root" });
option_words!(Quiescence, "off or captures", { Off: "off", Captures: "captures" });
