//! Evaluators that use a learned layer.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;

use super::layer::Layer;
#[cfg(target_arch = "x86_64")]
use super::vector::Head;
use crate::eval::sum::MAX_SUM;
use crate::eval::{BestLeaf, Evaluator, Leaves, Score, Sum, Weights, best_leaf, kalah};
use crate::game::kalah::Kalah;
use crate::game::{Encoded, Side};
use crate::random::{Purpose, choose, stream};

/// A weighted sum of a layer's outputs and other features.
///
/// Outputs are computed for the side to move, so we negate their sum for the other side. Like any
/// [`Sum`](crate::eval::Sum), the total is clamped to ±4,000,000.
#[derive(Debug, Clone)]
pub struct Learned<G: LearnedGame> {
    layer: Arc<Layer>,
    /// The output weights, indexed by output.
    weights: Vec<i16>,
    /// The sum of all other features, if there are any.
    features: Option<G::Linear>,
    /// The layer and the weights in vector form, if the processor supports it.
    head: Option<Head>,
}

impl<G: LearnedGame> Learned<G> {
    /// Creates an evaluator from the weights of a layer's first outputs. All further outputs get a weight of 0. Panics
    /// if the layer is for a different game or if there are more weights than outputs.
    pub fn new(layer: Arc<Layer>, weights: &[i16], features: Option<G::Linear>) -> Self {
        assert_eq!(G::KIND, layer.game(), "the layer is for a different game");
        assert!(weights.len() <= layer.outputs(), "there are more weights than outputs");
        let mut weights = weights.to_vec();
        weights.resize(layer.outputs(), 0);
        let head = Head::new(&layer, &weights);
        Learned { layer, weights, features, head }
    }

    /// Like [`sum`](Self::sum), but never uses vector instructions.
    pub(super) fn scalar_sum(&self, position: &G::Position) -> i64 {
        let weights = self.layer.phases().weights(&self.weights, G::material(position));
        let values = self.layer.values::<G>(position).into_iter();
        values.zip(weights).map(|(value, weight)| i64::from(value) * i64::from(weight)).sum()
    }

    /// Returns the weighted sum of the outputs for the side to move.
    #[inline]
    pub(super) fn sum(&self, position: &G::Position) -> i64 {
        match &self.head {
            Some(head) => G::outputs(head, position),
            None => self.scalar_sum(position),
        }
    }
}

/// Adds the weighted sum of a layer's outputs (which can exceed 32 bits) and the value of the other features.
#[inline(always)]
pub(super) fn score(outputs: i64, features: Score) -> Score {
    let most = i64::from(MAX_SUM);
    Score((outputs + i64::from(features.0)).clamp(-most, most) as i32)
}

impl<G: LearnedGame> Evaluator<G> for Learned<G> {
    #[inline]
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        let sum = self.sum(position);
        let mine = if G::mover(position) == me { sum } else { -sum };
        let features = self.features.as_ref();
        score(mine, features.map_or(Score::DRAW, |features| features.evaluate(position, me)))
    }

    #[inline]
    fn best_leaf(
        &self,
        game: &G,
        position: &G::Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        let head = self.head.as_ref();
        let best = head.and_then(|head| {
            G::best_leaf(head, self.features.as_ref(), game, position, leaves, nodes)
        });
        best.unwrap_or_else(|| best_leaf(self, game, position, &leaves, nodes))
    }
}

/// Prints the evaluator for the other features, the non-zero output weights and the layer's hash.
impl<G: LearnedGame> fmt::Display for Learned<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weighed = self.layer.neurons().zip(&self.weights).filter(|(_, weight)| **weight != 0);
        let terms: Vec<String> =
            weighed.map(|(neuron, weight)| format!("{}={weight}", neuron.name())).collect();
        let features = self.features.as_ref().map_or_else(String::new, G::Linear::to_string);
        let comma = if features.is_empty() || terms.is_empty() { "" } else { "," };
        write!(f, "{features}{comma}{} layer {}", terms.join(","), self.layer.hash())
    }
}

/// A game for which there are fast evaluators.
pub trait LearnedGame: Encoded {
    /// A weighted sum of all features except hidden neurons.
    type Linear: Evaluator<Self> + From<Sum<Self>> + Clone + Debug + Display + Send + 'static;

    /// Returns the weighted sum of the outputs for the side to move.
    #[inline]
    fn outputs(head: &Head, position: &Self::Position) -> i64 {
        head.sum::<Self>(position)
    }

    /// Finds the best leaf with vector instructions. Returns `None` if the generic loop must be used instead.
    #[inline]
    fn best_leaf(
        _head: &Head,
        _features: Option<&Self::Linear>,
        _game: &Self,
        _position: &Self::Position,
        _leaves: Leaves,
        _nodes: &mut u64,
    ) -> Option<BestLeaf> {
        None
    }
}

impl LearnedGame for Kalah {
    type Linear = kalah::Linear;
}

#[cfg(not(target_arch = "x86_64"))]
impl LearnedGame for crate::game::ayo::Ayo {
    type Linear = crate::eval::Linear;
}

/// An empty type, because vector instructions aren't used on this architecture.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Debug, Clone)]
pub enum Head {}

#[cfg(not(target_arch = "x86_64"))]
impl Head {
    fn new(_: &Layer, _: &[i16]) -> Option<Head> {
        None
    }

    fn sum<G: Encoded>(&self, _: &G::Position) -> i64 {
        match *self {}
    }
}

const GAMES: u64 = 64;
/// The maximum number of plies that we use from each game.
const MAX_PLIES: usize = 100;

/// Estimates the value of a captured seed (at least 0) by linear regression over positions from random games. The
/// estimate is the slope of the position's value against the lead of the side to move.
pub(crate) fn learned_seed_value<G: Encoded>(game: &G, weights: &Weights) -> i32 {
    // Sums of leads, squared leads, values, and products of lead and value.
    let mut sums = [0i64; 4];
    let mut count = 0i64;
    for index in 0..GAMES {
        let mut rng = stream(1, Purpose::Sample, 0, index);
        let mut position = game.start(Side::South);
        for _ in 0..MAX_PLIES {
            if game.ended(&position).is_some() {
                break;
            }
            let pit =
                choose(game.moves(&position), &mut rng).expect("an unfinished game has moves");
            position = game.play(&position, pit);
            let me = game.to_move(&position);
            let [mine, theirs] =
                [me, me.other()].map(|side| i64::from(game.store(&position, side)));
            let values = weights.features().values::<G>(&position, me);
            let effective = weights.effective_in::<G>(&position);
            let value: i64 =
                values.iter().zip(&effective).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum();
            let lead = mine - theirs;
            for (sum, term) in sums.iter_mut().zip([lead, lead * lead, value, lead * value]) {
                *sum += term;
            }
            count += 1;
        }
    }
    let [leads, squares, values, products] = sums;
    let spread = count * squares - leads * leads;
    if spread == 0 { 0 } else { ((count * products - leads * values) / spread).max(0) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ayo::Ayo;

    #[test]
    fn the_value_is_the_weight_of_captured_seeds() {
        let seeds = Weights::named("seeds").unwrap();
        assert_eq!(learned_seed_value(&Ayo::default(), &seeds), 1);
        let sevenfold = Weights::new("", seeds.features().clone(), &[7; 2], seeds.signs()).unwrap();
        assert_eq!(learned_seed_value(&Ayo::default(), &sevenfold), 7);
        let stores = Weights::named("h2+h3").unwrap();
        assert_eq!(learned_seed_value(&Kalah::default(), &stores), 1);
    }
}
