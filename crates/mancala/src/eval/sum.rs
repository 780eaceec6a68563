//! The weighted sum of any features of any game.

use std::fmt;
use std::marker::PhantomData;

use super::{Evaluator, Score, Weights};
use crate::game::{Feature, Featured, Side};

/// The size of the largest evaluation: below half of [`Score::WIN`], whatever the board and the features.
pub(super) const MOST: i32 = 4_000_000;

/// Σ weight × value over the features that weigh something, in the order of the game's features.
///
/// It serves every feature that a position tells, and so all but the units of a learned layer; and faster evaluators are held to it by tests. A faster evaluator takes the
/// weights that it serves out of a sum; if any are left, it cannot stand for the sum.
///
/// A sum beyond ±4,000,000 counts as ±4,000,000, so that it is never taken for a won or lost end. No weights
/// of today's features reach it in ayo, or in kalah on the usual board.
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
    /// The sum that some weights stand for.
    ///
    /// # Panics
    /// If the weights are of features of another game. [`FeatureSet::game`](super::FeatureSet::game) tells.
    /// If they weigh units: a layer says what those are, and [`Weights::new`] makes no weights of units without
    /// one.
    pub fn new(weights: &Weights) -> Sum<G> {
        if let Some(unit) = weights.features().units().next() {
            panic!("{} is a unit of a layer, which a sum lacks", unit.name());
        }
        Sum::beside_units(weights)
    }

    /// The sum that some weights stand for, without the units that they weigh.
    ///
    /// # Panics
    /// If the weights are of features of another game.
    pub(crate) fn beside_units(weights: &Weights) -> Sum<G> {
        let features = weights.features().features().iter().copied();
        let mut terms: Vec<_> = features.zip(weights.effective()).collect();
        for (feature, _) in &terms {
            assert!(feature.game() == G::KIND, "{} is a feature of another game", feature.name());
        }
        terms.retain(|(feature, weight)| !feature.is_unit() && *weight != 0);
        terms.sort_by_key(|(feature, _)| *feature);
        Sum { terms, game: PhantomData }
    }

    /// The weight of a feature, which counts in this sum no more.
    pub(crate) fn take(&mut self, wanted: impl Into<Feature>) -> i32 {
        let wanted = wanted.into();
        let place = self.terms.iter().position(|(feature, _)| *feature == wanted);
        place.map_or(0, |place| self.terms.remove(place).1)
    }

    /// Whether nothing weighs anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

impl<G: Featured> Evaluator<G> for Sum<G> {
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        let value =
            |it: Feature| it.value::<G>(position, me).expect("a position tells all of a sum");
        let terms = self.terms.iter().map(|&(it, weight)| weight * value(it));
        Score(terms.sum::<i32>().clamp(-MOST, MOST))
    }
}

/// The effective weights that are not zero: `a9=-1,a10=1`.
impl<G: Featured> fmt::Display for Sum<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let term = |(feature, weight): &(Feature, i32)| format!("{}={weight}", feature.name());
        f.write_str(&self.terms.iter().map(term).collect::<Vec<_>>().join(","))
    }
}
