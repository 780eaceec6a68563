//! The fast evaluator for kalah.

use std::fmt;

use super::sum::MAX_SUM;
use super::{Evaluator, Score, Sum, Weights};
use crate::game::kalah::Feature::{self, *};
use crate::game::kalah::{Kalah, Position};
use crate::game::{GameFeature, Side};

/// A weighted sum of kalah features.
///
/// Like any [`Sum`], the value is clamped to ±4,000,000, and a search can't tell clamped positions apart. The absolute
/// values of all features add up to at most 122 on the usual board and 802 on the largest board, where the limit can
/// only be reached if a weight exceeds ±4987. (Weight vectors from training runs have length 2000.)
///
/// ```
/// use mancala::eval::{Evaluator, Weights, kalah::Linear};
/// use mancala::game::{Side, kalah::Kalah};
/// let linear = Linear::new(&Weights::named("h1+h2").unwrap());
/// let position = Kalah::default().position("0-0-0-0-0-8-9-0-0-0-0-11-0-20-1").unwrap();
/// assert_eq!(linear.evaluate(&position, Side::South).0, (9 - 20) + 9);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Linear {
    /// The values of a seed in my store and of a seed in the opponent's store.
    pub(super) stores: [i32; 2],
    /// The values of a seed in one of my far, middle and near pits.
    pub(super) thirds: [i32; 3],
    /// Weights of the features in [`OTHERS`], which are slow to compute. `None` if all of these weights are 0.
    pub(super) others: Option<[i32; OTHERS.len()]>,
}

/// The features that can't be computed from just the stores and the seeds in each third of the player's row.
const OTHERS: [Feature; Feature::ALL.len() - 6] = *Feature::ALL.last_chunk().unwrap();

impl Linear {
    /// Creates an evaluator. Panics if the weights are for a different game or include hidden neurons.
    pub fn new(weights: &Weights) -> Linear {
        Linear::from(Sum::new(weights))
    }

    /// Returns the absolute value of a seed in my store or the opponent's store, whichever is larger.
    pub fn seed_value(&self) -> i32 {
        self.stores.map(i32::abs).into_iter().max().unwrap_or(0)
    }
}

/// Panics if the sum has an unsupported feature.
impl From<Sum<Kalah>> for Linear {
    fn from(mut sum: Sum<Kalah>) -> Linear {
        let lead = sum.take(Lead);
        let stores = [lead + sum.take(MyStore), sum.take(TheirStore) - lead];
        let thirds = [Far, Middle, Near].map(|third| sum.take(third));
        let others = (!sum.is_empty()).then(|| OTHERS.map(|feature| sum.take(feature)));
        assert!(sum.is_empty(), "unsupported features: {sum}");
        Linear { stores, thirds, others }
    }
}

impl Evaluator<Kalah> for Linear {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let [far, middle, near] = position.thirds(me).map(i32::from);
        let mut sum = self.stores[0] * i32::from(position.store(me))
            + self.stores[1] * i32::from(position.store(me.other()))
            + self.thirds[0] * far
            + self.thirds[1] * middle
            + self.thirds[2] * near;
        if let Some(others) = &self.others {
            for (weight, feature) in others.iter().zip(&OTHERS) {
                if *weight != 0 {
                    sum += weight * feature.value(position, me);
                }
            }
        }
        Score(sum.clamp(-MAX_SUM, MAX_SUM))
    }
}

/// Prints the non-zero weights. The weight of the lead is included in the weights of the two stores.
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quick = [
            (MyStore, self.stores[0]),
            (TheirStore, self.stores[1]),
            (Near, self.thirds[2]),
            (Far, self.thirds[0]),
            (Middle, self.thirds[1]),
        ];
        let others = OTHERS.into_iter().zip(self.others.unwrap_or_default());
        let weighed = quick.into_iter().chain(others).filter(|(_, weight)| *weight != 0);
        let terms: Vec<String> =
            weighed.map(|(it, weight)| format!("{}={weight}", it.definition().name)).collect();
        f.write_str(&terms.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::{any_weights_of, side};
    use crate::eval::{FeatureSet, MAX_WEIGHT, Signs};
    use crate::game::Feature as AnyFeature;
    use crate::game::arbitrary::any_kalah_position as any_position;
    use crate::laws::prelude::*;

    fn any_weights() -> impl Strategy<Value = Weights> {
        let all = Feature::ALL.map(AnyFeature::from).to_vec();
        let features = proptest::sample::subsequence(all, 1..=Feature::ALL.len()).prop_shuffle();
        let features = features.prop_map(|features| FeatureSet::new(features).unwrap());
        any_weights_of(features, Feature::ALL.len())
    }

    laws! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_fast_evaluation_is_the_sum_over_the_features(
            (_, position) in any_position(), weights in any_weights(), north: bool,
        ) {
            let me = side(north);
            let value =
                |feature: &AnyFeature| i64::from(feature.value::<Kalah>(&position, me).unwrap());
            let values = weights.features().features().iter().map(value);
            let terms = values.zip(weights.effective()).map(|(n, weight)| n * i64::from(weight));
            let sum = terms.sum::<i64>().clamp(-i64::from(MAX_SUM), i64::from(MAX_SUM));
            let score = Linear::new(&weights).evaluate(&position, me);
            prop_assert_eq!(i64::from(score.0), sum);
            prop_assert_eq!(Sum::<Kalah>::new(&weights).evaluate(&position, me), score);
            prop_assert!(!score.counts_plies());
        }

        /// A seed adds at most 1 to the sum, or 2 if it's in a store or can be captured. An empty pit adds 1, and any
        /// other pit adds at most 2.
        #[test]
        fn the_features_together_are_bounded((game, position) in any_position()) {
            for me in Side::BOTH {
                let values = Feature::ALL.map(|it| it.value(&position, me).abs());
                prop_assert!(values.iter().sum::<i32>() <= most(&game), "{:?}", values);
            }
        }
    }

    fn most(game: &Kalah) -> i32 {
        2 * i32::from(game.total()) + 4 * game.pits() as i32 + 2
    }

    #[test]
    fn only_huge_weights_on_large_boards_are_clamped() {
        assert!(MAX_WEIGHT * most(&Kalah::default()) < MAX_SUM);
        let largest = Kalah::new(8, 24).unwrap();
        assert!(4987 * most(&largest) < MAX_SUM && 4988 * most(&largest) > MAX_SUM);
        let all_home = largest.position("0-0-0-0-0-0-0-0-384-0-0-0-0-0-0-0-0-0-1").unwrap();
        let score = |weight: i64| {
            let features = FeatureSet::new(Feature::ALL.map(AnyFeature::from).to_vec()).unwrap();
            let values = [weight; Feature::ALL.len()];
            let weights = Weights::new("", features, &values, Signs::Signed).unwrap();
            Linear::new(&weights).evaluate(&all_home, Side::South).0
        };
        assert_eq!([5208, MAX_WEIGHT.into(), -5209].map(score), [5208 * 768, MAX_SUM, -MAX_SUM]);
    }
}
