//! Which features an evaluator weighs, as a value.

use std::fmt;
use std::str::FromStr;

use super::feature::Feature::{self, *};
use super::feature::kalah;

/// One or more different features, in a fixed order. Its text form is the name of a known set or the
/// names of the features joined by commas.
///
/// ```
/// use mancala::eval::{Feature, FeatureSet};
/// let set: FeatureSet = "a10,a9".parse().unwrap();
/// assert_eq!(set.features(), [Feature::MySeeds, Feature::TheirSeeds]);
/// assert_eq!("daoud2004".parse::<FeatureSet>().unwrap().features().len(), 12);
/// assert!("a1,a1".parse::<FeatureSet>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FeatureSet(Vec<Feature>);

/// The sets that have a name.
const NAMED: [(&str, &[Feature]); 6] = [
    ("daoud2004", Feature::ALL.split_at(12).0),
    (
        "davis-kendall",
        &[TheirThreatsOf2, TheirThreatsOf3, MyThreatsOf2, MyThreatsOf3, TheirSeeds, MySeeds],
    ),
    ("seeds", &[TheirSeeds, MySeeds]),
    ("aalina", Feature::ALL.split_at(6).1),
    ("kansas", &kalah::Feature::KANSAS),
    ("kalah", &kalah::Feature::EXTENDED),
];

/// The names of all features, for messages.
pub(super) const FEATURES: &str = "a1 to a14; in kalah h1 to h6, k1 to k9";

/// Text that names no set of features.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeatureSetError {
    /// Neither a set nor a feature.
    #[error(
        "\"{0}\" is neither a feature ({FEATURES}) nor a set (daoud2004, davis-kendall, seeds, aalina; in kalah kansas, kalah)"
    )]
    Unknown(String),
    /// The same feature twice.
    #[error("feature {} is named twice", .0.name())]
    Twice(Feature),
    /// Features of several games.
    #[error("feature {} is one of {}, feature {} one of {}", .0.name(), .0.game(), .1.name(), .1.game())]
    Games(Feature, Feature),
    /// No feature.
    #[error("a feature set needs at least one feature")]
    Empty,
}

impl FeatureSet {
    /// The set of these features.
    pub fn new(features: Vec<Feature>) -> Result<Self, FeatureSetError> {
        for (index, feature) in features.iter().enumerate() {
            if features[..index].contains(feature) {
                return Err(FeatureSetError::Twice(*feature));
            }
            if features[0].game() != feature.game() {
                return Err(FeatureSetError::Games(features[0], *feature));
            }
        }
        if features.is_empty() {
            return Err(FeatureSetError::Empty);
        }
        Ok(FeatureSet(features))
    }

    /// The twelve features of Daoud et al. (2004).
    pub fn daoud2004() -> FeatureSet {
        FeatureSet(Feature::ALL[..12].to_vec())
    }

    /// The name of the game whose positions they are features of.
    pub fn game(&self) -> &'static str {
        self.0[0].game()
    }

    /// The features in order.
    pub fn features(&self) -> &[Feature] {
        &self.0
    }
}

impl FromStr for FeatureSet {
    type Err = FeatureSetError;

    fn from_str(text: &str) -> Result<Self, FeatureSetError> {
        if let Some((_, features)) = NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(FeatureSet(features.to_vec()));
        }
        let feature = |name: &str| {
            let name = name.trim();
            Feature::from_name(name).ok_or_else(|| FeatureSetError::Unknown(name.into()))
        };
        FeatureSet::new(text.split(',').map(feature).collect::<Result<_, _>>()?)
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMED.iter().find(|(_, features)| *features == self.0) {
            return f.write_str(name);
        }
        let names: Vec<&str> = self.0.iter().map(|feature| feature.name()).collect();
        f.write_str(&names.join(","))
    }
}
