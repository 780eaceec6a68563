//! Evaluation by learned units.

use std::fmt;
use std::sync::Arc;

use super::fast::{Fast, Inferred};
use super::layer::Layer;
use crate::eval::sum::MOST;
use crate::eval::{BestLeaf, Evaluator, Leaves, Score, Sum, Weights, best_leaf};
use crate::game::{Encoded, Side};

/// A weighted sum of the units of a layer, and what else is counted in a position.
///
/// The units are those of the side to move, so their sum is worth as much less to the other side. What is
/// counted beside them by `C` is valued as ever, within its own bounds. A sum of both beyond ±4,000,000 counts as just
/// that, as in any [`Sum`](crate::eval::Sum).
#[derive(Debug, Clone)]
pub struct Learned<G: Inferred, C> {
    layer: Arc<Layer>,
    /// By unit.
    weights: Vec<i16>,
    counted: C,
    fast: Option<G::Fast>,
}

/// An evaluator that counts nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nothing;

impl<G: Encoded> Evaluator<G> for Nothing {
    #[inline(always)]
    fn evaluate(&self, _: &G::Position, _: Side) -> Score {
        Score::DRAW
    }
}

impl fmt::Display for Nothing {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl<G: Inferred, C: Evaluator<G>> Learned<G, C> {
    /// The evaluator that gives a weight to each of the first units of a layer, and none to the rest.
    ///
    /// # Panics
    /// If it is a layer of another game or there are more weights than units.
    pub fn new(layer: Arc<Layer>, weights: &[i16], counted: C) -> Self {
        assert_eq!(G::KIND, layer.game(), "a layer sees positions of its own game");
        assert!(weights.len() <= layer.units(), "no more weights than units");
        let mut weights = weights.to_vec();
        weights.resize(layer.units(), 0);
        let fast = G::Fast::new(&layer, &weights);
        Learned { layer, weights, counted, fast }
    }

    /// The sum of the units for the side to move, computed plainly: what the fast one is held to.
    pub(super) fn plain_sum(&self, position: &G::Position) -> i32 {
        let weights = self.layer.phases().weights(&self.weights, G::fullness(position));
        let units = self.layer.values::<G>(position).into_iter();
        units.zip(weights).map(|(unit, weight)| unit * i32::from(weight)).sum()
    }

    /// The sum of the units for the side to move.
    #[inline]
    pub(super) fn sum(&self, position: &G::Position) -> i32 {
        match &self.fast {
            Some(fast) => fast.sum(position),
            None => self.plain_sum(position),
        }
    }
}

/// What weights with a layer come to: the units that they weigh, and a sum of what is counted beside them.
pub(crate) struct Split<G: Inferred> {
    pub(crate) units: Option<(Arc<Layer>, Vec<i16>)>,
    pub(crate) counted: Sum<G>,
}

impl<G: Inferred> Split<G> {
    /// # Panics
    /// If the weights are of features of another game.
    pub(crate) fn of(weights: &Weights) -> Split<G> {
        let units = weights.units().map(|(layer, units)| (Arc::clone(layer), units));
        Split { units, counted: Sum::beside_units(weights) }
    }
}

/// The score of the sum of units and of what is counted.
#[inline(always)]
pub(super) fn score(units: i32, counted: Score) -> Score {
    Score((units + counted.0).clamp(-MOST, MOST))
}

impl<G: Inferred, C: Evaluator<G>> Evaluator<G> for Learned<G, C> {
    #[inline]
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        let sum = self.sum(position);
        let mine = if G::mover(position) == me { sum } else { -sum };
        score(mine, self.counted.evaluate(position, me))
    }

    #[inline]
    fn best_leaf(
        &self,
        game: &G,
        position: &G::Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        if let Some(fast) = &self.fast
            && let Some(found) = fast.best_leaf(&self.counted, game, position, leaves, nodes)
        {
            return found;
        }
        best_leaf(self, game, position, &leaves, nodes)
    }
}

/// The weights that are not zero, the layer that they are of, and what else is counted.
impl<G: Inferred, C: fmt::Display> fmt::Display for Learned<G, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weighed = self.weights.iter().zip(1..).filter(|(weight, _)| **weight != 0);
        let terms: Vec<String> =
            weighed.map(|(weight, unit)| format!("u{unit}={weight}")).collect();
        let counted = self.counted.to_string();
        let comma = if counted.is_empty() || terms.is_empty() { "" } else { "," };
        write!(f, "{counted}{comma}{} layer {}", terms.join(","), self.layer.hash())
    }
}
