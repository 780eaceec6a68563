//! Weights of features, and the evaluators that have a name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Layer;
use super::file::Provenance;
use super::set::{FeatureSet, unit_of};
use super::strength::{GateTest, Strength};
use crate::game::{Encoded, Feature, GameKind, NamedWeights};

/// No weight is larger than this in size. It keeps every evaluation of ayo below half of a won end: a pit
/// counts in four features at most, two stores share 48 seeds, and with a bias these come to at most
/// 97 × 32,767, under 4 million (see [`super::Score::WIN`]). On large boards of kalah evaluations have a bound: [`super::Sum`].
pub const MAX_WEIGHT: i32 = i16::MAX as i32;

/// How weights are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Signs {
    /// A feature counts with its conventional sign times its weight.
    #[default]
    Signed,
    /// A feature counts with its weight as it stands, as Daoud et al. print the sum.
    Literal,
}

/// A weight for each feature of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// The name, for people.
    pub name: String,
    /// The run that made them, if one did.
    pub provenance: Option<Provenance>,
    /// Their measured scores, one for each opponent; empty if none were taken.
    pub strength: Vec<Strength>,
    /// The tests that they passed to become champion of their run; empty if none were played.
    pub gates: Vec<GateTest>,
    features: FeatureSet,
    values: Vec<i32>,
    signs: Signs,
}

/// Why numbers are no weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// There are more or fewer weights than features.
    #[error("there are {weights} weights for {features} features")]
    Count {
        /// How many weights.
        weights: usize,
        /// How many features.
        features: usize,
    },
    /// A feature has no value without a layer.
    #[error("{0} is a unit of a learned layer, and these weights have no layer")]
    Unit(&'static str),
    /// A weight is too large.
    #[error("the weight of {feature} is {value}, outside -32767 to 32767")]
    Range {
        /// Which feature's.
        feature: &'static str,
        /// The weight.
        value: i64,
    },
}

impl Weights {
    /// Weights in the order of the features.
    ///
    /// # Errors
    /// If the number of weights is not that of the features, one is larger than [`MAX_WEIGHT`] in size, or a
    /// feature is a unit and the set has no layer.
    pub fn new(
        name: impl Into<String>,
        features: FeatureSet,
        values: &[i64],
        signs: Signs,
    ) -> Result<Self, WeightsError> {
        if values.len() != features.features().len() {
            let (weights, features) = (values.len(), features.features().len());
            return Err(WeightsError::Count { weights, features });
        }
        if let Some(unit) = features.units().next().filter(|_| features.layer().is_none()) {
            return Err(WeightsError::Unit(unit.name()));
        }
        let allowed = |(feature, &value): (&Feature, &i64)| {
            let feature = feature.name();
            let fits = value.unsigned_abs() <= MAX_WEIGHT as u64;
            fits.then_some(value as i32).ok_or(WeightsError::Range { feature, value })
        };
        let values =
            features.features().iter().zip(values).map(allowed).collect::<Result<_, _>>()?;
        let name = name.into();
        let (strength, gates) = (Vec::new(), Vec::new());
        Ok(Weights { name, provenance: None, strength, gates, features, values, signs })
    }

    /// The evaluator of this name: [`REFERENCE`], [`LEARNED`], [`LEARNED_0_2`], [`STANDARD_0_2`], one that a game has a name for
    /// ([`GameKind::evaluators`]), or features joined by `+`.
    ///
    /// ```
    /// use mancala::eval::Weights;
    /// let published = Weights::named("daoud2004-depth5").unwrap();
    /// assert_eq!(published.values()[..4], [12, 15, 1, 0]);
    /// assert_eq!(published.effective()[..4], [-12, -15, 1, 0]);
    /// ```
    pub fn named(name: &str) -> Option<Weights> {
        let file = match name {
            REFERENCE => Some(include_str!("reference.json")),
            LEARNED | LEARNED_0_2 => Some(include_str!("learned.json")),
            STANDARD_0_2 => Some(include_str!("standard-0.2.json")),
            _ => None,
        };
        if let Some(file) = file {
            let weights = super::read(file, name);
            return Some(weights.expect("the compiled-in champions are read by a test"));
        }
        let mut named = GameKind::ALL.into_iter().flat_map(GameKind::evaluators);
        let Some(NamedWeights { features, weights, .. }) = named.find(|it| it.name == name) else {
            return Weights::sum(name);
        };
        let features = features.parse().expect("a named set");
        Some(Weights::new(name, features, weights, Signs::Signed).expect("one weight a feature"))
    }

    /// The names of evaluators, of all games.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let of_games = GameKind::ALL.into_iter().flat_map(GameKind::evaluators);
        [LEARNED, REFERENCE, LEARNED_0_2, STANDARD_0_2]
            .into_iter()
            .chain(of_games.map(|it| it.name))
    }

    /// The features that a text joins by `+`, each weighing 1 with its conventional sign.
    ///
    /// ```
    /// use mancala::eval::Weights;
    /// assert_eq!(Weights::named("h1+h3").unwrap().effective(), [1, -1]);
    /// ```
    fn sum(text: &str) -> Option<Weights> {
        let features: FeatureSet = text.replace('+', ",").parse().ok()?;
        let joined: Vec<&str> = features.features().iter().map(|it| it.name()).collect();
        let ones = vec![1; joined.len()];
        let weights = || Weights::new(text, features.clone(), &ones, Signs::Signed).ok();
        (joined.join("+") == text).then(weights).flatten()
    }

    /// The features that are weighed.
    pub fn features(&self) -> &FeatureSet {
        &self.features
    }

    /// The weights as written, in the order of the features.
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// How they are read.
    pub fn signs(&self) -> Signs {
        self.signs
    }

    /// The same numbers read as `signs`. If that changes how they are read, their measured strength is dropped.
    pub fn with_signs(self, signs: Signs) -> Weights {
        let strength = if signs == self.signs { self.strength } else { Vec::new() };
        Weights { signs, strength, ..self }
    }

    /// The layer whose units count, and the weight of each of its first units up to the last that is weighed.
    /// `None` if no unit has a weight other than 0.
    pub(super) fn units(&self) -> Option<(&Arc<Layer>, Vec<i16>)> {
        let mut units = Vec::new();
        for (&feature, weight) in self.features.features().iter().zip(self.effective()) {
            if let Some(unit) = unit_of(feature) {
                units.resize(units.len().max(unit + 1), 0);
                units[unit] = weight as i16;
            }
        }
        let layer = self.features.layer().filter(|_| units.iter().any(|&weight| weight != 0))?;
        Some((layer, units))
    }

    /// The factor of each feature in a position, its sign included: that of a unit depends on how full the board is.
    ///
    /// # Panics
    /// If they are features of another game.
    pub fn effective_in<G: Encoded>(&self, position: &G::Position) -> Vec<i32> {
        assert_eq!(G::KIND, self.features.game(), "weights are of features of a game");
        let mut effective = self.effective();
        let Some((layer, units)) = self.units() else { return effective };
        let units = layer.phases().weights(&units, G::fullness(position));
        for (factor, &feature) in effective.iter_mut().zip(self.features.features()) {
            if let Some(unit) = unit_of(feature) {
                *factor = i32::from(units[unit]);
            }
        }
        effective
    }

    /// The factor of each feature, its sign included: of a unit the largest that it has in the course of a game.
    pub fn effective(&self) -> Vec<i32> {
        let factor = |feature: &Feature| match self.signs {
            Signs::Signed => feature.sign(),
            Signs::Literal => 1,
        };
        let features = self.features.features().iter();
        features.zip(&self.values).map(|(feature, value)| factor(feature) * value).collect()
    }
}

/// The name of the champion of the run in `populations/reference`, which is compiled in. It weighs the twelve features
/// of Daoud et al. (2004).
pub const REFERENCE: &str = "reference";

/// The name of the champion of the run in `populations/learned`, which is compiled in with its layer. It weighs learned
/// features, and is the strongest that there is here.
pub const LEARNED: &str = "learned";

/// The name of [`LEARNED`] as it was in version 0.2. It stays as it is, so that strength can be measured against it.
pub const LEARNED_0_2: &str = "learned-0.2";

/// The name of [`REFERENCE`] as it was in version 0.2: the champion of two million games of the evolution strategy.
pub const STANDARD_0_2: &str = "standard-0.2";

/// Text that names no way to read weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown signs \"{0}\": choose signed or literal")]
pub struct SignsError(String);

impl FromStr for Signs {
    type Err = SignsError;

    fn from_str(text: &str) -> Result<Self, SignsError> {
        match text {
            "signed" => Ok(Signs::Signed),
            "literal" => Ok(Signs::Literal),
            _ => Err(SignsError(text.into())),
        }
    }
}

impl fmt::Display for Signs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Signs::Signed => "signed",
            Signs::Literal => "literal",
        })
    }
}
