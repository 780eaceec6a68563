//! Weighed sums of the features of kalah, in the form that a search wants.

use std::fmt;

pub use super::feature::kalah::Feature;
use super::feature::kalah::OURS;
use super::{Evaluator, Feature as AnyFeature, Score, Weights};
use crate::game::Side;
use crate::game::kalah::{Kalah, Position};

/// No evaluation is larger in size, so that all stay below half of [`Score::WIN`] on boards of any size.
const MOST: i32 = 4_000_000;

/// A weighted sum over all features, those outside its set weighing nothing. An end is won or lost.
///
/// ```
/// use ayo::eval::{Evaluator, Weights, kalah::Linear};
/// use ayo::game::{Side, kalah::Kalah};
/// let linear = Linear::new(&Weights::named("h1+h2").unwrap());
/// let position = Kalah::default().position("0-0-0-0-0-8-9-0-0-0-0-11-0-20-1").unwrap();
/// assert_eq!(linear.evaluate(&position, Side::South).0, (9 - 20) + 9);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// What a seed is worth in my store, in the opponent's, and in my far, middle and near pits.
    stores: [i32; 2],
    thirds: [i32; 3],
    /// The weights of `k1` to `k9`, if any counts: they cost more than all the others together.
    ours: Option<[i32; OURS]>,
}

impl Linear {
    /// The evaluator of some weights; those of features of another game count nothing.
    pub fn new(weights: &Weights) -> Linear {
        let features = weights.features().features();
        let effective = weights.effective();
        let weight = |wanted: Feature| {
            let found = features.iter().position(|it| *it == AnyFeature::Kalah(wanted));
            found.map_or(0, |index| effective[index])
        };
        let lead = weight(Feature::Lead);
        let mut ours = [0; OURS];
        for (ours, feature) in ours.iter_mut().zip(&Feature::ALL[Feature::ALL.len() - OURS..]) {
            *ours = weight(*feature);
        }
        Linear {
            stores: [lead + weight(Feature::MyStore), weight(Feature::TheirStore) - lead],
            thirds: [Feature::Far, Feature::Middle, Feature::Near].map(weight),
            ours: Some(ours).filter(|ours| *ours != [0; OURS]),
        }
    }

    /// What a seed at home is worth, on whichever side it counts more.
    pub fn seed_value(&self) -> i32 {
        self.stores.map(i32::abs).into_iter().max().unwrap_or(0)
    }
}

impl Evaluator<Kalah> for Linear {
    #[inline]
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let pits = position.pits();
        let behind = |pit| i32::from(position.seeds_behind(me, pit));
        let (all, rest, near) = (behind(0), behind(pits / 3), behind(pits - pits / 3));
        let [far_weight, middle_weight, near_weight] = self.thirds;
        let mut sum = self.stores[0] * i32::from(position.store(me))
            + self.stores[1] * i32::from(position.store(me.other()))
            + far_weight * (all - rest)
            + middle_weight * (rest - near)
            + near_weight * near;
        if let Some(ours) = &self.ours {
            for (weight, feature) in ours.iter().zip(&Feature::ALL[Feature::ALL.len() - OURS..]) {
                if *weight != 0 {
                    sum += weight * feature.value(position, me);
                }
            }
        }
        Score(sum.clamp(-MOST, MOST))
    }
}

/// What each feature is worth that counts, the lead shared out over the stores.
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_report = [
            (Feature::MyStore, self.stores[0]),
            (Feature::TheirStore, self.stores[1]),
            (Feature::Near, self.thirds[2]),
            (Feature::Far, self.thirds[0]),
            (Feature::Middle, self.thirds[1]),
        ];
        let ours = Feature::ALL[Feature::ALL.len() - OURS..].iter().copied();
        let all = of_report.into_iter().chain(ours.zip(self.ours.unwrap_or_default()));
        let weighed = all.filter(|(_, weight)| *weight != 0);
        let terms: Vec<String> =
            weighed.map(|(it, weight)| format!("{}={weight}", it.name())).collect();
        f.write_str(&terms.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{FeatureSet, Signs};

    #[test]
    fn the_fast_form_is_the_sum_over_the_features() {
        let position = Kalah::default().position("1-0-3-0-0-1-7-4-9-9-6-2-3-3-1").unwrap();
        for names in ["kansas", "kalah", "h3,h5,k4", "k1"] {
            let features: FeatureSet = names.parse().unwrap();
            let values: Vec<i64> =
                (0..features.features().len() as i64).map(|n| 3 - 2 * n).collect();
            let weights = Weights::new("", features.clone(), &values, Signs::Signed).unwrap();
            for me in Side::BOTH {
                let count = |feature: &AnyFeature| match feature {
                    AnyFeature::Kalah(feature) => feature.value(&position, me),
                    _ => unreachable!("a set of kalah"),
                };
                let counts = features.features().iter().map(count);
                let sum: i32 = counts.zip(weights.effective()).map(|(n, weight)| n * weight).sum();
                assert_eq!(Linear::new(&weights).evaluate(&position, me), Score(sum), "{names}");
            }
        }
    }
}
