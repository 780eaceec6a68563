//! Weighted sums of arbitrary features, for any game.

use std::fmt;
use std::marker::PhantomData;

use super::{Evaluator, Score, Weights};
use crate::game::{Feature, Featured, Side};

/// Evaluations are clamped to this absolute value, which is below half of [`Score::WIN`].
pub(super) const MAX_SUM: i32 = 4_000_000;

/// The sum of weight × value over all features with a non-zero weight, in numerical order of the features.
///
/// This is a reference evaluator for all features except hidden neurons, and tests compare the faster evaluators with
/// it. To create a faster evaluator, we take the weights that it supports out of a sum. We panic if any are left.
///
/// The sum is clamped to ±4,000,000 so that it can't be mistaken for a win or a loss. In ayo, and in kalah on the usual
/// board, no weights can reach this limit.
///
/// ```
/// use mancala::eval::{Evaluator, Sum, Weights};
/// use mancala::game::{Game, Side, ayo::Ayo};
/// let seeds = Sum::<Ayo>::new(&Weights::named("seeds").unwrap());
/// assert_eq!(seeds.to_string(), "a9=-1,a10=1");
/// assert_eq!(seeds.evaluate(&Ayo::default().start(Side::South), Side::South).0, 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum<G: Featured> {
    terms: Vec<(Feature, i32)>,
    game: PhantomData<fn(G)>,
}

impl<G: Featured> Sum<G> {
    /// Creates a weighted sum of features. Panics if the weights are for a different game or include hidden neurons.
    pub fn new(weights: &Weights) -> Sum<G> {
        if let Some(unit) = weights.features().units().next() {
            panic!("{} is a unit of a learned layer, which a sum does not support", unit.name());
        }
        Sum::without_units(weights)
    }

    /// Like [`new`](Self::new), but ignores hidden neurons instead of panicking.
    pub(crate) fn without_units(weights: &Weights) -> Sum<G> {
        let features = weights.features().features().iter().copied();
        let mut terms: Vec<_> = features.zip(weights.effective()).collect();
        for (feature, _) in &terms {
            assert!(
                feature.game() == G::KIND,
                "{} is a feature of a different game",
                feature.name()
            );
        }
        terms.retain(|(feature, weight)| !feature.is_hidden_neuron() && *weight != 0);
        terms.sort_by_key(|(feature, _)| *feature);
        Sum { terms, game: PhantomData }
    }

    /// Removes a feature's term and returns its weight, or 0 if the sum has no such term.
    pub(crate) fn take(&mut self, feature: impl Into<Feature>) -> i32 {
        let feature = feature.into();
        let place = self.terms.iter().position(|term| term.0 == feature);
        place.map_or(0, |place| self.terms.remove(place).1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

impl<G: Featured> Evaluator<G> for Sum<G> {
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        let value = |it: Feature| it.value::<G>(position, me).expect("a sum has no units");
        let terms = self.terms.iter().map(|&(it, weight)| weight * value(it));
        Score(terms.sum::<i32>().clamp(-MAX_SUM, MAX_SUM))
    }
}

/// Prints the non-zero signed weights, such as `a9=-1,a10=1`.
impl<G: Featured> fmt::Display for Sum<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let term = |(feature, weight): &(Feature, i32)| format!("{}={weight}", feature.name());
        f.write_str(&self.terms.iter().map(term).collect::<Vec<_>>().join(","))
    }
}
